// What a redaction hides, and what it must leave for rules to see.

import Testing
import TraceCatalogue
import TraceExport
import TraceModel
import TraceRules

@testable import TraceNaive
@testable import TracePipeline

struct RedactionTests {
  private static let key = [UInt8](repeating: 7, count: 16)

  private static func redaction() throws -> TraceRedaction {
    TraceRedaction(hash: try #require(KeyedHash(key: key))) { $0 }
  }

  private static func redacted(_ batch: EventBatch) throws -> [EventBatch] {
    var parts: [EventBatch] = []
    try redaction().redact(batch) { (part) throws(CaptureFailure) in parts.append(part) }
    return parts
  }

  /// All tests of arguments in a rule's patterns.
  private static func tests(_ test: FieldTest) -> [FieldTest] {
    switch test {
    case .not(let inner): tests(inner)
    case .all(let parts), .any(let parts): parts.flatMap { tests($0) }
    default: [test]
    }
  }

  private static func tests(_ rule: Rule) -> [FieldTest] {
    RuleHarvest(rule).patterns.compactMap(\.test).flatMap { tests($0) }
  }

  @Test func everyTextOfEveryArgumentIsHashed() throws {
    let redaction = try Self.redaction()
    for kind in Vocabulary.kinds {
      for argument in kind.arguments {
        let text = redaction.text("Ms Canary's diary 12", keeping: .of(argument.name))
        #expect(text.hasPrefix("r:"), "\(kind.name) \(argument.name)")
        #expect(!text.contains("Canary"), "\(kind.name) \(argument.name)")
      }
    }
  }

  @Test func wordsOfTheVocabularyStay() throws {
    let redaction = try Self.redaction()
    for kind in Vocabulary.kinds {
      for argument in kind.arguments {
        guard case .words(let words) = argument.shape else { continue }
        for word in words {
          #expect(redaction.text(word, keeping: .of(argument.name)) == word)
        }
      }
    }
  }

  @Test(arguments: Catalogue.all.map(\.id)) func whatRulesCompareStays(id: String) throws {
    let redaction = try Self.redaction()
    let rule = try #require(Catalogue.all.first { $0.id == id })
    for test in Self.tests(rule) {
      switch test {
      case .isText(let name, let texts):
        for text in texts {
          let told = redaction.text(text, keeping: .of(name))
          #expect(told == text, "\(id) compares '\(text)': list it in KeptTexts.swift")
        }
      case .matches(let name, let pattern):
        let literal = pattern.replacing("*", with: "")
        for text in [literal, "a \(literal)", "\(literal) z", "a\(literal)z", "private"] {
          let told = redaction.text(text, keeping: .of(name))
          #expect(
            Glob.matches(told, pattern) == Glob.matches(text, pattern),
            "\(id) looks for '\(pattern)' in '\(text)': list it in KeptTexts.swift")
        }
      default: continue
      }
    }
    for cause in RuleHarvest(rule).causes {
      #expect(redaction.text(cause, keeping: .of(.cause)) == cause)
    }
  }

  @Test func partsThatRulesLookForStayApart() throws {
    let redaction = try Self.redaction()
    let patterns = Set(
      Catalogue.all.flatMap { Self.tests($0) }.compactMap { test -> String? in
        if case .matches(.description, let pattern) = test { pattern } else { nil }
      })
    #expect(patterns.count > 5)
    for one in patterns {
      for other in patterns {
        let text = "x\(one.replacing("*", with: ""))y\(other.replacing("*", with: ""))z"
        let told = redaction.text(text, keeping: .of(.description))
        let found = patterns.filter { Glob.matches(text, $0) }
        #expect(patterns.filter { Glob.matches(told, $0) } == found)
      }
    }
  }

  @Test(arguments: Catalogue.all.map(\.id)) func whatRulesAskOfTheHeaderStays(id: String) throws {
    let redaction = try Self.redaction()
    let rule = try #require(Catalogue.all.first { $0.id == id })
    func check(_ test: HeaderTest) {
      var header = TraceHeader()
      switch test {
      case .isText(let field, let texts):
        for text in texts {
          header[field] = .string(text)
          #expect(redaction.header(header)[field] == header[field])
        }
      case .has(let field, let text):
        // Identifiers are only compared with those of events, which are hashed, too.
        guard field != .permittedTaskIdentifiers else { return }
        header[field] = .strings([text])
        #expect(redaction.header(header)[field] == header[field])
      case .not(let inner): check(inner)
      case .all(let parts), .any(let parts): for part in parts { check(part) }
      default: return
      }
    }
    for test in RuleHarvest(rule).headerTests { check(test) }
  }

  @Test func namesOfTheHeaderAreHashed() throws {
    var header = TraceHeader()
    for field in HeaderField.allCases {
      switch field.type {
      case .string: header[field] = .string("Ms Canary's phone")
      case .strings: header[field] = .strings(["Ms Canary's phone", "canary-mode"])
      case .integer: header[field] = .json("\"Canary\"")
      case .boolean: header[field] = .json("[\"Canary\",{\"canary\":1}]")
      }
    }
    header.unknownFields = [.init(name: "canary", json: "{\"canary\":\"Canary\"}")]
    header.openCoverage = ["canary"]
    let redacted = try Self.redaction().header(header)
    #expect(!"\(redacted)".lowercased().contains("canary"))
    #expect(redacted[.traceID] == nil)
    #expect(redacted.contradictoryFields == header.contradictoryFields)
    #expect(redacted.presentFields.count == header.presentFields.count - 1)
  }

  @Test func whatIsNoNameStays() throws {
    var header = TraceHeader()
    header[.osVersion] = .string("8.1.0")
    header[.appVersion] = .string("1.4 (120)")
    header[.deviceModel] = .string("iPhone7,2")
    header[.osBuild] = .string("12B411")
    header[.backgroundModes] = .strings(["audio", "fetch"])
    header[.coverage] = .strings(["*", "bgtask"])
    header[.mainNib] = .string("")
    header[.passcodeEnabled] = .boolean(true)
    #expect(try Self.redaction().header(header) == header)
  }

  @Test func identifiersStayTheSameInHeaderAndEvents() throws {
    var header = TraceHeader()
    header[.permittedTaskIdentifiers] = .strings(["com.example.refresh"])
    var assembler = BatchAssembler()
    assembler.begin(.bgschedSubmit, .instant, thread: 1, timeNanoseconds: 5)
    assembler.add(.identifier, .string("com.example.refresh"))
    assembler.endEvent()
    let parts = try Self.redacted(assembler.batch)
    let permitted = try Self.redaction().header(header).strings(.permittedTaskIdentifiers)
    let submitted = parts[0].text(.identifier, of: parts[0].event(at: 0))
    #expect(permitted == [try #require(submitted)])
  }

  @Test func unknownKindsAndArgumentsLoseTheirNames() throws {
    var assembler = BatchAssembler()
    let kind = assembler.kind(named: "canary.canary.sings")
    let odd = assembler.kind(named: "bgtask.canary")
    for kind in [kind, odd, .bgtaskBegin] {
      assembler.begin(kind, .instant, thread: 3, timeNanoseconds: 5, line: 9)
      assembler.add(assembler.argumentName("canary"), .string("active"))
      assembler.add(.token, .json("[\"canary\"]"))
      assembler.add(.kind, .string("canary"))
      assembler.add(.bytes, .json("null"))
      assembler.endEvent()
    }
    let part = try Self.redacted(assembler.batch)[0]
    #expect(part.lines.isEmpty)
    #expect(part.timesNanoseconds == [5, 5, 5])
    #expect(part.threads.map(\.id) == [3])
    for index in 0..<3 {
      let name = part.name(of: part.templates[Int(part.templateIndices[index])].kind)
      #expect(!name.contains("canary"))
      let arguments = part.arguments(at: index)
      #expect(arguments.map(\.name).dropFirst() == ["token", "kind", "bytes"])
      #expect(!"\(arguments)".contains("canary"))
      #expect(!"\(arguments)".contains("active"))
      #expect(arguments[3].value == .json("null"))
    }
    let names = part.templates.map { part.name(of: $0.kind) }
    #expect(names[1].hasPrefix("bgtask.r_"))
    #expect(names[2] == "bgtask.begin")
  }

  @Test func numbersOfYourOwnAreHashed() throws {
    var assembler = BatchAssembler()
    let telephone: Int64 = 4_915_112_340_001
    let values: [ArgumentValue] = [
      .integer(telephone), .unsigned(.max), .number(4915112340001.5), .boolean(true),
      .json("4915112340001000000000"),
    ]
    for kind in [assembler.kind(named: "customer.called"), .bgtaskBegin] {
      assembler.begin(kind, .instant, thread: 3, timeNanoseconds: 5)
      for value in values { assembler.add(assembler.argumentName("customer_phone"), value) }
      assembler.add(.token, .integer(telephone))
      assembler.endEvent()
    }
    let part = try Self.redacted(assembler.batch)[0]
    for (index, isKnown) in [false, true].enumerated() {
      let told = part.arguments(at: index).map(\.value)
      #expect(told.count == values.count + 1)
      for value in told.dropLast() {
        switch value {
        case .string(let text): #expect(text.hasPrefix("r:"))
        case .json(let text): #expect(text.hasPrefix("\"r:"))
        default: Issue.record("\(value)")
        }
      }
      // Of a kind of one's own no argument is the vocabulary's.
      #expect((told.last == .integer(telephone)) == isKnown)
    }
    var header = TraceHeader()
    header.unknownFields = [
      .init(name: "customer_phone", json: "4915112340001"), .init(name: "vip", json: "true"),
    ]
    header[.appBundleID] = .integer(4_915_112_340_001)
    header[.simulator] = .boolean(true)
    let redacted = try Self.redaction().header(header)
    for field in redacted.unknownFields {
      #expect(field.json.hasPrefix("\"r:"))
    }
    // A number in the place of a text.
    #expect(redacted.string(.appBundleID)?.hasPrefix("r:") == true)
    #expect(redacted[.simulator] == .boolean(true))
  }

  @Test func numbersInThePlaceOfTextsAreHashed() throws {
    var assembler = BatchAssembler()
    let telephone: Int64 = 4_915_112_340_001
    assembler.begin(.bgtaskBegin, .instant, thread: 3, timeNanoseconds: 5)
    let values: [ArgumentValue] = [
      .integer(telephone), .unsigned(.max), .number(4915112340001.5), .boolean(true),
      .json("4915112340001000000000"), .string("\(telephone)"),
    ]
    for value in values { assembler.add(.name, value) }
    assembler.add(.token, .integer(telephone))
    assembler.endEvent()
    // Elsewhere it is a text.
    assembler.begin(.uiTouch, .instant, thread: 3, timeNanoseconds: 5)
    assembler.add(.name, .integer(telephone))
    assembler.endEvent()
    let part = try Self.redacted(assembler.batch)[0]
    let told = part.arguments(at: 0).map(\.value)
    for value in told.dropLast() + part.arguments(at: 1).map(\.value) {
      switch value {
      case .string(let text): #expect(text.hasPrefix("r:"))
      case .json(let text): #expect(text.hasPrefix("\"r:"))
      default: Issue.record("\(value)")
      }
    }
    // Rules take a number and its text for the same.
    #expect(told[0] == told[5])
    #expect(told.last == .integer(telephone))
  }

  @Test func blocksKeepTheirNumbers() throws {
    var assembler = BatchAssembler()
    for time in 0..<5 as Range<Int64> {
      assembler.begin(.traceMarker, .instant, thread: 2, timeNanoseconds: time)
      assembler.add(.text, .string("canary \(time % 2)"))
      assembler.endEvent()
    }
    var batch = assembler.batch
    batch.threads[0].firstSequence = 41
    batch.firstOrdinal = 7
    let part = try Self.redacted(batch)[0]
    #expect(part.threads == batch.threads)
    #expect(part.firstOrdinal == 7)
    #expect(part.strings.count == 2)
    #expect(part.argumentBits == [0, 1, 0, 1, 0])
  }

  @Test func hashesOfManyShortTextsStillFit() throws {
    var assembler = BatchAssembler()
    var number = 0
    while !assembler.isFull {
      assembler.begin(.traceMarker, .instant, thread: 1, timeNanoseconds: Int64(number))
      for _ in 0..<BatchLimits.argumentsPerEventMax {
        assembler.add(.text, .string(String(number, radix: 36)))
        number += 1
      }
      assembler.endEvent()
    }
    let parts = try Self.redacted(assembler.batch)
    #expect(parts.reduce(0) { $0 + $1.count } == assembler.batch.count)
    for part in parts { #expect(part.strings.bytes.count <= BatchLimits.stringPoolBytesMax) }
    #expect(parts.count > 1)
  }
}
