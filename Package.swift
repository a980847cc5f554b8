// swift-tools-version: 6.2
import PackageDescription

// The layers of the product, lowest first. A target imports only targets of lower layers; the
// tidy test reads every import line against this table.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

func layer(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// The parts of the HTML timeline, which become bytes in the program.
let timelinePage: [Resource] = [
  "page.html", "page.css", "data.js", "rows.js", "view.js", "paint.js", "draw.js", "overlay.js",
  "minimap.js", "details.js", "findings.js", "search.js", "compare.js", "input.js", "main.js",
].map { .embedInCode("Timelines/Page/\($0)") }

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "tracecheck",
  platforms: [.macOS(.v13), .iOS(.v13)],
  products: [
    .executable(name: "tracecheck", targets: ["tracecheck"]),
    .library(name: "TraceModel", targets: ["TraceModel"]),
    .library(name: "TraceFormat", targets: ["TraceFormat"]),
    .library(name: "TraceNotation", targets: ["TraceNotation"]),
    .library(name: "TraceRules", targets: ["TraceRules"]),
    .library(name: "TraceCatalogue", targets: ["TraceCatalogue"]),
    .library(name: "TracePipeline", targets: ["TracePipeline"]),
    .library(name: "TraceReplay", targets: ["TraceReplay"]),
    .library(name: "TraceRecorder", targets: ["TraceRecorder"]),
    .library(name: "TraceRecorderTesting", targets: ["TraceRecorderTesting"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // 0: words and C libraries
    layer("TraceModel"),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "CTraceAtomics"),
    .target(name: "CTraceChecksum"),
    // 1: bytes, text and life cycle
    layer("TraceFormat", ["TraceModel", "CTraceChecksum"]),
    layer("TraceNotation", ["TraceModel"]),
    layer("TraceLifecycle", ["TraceModel"]),
    // 2: codecs, files, rules, captures of others
    layer("TraceCodecs", ["TraceFormat", "CZstd", "CZlib"]),
    layer("TraceIO", ["TraceFormat", "CTraceAtomics"]),
    layer("TraceRules", ["TraceModel", "TraceLifecycle", "TraceNotation"]),
    layer("TraceCatalogue", ["TraceModel", "TraceLifecycle", "TraceRules"]),
    layer("TraceImport", ["TraceModel", "TraceNotation"]),
    layer(
      "TraceRuleFile",
      [
        "TraceModel", "TraceLifecycle", "TraceRules", "TraceCatalogue",
        .product(name: "Yams", package: "Yams"),
      ]),
    // 3: what ships in an app
    layer("TraceRecorder", ["TraceModel", "TraceFormat", "TraceIO", "CTraceAtomics"]),
    layer(
      "TraceRecorderTesting",
      [
        "TraceModel", "TraceFormat", "TraceIO", "TraceNotation", "TraceRecorder", "TraceRules",
        "TraceCatalogue",
      ]),
    .executableTarget(
      name: "notesdemo", dependencies: ["TraceModel", "TraceIO", "TraceRecorder"],
      swiftSettings: strict),
    // 3: what people and machines read
    layer(
      "TraceExport", ["TraceModel", "TraceNotation", "TraceLifecycle", "TraceRules"],
      resources: timelinePage),
    // 3: a life that is made up, and one that happens again
    layer("TraceSimulator", ["TraceModel"]),
    layer("TraceReplay", ["TraceModel"]),
    layer(
      "TraceConfiguration",
      [
        "TraceModel", "TraceNotation", "TraceLifecycle", "TraceRules", "TraceCatalogue",
        "TraceRuleFile", "TraceImport",
      ]),
    layer(
      "TraceGate",
      [
        "TraceModel", "TraceNotation", "TraceLifecycle", "TraceRules", "TraceCatalogue",
        "TraceExport",
      ]),
    // 4: the whole way of a capture
    layer(
      "TracePipeline",
      [
        "TraceModel", "TraceFormat", "TraceNotation", "TraceLifecycle", "TraceCodecs", "TraceIO",
        "TraceRules", "TraceImport", "TraceExport",
      ]),
    // 5: what runs all the time
    layer(
      "TraceServe",
      [
        "TraceModel", "TraceIO", "TraceRules", "TraceExport", "TracePipeline",
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ]),
    // 5: captures as tables. Nothing but the command and its tests depends on it, as nothing else
    // needs SQLite.
    layer(
      "TraceQuery",
      [
        "TraceModel", "TraceNotation", "TraceIO", "TraceExport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    // 6 and 7: commands
    layer(
      "TraceCheckKit",
      [
        "TraceModel", "TraceFormat", "TraceNotation", "TraceLifecycle", "TraceCodecs", "TraceIO",
        "TraceRules", "TraceCatalogue", "TraceRuleFile", "TraceConfiguration", "TraceImport",
        "TraceExport", "TraceGate", "TraceSimulator", "TracePipeline", "TraceServe", "TraceQuery",
        argumentParser,
      ]),
    .executableTarget(name: "tracecheck", dependencies: ["TraceCheckKit"], swiftSettings: strict),
    // developers' tool: sweeps, generators, benchmarks
    .executableTarget(
      name: "tracedev",
      dependencies: [
        "TraceModel", "TraceFormat", "TraceNotation", "TraceLifecycle", "TraceCodecs", "TraceIO",
        "TraceRules", "TraceCatalogue", "TraceImport", "TraceExport", "TraceGate",
        "TraceSimulator", "TracePipeline", "TraceCheckKit", "TraceReplay", "TraceReplaySupport",
        "TraceTestSupport", "TraceNaive", "TraceImportSamples", "TraceRecorder", "CTraceAtomics",
        argumentParser,
      ],
      swiftSettings: strict),
    // tests
    .target(
      name: "TraceTestSupport",
      dependencies: ["TraceModel", "TraceNotation"],
      path: "Tests/TraceTestSupport", swiftSettings: strict),
    // captures made up for tests and sweeps
    .target(
      name: "TraceImportSamples",
      dependencies: ["TraceImport", "TraceModel"],
      path: "Tests/TraceImportSamples", swiftSettings: strict),
    // an independent reading of the pattern language, for property tests
    .target(
      name: "TraceNaive",
      dependencies: ["TraceModel", "TraceLifecycle", "TraceRules", "TraceCatalogue"],
      path: "Tests/TraceNaive", swiftSettings: strict),
    // the simulator's app models, put under a replay
    .target(
      name: "TraceReplaySupport",
      dependencies: ["TraceModel", "TraceReplay", "TraceSimulator"],
      path: "Tests/TraceReplaySupport", swiftSettings: strict),
    tests("TraceModelTests", ["TraceModel", "TraceTestSupport"]),
    tests("TraceFormatTests", ["TraceFormat", "TraceCodecs", "TraceNotation", "TraceTestSupport"]),
    tests("TraceNotationTests", ["TraceNotation", "TraceTestSupport"]),
    tests("TraceLifecycleTests", ["TraceLifecycle", "TraceNotation", "TraceTestSupport"]),
    tests("TraceCodecsTests", ["TraceCodecs", "TraceTestSupport"]),
    tests("TraceIOTests", ["TraceIO", "TraceTestSupport"]),
    tests(
      "TraceRecorderTests",
      [
        "TraceRecorder", "TraceRecorderTesting", "TraceModel", "TraceFormat", "TraceIO",
        "TraceRules", "TraceCatalogue", "TraceTestSupport",
      ]),
    tests(
      "TraceRulesTests",
      [
        "TraceRules", "TraceCatalogue", "TraceLifecycle", "TraceNotation", "TraceFormat",
        "TraceTestSupport",
      ]),
    tests(
      "TraceRuleFileTests",
      [
        "TraceRuleFile", "TraceRules", "TraceCatalogue", "TraceLifecycle", "TraceModel",
        "TraceNotation", "TraceNaive",
      ]),
    tests(
      "TraceImportTests",
      [
        "TraceImport", "TraceModel", "TraceNotation", "TraceRules", "TraceCatalogue",
        "TraceTestSupport", "TraceImportSamples",
      ]),
    tests("TraceSimulatorTests", ["TraceSimulator", "TraceModel"]),
    tests(
      "TraceReplayTests",
      [
        "TraceReplay", "TraceReplaySupport", "TraceSimulator", "TraceModel", "TraceNotation",
      ]),
    tests("TraceExportTests", ["TraceExport", "TraceCatalogue", "TraceTestSupport"]),
    tests(
      "TraceGateTests",
      [
        "TraceGate", "TraceExport", "TraceRules", "TraceCatalogue", "TraceLifecycle", "TraceModel",
      ]),
    tests(
      "TracePipelineTests",
      ["TracePipeline", "TraceCatalogue", "TraceNaive", "TraceRecorder", "TraceTestSupport"]),
    tests(
      "TraceConfigurationTests",
      [
        "TraceConfiguration", "TraceImport", "TraceRules", "TraceCatalogue", "TraceLifecycle",
        "TraceModel", "TraceTestSupport",
      ]),
    tests(
      "TraceCheckKitTests",
      [
        "TraceCheckKit", "TraceConfiguration", "TraceLifecycle", "TraceModel", "TraceRules",
        "TraceCatalogue", "TraceTestSupport",
      ]),
    tests("TraceServeTests", ["TraceServe", "TraceExport", "TraceIO", "TraceTestSupport"]),
    tests("TraceQueryTests", ["TraceQuery", "TraceModel"]),
    tests("TidyTests", ["TraceTestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
