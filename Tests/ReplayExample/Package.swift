// swift-tools-version: 6.0
import PackageDescription

// An app's own package, as a user of tracecheck has it: a capture from the field became a test.
let package = Package(
  name: "ReplayExample",
  platforms: [.macOS(.v13), .iOS(.v13)],
  dependencies: [.package(name: "tracecheck", path: "../..")],
  targets: [
    .target(
      name: "NotesApp",
      dependencies: [
        .product(name: "TraceModel", package: "tracecheck"),
        .product(name: "TraceReplay", package: "tracecheck"),
      ]),
    .testTarget(
      name: "NotesAppTests",
      dependencies: [
        "NotesApp",
        .product(name: "TraceModel", package: "tracecheck"),
        .product(name: "TraceNotation", package: "tracecheck"),
        .product(name: "TraceReplay", package: "tracecheck"),
      ],
      exclude: ["field.ndjson"]),
  ]
)
