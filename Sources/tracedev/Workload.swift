// A large trace for measurements: an app that is opened, used, left and suspended, over and over.

import ArgumentParser
import TraceIO
import TraceModel
import TraceNotation
import TraceTestSupport

/// Writes a deterministic workload as NDJSON to standard output.
struct Workload: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a workload of N events as NDJSON.")

  @Argument(help: "The number of events, about.")
  var events: Int

  @Option(help: "The seed.")
  var seed: UInt64 = 42

  @Flag(help: "Write the workload that speed and size are promised for; it has fewer events.")
  var reference = false

  func run() throws {
    if reference { return try writeReference() }
    var generator = WorkloadGenerator(seed: seed)
    var encoder = NDJSONEncoder()
    encoder.begin(WorkloadGenerator.header)
    var batch = EventBatch()
    while generator.eventCount < events {
      generator.session(until: events)
      generator.assembler.take(into: &batch)
      encoder.consume(batch)
      try write(&encoder.output)
    }
    encoder.end()
    try write(&encoder.output)
  }

  private func writeReference() throws {
    var encoder = NDJSONEncoder()
    encoder.begin(ReferenceWorkload.header)
    try write(&encoder.output)
    try ReferenceWorkload.make(count: events, seed: seed) { batch in
      encoder.consume(batch)
      try write(&encoder.output)
    }
  }

  private func write(_ output: inout [UInt8]) throws {
    var stream = OutputStream.standardOutput
    try stream.write(output)
    output.removeAll(keepingCapacity: true)
  }
}

/// Makes the events of the workload.
struct WorkloadGenerator {
  static let header: TraceHeader = {
    var header = TraceHeader()
    header[.appBundleID] = .string("com.example.workload")
    header[.osVersion] = .string("8.4.0")
    header[.sdkLinked] = .string("8.4")
    header[.multitaskingSupported] = .boolean(true)
    header[.backgroundModes] = .strings([])
    header[.coverage] = .strings(["*"])
    return header
  }()

  var assembler = BatchAssembler()
  private var random: SeededGenerator
  private var time: Int64 = 0
  private var token: Int64 = 1
  private var launched = false

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  var eventCount: Int { assembler.eventCount }

  private mutating func event(
    _ kind: EventKind, _ phase: Phase = .instant, thread: Int64 = 1,
    _ arguments: [(ArgumentName, ArgumentValue)] = []
  ) {
    time += Int64.random(in: 1_000...400_000, using: &random)
    assembler.begin(kind, phase, thread: thread, timeNanoseconds: time)
    for (name, value) in arguments { assembler.add(name, value) }
    assembler.endEvent()
  }

  private mutating func span(_ kind: EventKind, thread: Int64 = 1) {
    event(kind, .enter, thread: thread)
    event(kind, .return, thread: thread)
  }

  /// One stay in the foreground and one in the background, of at most 60,000 events.
  mutating func session(until limit: Int) {
    if !launched {
      launched = true
      event(.procStart, .instant, [(.into, .string("foreground"))])
      span(.delegateDidFinishLaunching)
    } else {
      event(.procResume, .instant, [(.inferred, .boolean(false))])
      span(.delegateWillEnterForeground)
    }
    span(.delegateDidBecomeActive)
    let count = min(50_000, max(0, limit - eventCount))
    for _ in 0..<count / 4 where assembler.batch.count < 60_000 { foregroundStep() }
    event(
      .bgtaskBegin, .instant,
      [(.token, .integer(token)), (.isInvalid, .boolean(false)), (.name, .string("save"))])
    span(.delegateWillResignActive)
    span(.delegateDidEnterBackground)
    span(.dataSave, thread: 3)
    event(.bgtaskEnd, .instant, thread: 3, [(.token, .integer(token))])
    token += 1
    event(.procSuspend, .instant, [(.inferred, .boolean(false))])
    time += 60_000_000_000
  }

  private mutating func foregroundStep() {
    switch UInt8.random(in: 0..<4, using: &random) {
    case 0:
      event(.glCall, .instant, thread: 7, [(.context, .integer(1)), (.kind, .string("draw"))])
    case 1: event(.uiTouch, .instant, [(.x, .integer(4)), (.y, .integer(8))])
    case 2:
      event(.workSpan, .enter, thread: 5, [(.class, .string("db")), (.label, .string("query"))])
      event(.workSpan, .return, thread: 5)
    default:
      event(.bgtaskBegin, .instant, thread: 2, [(.token, .integer(token))])
      event(.bgtaskEnd, .instant, thread: 2, [(.token, .integer(token))])
      token += 1
    }
  }
}
