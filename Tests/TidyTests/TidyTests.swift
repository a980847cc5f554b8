// The repository's own rules: layout, layers, length of files, words.

import Foundation
import Testing

struct TidyTests {
  private static let sources = Repository.swiftFiles(below: "Sources")
  private static let tests = Repository.swiftFiles(below: "Tests")

  @Test func topLevelIsFixed() throws {
    let allowed: Set = ["Package.swift", "Sources", "Tests", "traces", "Grafana", "README.md"]
    // What a build leaves behind and git ignores.
    let ignored: Set = ["Package.resolved"]
    let names = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
    let visible = Set(names.filter { !$0.hasPrefix(".") }).subtracting(ignored)
    #expect(visible.isSubset(of: allowed), "\(visible.subtracting(allowed))")
    for name in allowed { #expect(visible.contains(name), "\(name) is missing") }
  }

  /// What each target may import, lowest layer first. Standard modules come after.
  private static let layers: [String: Set<String>] = {
    let model: Set = ["TraceModel"]
    let rulesAndBelow: Set = [
      "TraceModel", "TraceNotation", "TraceLifecycle", "TraceRules",
    ]
    let pipeline = rulesAndBelow.union([
      "TraceFormat", "TraceCodecs", "TraceIO", "TraceImport", "TraceExport",
    ])
    let catalogue = rulesAndBelow.union(["TraceCatalogue"])
    let kit = pipeline.union([
      "TraceCatalogue",
      "TracePipeline", "TraceRuleFile", "TraceConfiguration", "TraceGate", "TraceSimulator",
      "TraceServe", "TraceQuery", "ArgumentParser", "Foundation",
    ])
    return [
      "TraceModel": [],
      "TraceFormat": ["TraceModel", "CTraceChecksum"],
      "TraceNotation": model,
      "TraceLifecycle": model,
      "TraceCodecs": ["TraceModel", "TraceFormat", "CZstd", "CZlib"],
      "TraceIO": ["TraceModel", "TraceFormat", "CTraceAtomics", "Glibc", "Darwin", "Musl"],
      "TraceRules": ["TraceModel", "TraceLifecycle", "TraceNotation"],
      "TraceImport": ["TraceModel", "TraceNotation"],
      "TraceCatalogue": ["TraceModel", "TraceLifecycle", "TraceRules"],
      "TraceRuleFile": ["TraceModel", "TraceLifecycle", "TraceRules", "TraceCatalogue", "Yams"],
      "TraceConfiguration": catalogue.union(["TraceRuleFile", "TraceImport"]),
      "TraceRecorder": ["TraceModel", "TraceFormat", "TraceIO", "CTraceAtomics", "UIKit"],
      "TraceRecorderTesting": [
        "TraceModel", "TraceFormat", "TraceIO", "TraceNotation", "TraceRecorder", "TraceRules",
        "TraceCatalogue",
      ],
      "notesdemo": ["TraceModel", "TraceIO", "TraceRecorder"],
      "TraceSimulator": model,
      "TraceReplay": model,
      "TraceExport": rulesAndBelow,
      "TraceGate": [
        "TraceModel", "TraceNotation", "TraceLifecycle", "TraceRules", "TraceCatalogue",
        "TraceExport", "Glibc", "Darwin", "Musl",
      ],
      "TracePipeline": pipeline,
      "TraceServe": pipeline.union(["TracePipeline", "FlyingSocks", "Foundation"]),
      "TraceQuery": [
        "TraceModel", "TraceNotation", "TraceIO", "TraceExport", "GRDB", "GRDBSQLite",
      ],
      "TraceCheckKit": kit,
      "tracecheck": ["TraceCheckKit"],
    ]
  }()

  @Test func importsFollowTheLayers() throws {
    for file in Self.sources where file.target != "tracedev" {
      let allowed = try #require(Self.layers[file.target], "\(file): a target without a layer")
      for module in file.imports {
        #expect(allowed.contains(module), "\(file) imports \(module)")
      }
    }
  }

  @Test func everyTargetOfTheTableExists() {
    let targets = Set(Self.sources.map(\.target))
    for target in Self.layers.keys { #expect(targets.contains(target), "\(target) is empty") }
  }

  @Test func systemSpecificCodeIsInOneFilePerTarget() {
    let files = Self.sources.filter { file in
      file.target != "tracedev" && file.lines.contains { $0.contains("canImport(Darwin)") }
    }
    for (target, group) in Dictionary(grouping: files, by: \.target) {
      #expect(group.count == 1, "\(target): \(group)")
    }
  }

  @Test func filesAreShort() {
    for file in Self.sources + Self.tests {
      #expect(file.lines.count <= 401, "\(file) has \(file.lines.count) lines")
    }
  }

  @Test func linesFitAPage() {
    for file in Self.sources + Self.tests {
      for (number, line) in file.lines.enumerated() where line.count > 100 {
        // Texts of messages and examples, and samples of logs, stay whole.
        let isText = ["\"", "\t", "#", "BackgroundTask", "["].contains { line.contains($0) }
        #expect(isText, "\(file):\(number + 1)")
      }
    }
  }

  @Test func sourcesSayWhatTheyAreFor() {
    for file in Self.sources where file.path != "Sources/tracecheck/main.swift" {
      #expect(file.lines.first?.hasPrefix("// ") == true, "\(file) starts without a sentence")
    }
  }

  @Test func nothingIsLeftUndone() {
    let words = ["TO" + "DO", "FIX" + "ME", "HA" + "CK"]
    for file in Self.sources + Self.tests {
      for (number, line) in file.lines.enumerated() {
        for word in words {
          #expect(!line.contains(word), "\(file):\(number + 1) says \(word)")
        }
      }
    }
  }

  @Test func nothingTrapsOnPurpose() {
    for (file, code) in SourceCode.ofProduct where file.target != "tracedev" {
      for (number, line) in code.lines.enumerated() {
        for word in ["try!", " as! ", "fatalError("] {
          #expect(!line.contains(word), "\(file):\(number + 1) says \(word)")
        }
      }
    }
  }

  /// What is known of a rule stands in the rule. The simulator's faults say which findings they
  /// are expected to make.
  @Test func rulesAreNamedInTheCatalogueAlone() throws {
    let id = try Regex(#"\b(LC[0-9]{3}|LM[0-9]{2})\b"#)
    let own = ["Sources/TraceCatalogue/", "Sources/TraceSimulator/Faults/"]
    let others = Self.sources.filter { file in !own.contains { file.path.hasPrefix($0) } }
    #expect(others.count > 500)
    for file in others {
      for (number, line) in file.lines.enumerated() {
        #expect(line.firstMatch(of: id) == nil, "\(file):\(number + 1) names a rule")
      }
    }
  }

  @Test func theCatalogueListsItsFolder() {
    let rules = Self.sources.map(\.path)
      .filter { $0.hasPrefix("Sources/TraceCatalogue/Rules/L") }
      .map { $0.split(separator: "/").last!.dropLast(".swift".count) }.sorted()
    let list = Self.sources.first { $0.path == "Sources/TraceCatalogue/Catalogue+Folder.swift" }
    let listed = (list?.lines ?? []).compactMap { line -> Substring? in
      let text = line.drop { $0 == " " }
      return text.hasSuffix(".rule,") ? text.dropLast(".rule,".count) : nil
    }
    #expect(listed == rules, "run: swift run tracedev generate")
  }

  @Test func everyTraceIsAPairWithALine() throws {
    let folder = Repository.root.appendingPathComponent("traces").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let texts = names.filter { $0.hasSuffix(".timeline") }.map { $0.dropLast(9) }
    let binaries = names.filter { $0.hasSuffix(".lctrace") }.map { $0.dropLast(8) }
    #expect(texts == binaries)
    #expect(names.count == texts.count + binaries.count + 1, "only pairs and README.md")
    let readme = try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
    for text in texts { #expect(readme.contains("`\(text)`"), "\(text) has no line") }
  }
}
