// Random lives of apps: no sense, every kind that the rules listen to, in any order. Whatever
// they hold, a judgement must not depend on how the trace was cut, and nothing may trap.

import TraceCatalogue
import TraceFormat
import TraceModel
import TraceRules
import TraceTestSupport

/// Judges random lives in several forms.
enum RandomLives {
  private static let kinds: [EventKind] = [
    .procStart, .procKill, .procExit, .procSuspend, .procResume, .traceStart, .traceEnd,
    .traceLost, .traceClockSync, .delegateDidFinishLaunching, .delegateDidBecomeActive,
    .delegateWillResignActive, .delegateDidEnterBackground, .delegateWillEnterForeground,
    .delegateWillTerminate, .sceneWillConnect, .sceneDidBecomeActive, .sceneDidEnterBackground,
    .sceneWillEnterForeground, .bgtaskBegin, .bgtaskEnd, .bgtaskExpire, .workSpan, .dataSave,
    .workSample, .workTimerFire, .glCall, .glContextCreate, .sysLock, .sysUnlock, .uiTouch,
    .wakeWindow, .completionCall, .delegatePerformFetch, .audioPlay, .locStart, .traceMarker,
    .stateApplication, .netIo,
  ]

  /// A life of up to 80 events, and whether its judgements agree; nil if they do.
  static func disagreement(seed: UInt64) -> String? {
    var random = SeededGenerator(seed: seed)
    let (header, events) = life(&random)
    let whole = judge(header, events, eventsPerBatch: .max)
    for size in [1, 3, 7] {
      let cut = judge(header, events, eventsPerBatch: size)
      if cut != whole {
        return "seed \(seed): blocks of \(size) give \(brief(cut)) instead of \(brief(whole))"
      }
    }
    for (form, columnEventsMin) in [("columns", 1), ("rows", Int.max)] {
      let stored = judgeStored(header, events, columnEventsMin: columnEventsMin)
      if stored != whole {
        return "seed \(seed): stored as \(form) it gives \(brief(stored)), not \(brief(whole))"
      }
    }
    return nil
  }

  /// Judges what comes out of the binary format.
  private static func judgeStored(
    _ header: TraceHeader, _ events: EventBatch, columnEventsMin: Int
  ) -> Judgement {
    var encoder = LctraceEncoder(codec: .stored, columnEventsMin: columnEventsMin)
    encoder.begin(header)
    encoder.consume(events)
    encoder.end()
    var decoder = LctraceDecoder(codec: .stored)
    decoder.feed(encoder.output.span)
    decoder.finish()
    var checker = Checker(header: TraceHeader(), options: CheckOptions())
    var batch = EventBatch()
    while true {
      switch decoder.next(into: &batch) {
      case .header(let header): checker = Checker(header: header, options: CheckOptions())
      case .batch: checker.consume(&batch)
      case .end: return checker.finish(isDamaged: false)
      default: break
      }
    }
  }

  private static func brief(_ judgement: Judgement) -> String {
    let findings = judgement.findings.map {
      "\($0.rule) \($0.reason ?? "") ×\($0.count) at \($0.timeNanoseconds) of launch \($0.launch), witness \($0.witness.map(\.ordinal))"
    }
    let unknown = judgement.verdicts.sorted { $0.key < $1.key }.map {
      "\($0.key) \($0.value.unknownReasons.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })"
    }
    return "\(findings), unknown \(unknown), \(judgement.quality.map { "\($0.id) \($0.count)" })"
  }

  private static func judge(
    _ header: TraceHeader, _ events: EventBatch, eventsPerBatch: Int
  ) -> Judgement {
    var checker = Checker(header: header, options: CheckOptions())
    var assembler = BatchAssembler()
    var batch = EventBatch()
    for index in 0..<events.count {
      assembler.copy(index, of: events)
      if assembler.batch.count >= eventsPerBatch || index == events.count - 1 {
        assembler.take(into: &batch)
        checker.consume(&batch)
      }
    }
    return checker.finish(isDamaged: false)
  }

  static func life(_ random: inout SeededGenerator) -> (TraceHeader, EventBatch) {
    var header = TraceHeader()
    let systems = ["3.2", "4.3", "5.1", "7.0", "8.1", "13.2", "15.0", "17.0"]
    header[.osVersion] = .string(systems.randomElement(using: &random) ?? "8.1")
    if Bool.random(using: &random) { header[.backgroundModes] = .strings(["audio", "fetch"]) }
    if UInt8.random(in: 0..<4, using: &random) == 0 { header[.sceneManifest] = .boolean(true) }
    if UInt8.random(in: 0..<9, using: &random) == 0 { header[.logLevels] = .strings(["error"]) }
    var assembler = BatchAssembler()
    var time: Int64 = 0
    for _ in 0..<Int.random(in: 1...80, using: &random) {
      step(&assembler, &time, &random)
    }
    return (header, assembler.batch)
  }

  private static func step(
    _ assembler: inout BatchAssembler, _ time: inout Int64, _ random: inout SeededGenerator
  ) {
    let steps: [Int64] = [0, 1_000_000, 40_000_000, 60_000_000, 1_000_000_000, 6_000_000_000]
    time += steps.randomElement(using: &random) ?? 0
    let isOdd = UInt8.random(in: 0..<40, using: &random) == 0
    let kind = kinds.randomElement(using: &random) ?? .traceMarker
    let isSpan = Vocabulary.description(of: kind)?.shape != .instant
    let phases: [Phase] = isSpan ? [.enter, .return, .enter, .return, .instant] : [.instant]
    assembler.begin(
      kind, phases.randomElement(using: &random) ?? .instant,
      thread: Int64.random(in: 1...3, using: &random),
      timeNanoseconds: isOdd ? time - 5_000_000_000 : time)
    let words: [(ArgumentName, [String])] = [
      (.cause, ["jetsam", "watchdog", "bgtask_expired"]), (.into, ["foreground", "background"]),
      (.reason, ["clean", "rotated", "attach", "resume_of_recording", "prewarm", "fetch"]),
      (.kind, ["draw", "state", "finish"]), (.class, ["save", "ui"]), (.by, ["app", "uikit"]),
      (.label, ["heartbeat", "profiler"]), (.op, ["start", "stop"]), (.scene, ["a", "b"]),
      (.value, ["active", "inactive", "background"]),
    ]
    for (name, texts) in words where Bool.random(using: &random) {
      assembler.add(name, .string(texts.randomElement(using: &random) ?? ""))
    }
    if UInt8.random(in: 0..<4, using: &random) != 0 {
      assembler.add(.token, .integer(Int64.random(in: 1...4, using: &random)))
    }
    if Bool.random(using: &random) {
      assembler.add(.inferred, .boolean(UInt8.random(in: 0..<3, using: &random) == 0))
    }
    if UInt8.random(in: 0..<12, using: &random) == 0 { assembler.add(.refused, .boolean(true)) }
    if Bool.random(using: &random) {
      assembler.add(.continuousNs, .integer(time))
      assembler.add(.uptimeNs, .integer(time / 2))
    }
    assembler.endEvent()
  }
}
