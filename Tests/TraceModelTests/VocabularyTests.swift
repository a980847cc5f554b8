// Checks the tables of the vocabulary against themselves, their own source text and the catalogue.

import Foundation
import Testing

@testable import TraceModel

@Suite struct VocabularyTests {
  @Test func kindsAreNumberedByPosition() {
    #expect(Vocabulary.kinds.count == 145)
    for (index, description) in Vocabulary.kinds.enumerated() {
      #expect(Int(description.kind.rawValue) == index + 1, "\(description.name)")
      #expect(Vocabulary.description(of: description.kind) == description)
      #expect(Vocabulary.kind(named: description.name) == description.kind)
    }
    #expect(Vocabulary.description(of: EventKind(rawValue: 0)) == nil)
    #expect(Vocabulary.description(of: EventKind(rawValue: 146)) == nil)
    #expect(Vocabulary.kind(named: "bgtask") == nil)
  }

  @Test func kindNamesAreUnique() {
    #expect(Set(Vocabulary.kinds.map(\.name)).count == Vocabulary.kinds.count)
  }

  @Test func knownKinds() {
    let pairs: [(EventKind, UInt16, String)] = [
      (.traceStart, 1, "trace.start"), (.procKill, 11, "proc.kill"),
      (.delegateDidEnterBackground, 39, "delegate.did_enter_background"),
      (.bgtaskBegin, 55, "bgtask.begin"), (.noteDeliver, 93, "note.deliver"),
      (.exitImport, 145, "exit.import"),
    ]
    for (kind, number, name) in pairs {
      #expect(kind.rawValue == number)
      #expect(Vocabulary.kind(named: name) == kind)
    }
  }

  /// Each constant bears the name of the kind with its number, and each kind has a constant.
  @Test func kindConstantsMatchNames() throws {
    var seen: Set<Int> = []
    let folder = packageRoot.appendingPathComponent("Sources/TraceModel/Vocabulary")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      for (constant, number) in try constants(of: "EventKind", in: folder, file) {
        try #require((1...Vocabulary.kinds.count).contains(number), "\(constant)")
        #expect(constant == camelCase(Vocabulary.kinds[number - 1].name))
        #expect(seen.insert(number).inserted, "\(constant)")
      }
    }
    #expect(seen.count == Vocabulary.kinds.count)
  }

  @Test func argumentConstantsMatchTexts() throws {
    let texts = ArgumentName.knownTexts
    #expect(Set(texts).count == texts.count)
    #expect(texts.count < Int(ArgumentName.firstUnknownNumber))
    let folder = packageRoot.appendingPathComponent("Sources/TraceModel")
    let found = try constants(of: "ArgumentName", in: folder, "ArgumentName+Known.swift")
    #expect(found.map(\.number) == Array(1...texts.count))
    #expect(found.map(\.name) == texts.map(camelCase))
  }

  @Test func knownArguments() {
    let pairs: [(ArgumentName, String)] = [
      (.token, "token"), (.isInvalid, "is_invalid"), (.class, "class"), (.x, "x"), (.y, "y"),
      (.intervalS, "interval_s"), (.submitId, "submit_id"), (.completionId, "completion_id"),
      (.protectsToken, "protects_token"), (.continuousNs, "continuous_ns"),
      (.errorDomain, "error_domain"), (.fireWallNs, "fire_wall_ns"), (.from, "from"),
      (.appCpuS, "app_cpu_s"), (.window, "window"),
      (.thermalLevel, "thermal_level"), (.totalCpuPercent, "total_cpu_percent"),
    ]
    for (name, text) in pairs {
      #expect(name.knownText == text)
      #expect(ArgumentName.known(text) == name)
    }
    #expect(ArgumentName(rawValue: 0).knownText == nil)
    #expect(ArgumentName.known("timer_id") == nil)
  }

  @Test func argumentsOfAKindAreKnownAndUnique() {
    var used: Set<ArgumentName> = []
    for description in Vocabulary.kinds {
      let names = description.arguments.map(\.name)
      #expect(Set(names).count == names.count, "\(description.name)")
      for name in names { #expect(name.knownText != nil, "\(description.name)") }
      used.formUnion(names)
    }
    // What the return of any span may say belongs to no kind.
    #expect(!used.contains(.crossed))
    #expect(used.count + 1 == ArgumentName.knownTexts.count)
  }

  @Test func windows() {
    let windows = Vocabulary.kinds.filter { $0.shape == .window }.map(\.kind)
    #expect(
      windows == [
        .sysSwitcher, .sysInterruption, .wakeWindow, .audioInterruption, .voipCall, .bgschedRun,
      ])
  }

  @Test func notificationNames() {
    let names = Vocabulary.notificationNames
    #expect(names.count == 24)
    #expect(Set(names.map(\.text)).count == names.count)
    #expect(names.count { $0.isQueued } == 15)
    #expect(names.firstIndex { !$0.isQueued } == 15)
  }

  /// Name, shape and emitter of every kind, against the table of the specification.
  @Test func agreesWithTheSpecification() throws {
    let rows = SpecifiedKinds.rows
    try #require(rows.count == Vocabulary.kinds.count)
    for (row, description) in zip(rows, Vocabulary.kinds) {
      #expect(row[0] == description.name)
      #expect(row[1] == (description.shape == .instant ? "instant" : "span"), "\(row[0])")
      let emitters = row[2].components(separatedBy: " or ").sorted()
      #expect(emitters == description.emitter.rawValue.components(separatedBy: " or ").sorted())
    }
  }

  // MARK: - Reading sources

  private var packageRoot: URL {
    URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }

  /// The constants of a type that a source file declares with a number, in order.
  private func constants(
    of type: String, in folder: URL, _ file: String
  ) throws -> [(name: String, number: Int)] {
    let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let parts = line.components(separatedBy: " = \(type)(rawValue: ")
      guard parts.count == 2, parts[0].hasPrefix("  public static let "),
        let number = Int(parts[1].dropLast())
      else { return nil }
      let name = parts[0].dropFirst("  public static let ".count)
      return (name.replacingOccurrences(of: "`", with: ""), number)
    }
  }

  /// `delegate.open_url` becomes `delegateOpenUrl`.
  private func camelCase(_ name: String) -> String {
    let words = name.split { $0 == "." || $0 == "_" }
    return words.dropFirst().reduce(String(words[0])) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
  }
}
