// Every example of every rule, as it stands and under changes that mustn't matter.

import Synchronization
import Testing
import TraceFormat
import TraceModel
import TraceNotation
import TraceTestSupport

@testable import TraceCatalogue
@testable import TraceRules

struct ExampleCase: CustomTestStringConvertible, Sendable {
  let rule: String
  let number: Int
  let example: RuleExample

  var testDescription: String { "\(rule) example \(number): \(example.remark)" }
  var document: String { example.document }
  /// An example is judged by its own rule only.
  var options: CheckOptions {
    var options = CheckOptions()
    options.rules = Catalogue.rules(matching: rule)
    return options
  }
  var startsWithLaunch: Bool {
    document.split(separator: "\n").first { $0.hasPrefix("+") || $0.first?.isNumber == true }?
      .contains("proc.start") == true
  }

  /// Evidence is left as it was found: to cut it down takes most of the time of a judgement, and
  /// changes neither what is found nor when.
  var quickOptions: CheckOptions {
    var options = options
    options.minimisesWitnesses = false
    return options
  }

  /// The judgement of the document as it stands, made once.
  func judged() -> Judgement {
    if let known = Self.judgements.withLock({ $0["\(rule) \(number)"] }) { return known }
    let judgement = TraceFixture(document).judge(options)
    Self.judgements.withLock { $0["\(rule) \(number)"] = judgement }
    return judgement
  }

  private static let judgements = Mutex<[String: Judgement]>([:])

  static let all = Catalogue.all.flatMap { rule in
    rule.examples.enumerated().map {
      ExampleCase(rule: rule.id, number: $0.offset + 1, example: $0.element)
    }
  }
  static let violating = all.filter {
    if case .violates = $0.example.expectation { true } else { false }
  }
}

/// Checks a judgement against an example's expectation; reasons are compared in order of time.
private func expect(
  _ judgement: Judgement, meets example: ExampleCase, _ comment: Comment,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let findings = judgement.findings.filter { $0.rule == example.rule }
  let unknown = judgement.verdicts[example.rule]?.unknown ?? 0
  switch example.example.expectation {
  case .holds:
    #expect(findings.map(\.message) == [], comment, sourceLocation: sourceLocation)
    #expect(unknown == 0, comment, sourceLocation: sourceLocation)
  case .violates(let reasons):
    #expect(findings.map(\.reason) == reasons, comment, sourceLocation: sourceLocation)
    #expect(unknown == 0, comment, sourceLocation: sourceLocation)
    if let severities = example.example.severities {
      #expect(findings.map(\.severity) == severities, comment, sourceLocation: sourceLocation)
    }
  case .unknown:
    #expect(findings.map(\.message) == [], comment, sourceLocation: sourceLocation)
    #expect(unknown > 0, comment, sourceLocation: sourceLocation)
  }
}

struct ExampleTests {
  @Test(arguments: ExampleCase.all)
  func asItStands(_ example: ExampleCase) {
    let judgement = example.judged()
    expect(judgement, meets: example, "as it stands")
    for finding in judgement.findings {
      #expect(!finding.message.contains("{"), "unfilled field: \(finding.message)")
      #expect(!finding.message.contains(MessageTemplate.absent), "\(finding.message)")
    }
  }

  @Test(arguments: ExampleCase.violating)
  func marksTheLine(_ example: ExampleCase) {
    let lines = example.document.split(separator: "\n", omittingEmptySubsequences: false)
    let marked = lines.indices.filter { lines[$0].hasSuffix("# here") }.map { UInt32($0 + 1) }
    let findings = TraceFixture(example.document).judge(example.quickOptions).findings
      .filter { $0.rule == example.rule }
    #expect(marked.count == findings.count, "one mark per finding")
    for (mark, finding) in zip(marked, findings) where finding.launch > 0 {
      #expect(finding.witness.contains { $0.line == mark }, "the marked line is a witness")
    }
  }

  @Test(arguments: ExampleCase.all)
  func shiftedInTime(_ example: ExampleCase) {
    for shift: Int64 in [3_600_000_000_000, -86_400_000_000_001] {
      let fixture = TraceFixture(example.document).rebuilt { assembler, batch, index in
        assembler.copy(
          index, of: batch, timeNanoseconds: batch.timesNanoseconds[index] + shift)
      }
      expect(fixture.judge(example.quickOptions), meets: example, "shifted by \(shift) ns")
    }
  }

  @Test(arguments: ExampleCase.all)
  func oneEventPerBlock(_ example: ExampleCase) {
    let whole = TraceFixture(example.document)
    let cut = whole.rebuilt(eventsPerBatch: 1) { assembler, batch, index in
      assembler.copy(index, of: batch)
    }
    #expect(cut.batches.count == whole.eventCount)
    #expect(cut.judge(example.options) == example.judged())
  }

  @Test(arguments: ExampleCase.all)
  func unlistedEventsBetween(_ example: ExampleCase) {
    let fixture = TraceFixture(example.document).rebuilt { assembler, batch, index in
      assembler.copy(index, of: batch)
      let noise = assembler.kind(named: "x.noise")
      assembler.begin(noise, .instant, thread: 77, timeNanoseconds: batch.timesNanoseconds[index])
      assembler.add(assembler.argumentName("why"), .string("nobody listens"))
      assembler.endEvent()
    }
    expect(fixture.judge(example.quickOptions), meets: example, "with noise between the events")
  }

  @Test(arguments: ExampleCase.all.filter(\.startsWithLaunch))
  func afterAHealthyLaunch(_ example: ExampleCase) {
    let fixture = TraceFixture(example.document)
    // What is healthy depends on the header: the first of these lives that the rule lets pass.
    let lives = [
      "\(Step.launch)\n+1s @2 work.span for 5ms id=1 class=ui\n\(Step.toBackground)\n"
        + "+60s proc.kill cause=jetsam",
      "\(Step.launch)\n+1s proc.kill cause=crash",
      "+0s proc.start into=foreground reason=user_icon\n+1s proc.kill cause=crash",
    ].map { TraceFixture(header: fixture.header, batches: TraceFixture($0).batches) }
    let isHealthy: (TraceFixture) -> Bool = {
      $0.judge(example.options).verdicts[example.rule] == nil
    }
    guard let healthy = lives.first(where: isHealthy) else { return }
    let later = fixture.rebuilt { assembler, batch, index in
      assembler.copy(
        index, of: batch, timeNanoseconds: batch.timesNanoseconds[index] + 600_000_000_000)
    }
    var joined = TraceFixture(header: fixture.header, batches: healthy.batches + later.batches)
    joined = joined.rebuilt { assembler, batch, index in assembler.copy(index, of: batch) }
    let judgement = joined.judge(example.quickOptions)
    expect(judgement, meets: example, "after a healthy launch")
    for finding in judgement.findings { #expect(finding.launch != 1) }
  }

  @Test(arguments: ExampleCase.all)
  func afterEncodingAndDecoding(_ example: ExampleCase) {
    let fixture = TraceFixture(example.document)
    let expected = fixture.judge(example.quickOptions)
    var encoders: [(any TraceEncoder, any CaptureDecoder)] = [
      (NDJSONEncoder(), NDJSONDecoder()),
      (TimelineEncoder(), TimelineDecoder()),
      (LctraceEncoder(codec: .stored), LctraceDecoder(codec: .stored)),
    ]
    for index in encoders.indices {
      let bytes = encoded(fixture, &encoders[index].0)
      let decoded = decoded(&encoders[index].1, bytes)
      let judgement = decoded.judge(example.quickOptions)
      #expect(withoutLines(judgement) == withoutLines(expected), "\(type(of: encoders[index].0))")
    }
  }

  private func encoded(_ fixture: TraceFixture, _ encoder: inout any TraceEncoder) -> [UInt8] {
    func run(_ encoder: inout some TraceEncoder) -> [UInt8] {
      do {
        try encoder.begin(fixture.header)
        for batch in fixture.batches { try encoder.consume(batch) }
        try encoder.end()
      } catch {
        Issue.record("\(error)")
      }
      return encoder.output
    }
    return run(&encoder)
  }

  private func decoded(_ decoder: inout any CaptureDecoder, _ bytes: [UInt8]) -> TraceFixture {
    func run(_ decoder: inout some CaptureDecoder) -> TraceFixture {
      TraceFixture(decoding: &decoder, bytes)
    }
    return run(&decoder)
  }

  private func withoutLines(_ judgement: Judgement) -> Judgement {
    var judgement = judgement
    for finding in judgement.findings.indices {
      for event in judgement.findings[finding].witness.indices {
        judgement.findings[finding].witness[event].line = 0
      }
    }
    return judgement
  }
}
