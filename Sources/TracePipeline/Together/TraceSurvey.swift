// What of a trace must be known before it can be joined with others: who it is of, when it ran, its
// lives and their ends, and what others may tell too. This file must not know other traces.

import TraceExport
import TraceModel

/// A trace as one pass over it shows it.
struct TraceSurvey: Sendable {
  /// The end of a life of the process.
  struct End: Sendable {
    var ordinal: Int
    var timeNanoseconds: Int64
    /// As the capture prints it, of which other captures print the same.
    var shownNanoseconds: Int64
    var line: UInt32
    var isKill: Bool
    var arguments: [(name: String, value: ArgumentValue)]

    func text(_ name: String) -> String? {
      for argument in arguments where argument.name == name {
        if case .string(let text) = argument.value { return text }
      }
      return nil
    }

    /// How much the end explains.
    var rank: Int {
      let hasCode = arguments.contains { $0.name == "code" }
      if !isKill { return hasCode ? 2 : 1 }
      if (text("cause") ?? "unknown") != "unknown" { return hasCode ? 5 : 4 }
      return hasCode ? 3 : arguments.contains { $0.name == "signal" } ? 2 : 0
    }
  }

  /// One life of the process.
  struct Life: Sendable {
    var pid: Int64?
    /// Nil if the trace begins in its middle.
    var startNanoseconds: Int64?
    var lastNanoseconds: Int64
    /// The latest time as the capture prints it.
    var lastShownNanoseconds = Int64.min
  }

  /// Something that another trace may tell too.
  struct Mark: Sendable {
    var key: UInt64
    var kind: EventKind
    var isInferred: Bool
    /// As the capture prints it.
    var shownNanoseconds: Int64
    var ordinal: Int
    var line: UInt32
  }

  /// Where the trace stands: the source, and the place among the source's traces.
  var source = 0
  var index = 0
  /// The files that tell of its events.
  var files: [String] = []
  /// Of a source of several logs those that tell of its events, by their places; else none.
  private(set) var logs: Set<Int> = []
  /// Whether the app's own recorder wrote it.
  var isRecorded = false
  var header = TraceHeader()
  var remarks: [CaptureRemark] = []
  private(set) var eventCount = 0
  private(set) var firstNanoseconds: Int64?
  /// 0 as long as there is no event.
  private(set) var lastNanoseconds: Int64 = 0
  private(set) var lives: [Life] = []
  private(set) var ends: [End] = []
  private(set) var marks: [Mark] = []
  private(set) var clock = ClockMarks()
  private(set) var wallClock: WallAnchor?
  /// Whether the wall clock was set while the trace was recorded.
  private(set) var hasClockStep = false
  private var clockStepCount = 0
  /// Whether the device was restarted in the middle of the trace.
  private(set) var hasReboot = false
  /// Why the trace can't be joined; nil if nothing speaks against it.
  private(set) var refusal: String?
  /// When the recorder stopped; nil if it ran until the process ended.
  private(set) var recordingEndNanoseconds: Int64?
  /// Whether counts of ends are all it tells.
  private(set) var hasCounts = false
  private(set) var lineMax: UInt32 = 0

  private static let livesMax = 1_024
  private static let endsMax = 4_096
  /// Things that others may tell: as many as a log holds facts.
  private static let marksMax = 262_144
  static let remarksMax = 64
  /// A step of the wall clock that is none of its usual corrections.
  private static let stepNanoseconds: Int64 = 1_000_000_000
  private static let rebootNanoseconds: Int64 = 200_000_000

  init(_ header: TraceHeader) {
    self.header = header
    wallClock = header.origin.wallClock
    if header.origin.processID != nil {
      lives.append(
        Life(pid: header.origin.processID, startNanoseconds: nil, lastNanoseconds: .min))
    }
  }

  mutating func add(_ remark: CaptureRemark) {
    if remarks.count < Self.remarksMax { remarks.append(remark) }
  }

  /// What the trace is called.
  var name: String { files.joined(separator: " + ") }

  mutating func add(logs: Set<Int>) { self.logs.formUnion(logs) }

  /// Takes over what has become known of the app.
  mutating func amend(_ header: TraceHeader) {
    self.header = header
    guard let pid = header.origin.processID else { return }
    if lives.isEmpty {
      lives.append(Life(pid: pid, startNanoseconds: nil, lastNanoseconds: .min))
    } else if lives.count == 1, lives[0].startNanoseconds == nil {
      lives[0].pid = pid
    }
  }

  var view: ClockView {
    ClockView(
      wallClock: wallClock,
      resolutionNanoseconds: header.integer(.timestampResolutionNanoseconds) ?? 1,
      firstNanoseconds: firstNanoseconds ?? 0, lastNanoseconds: lastNanoseconds, marks: clock,
      endNanoseconds: ends.map(\.shownNanoseconds))
  }

  /// The time of the event at hand as the capture prints it: where a log's clock was set back, its
  /// events go on from where they were, and nobody else's clock does.
  private func shown(_ time: Int64) -> Int64 {
    let setBacks = header.origin.setBacksNanoseconds
    guard let last = setBacks.last else { return time }
    return time.minus(clockStepCount < setBacks.count ? setBacks[clockStepCount] : last)
  }

  var pids: Set<Int64> { Set(lives.compactMap(\.pid)) }

  mutating func take(_ batch: EventBatch) {
    for index in 0..<batch.count { take(batch.event(at: index), batch) }
    for line in batch.lines { lineMax = max(lineMax, line) }
  }

  private mutating func take(_ event: Event, _ batch: EventBatch) {
    let time = event.timeNanoseconds
    eventCount += 1
    if event.kind == .procStart || event.kind == .traceStart,
      firstNanoseconds != nil, time < lastNanoseconds.minus(Self.rebootNanoseconds)
    {
      hasReboot = true
    }
    lastNanoseconds = firstNanoseconds == nil ? time : max(lastNanoseconds, time)
    firstNanoseconds = min(firstNanoseconds ?? time, time)
    let line = event.index < batch.lines.count ? batch.lines[event.index] : 0
    switch event.kind {
    case .traceStart, .traceClockSync: sync(event, batch)
    case .traceClockStep:
      hasClockStep = true
      clockStepCount += 1
    case .traceEnd: recordingEndNanoseconds = time
    case .procStart:
      recordingEndNanoseconds = nil
      start(batch.integer(.pid, of: event), time)
    case .procKill, .procExit: end(event, batch, line)
    case .exitImport: hasCounts = true
    default:
      live(time)
      if Kinds.shared.isShared(event.kind) { mark(event, batch, line) }
    }
  }

  private mutating func sync(_ event: Event, _ batch: EventBatch) {
    guard let wall = batch.integer(.wallNs, of: event), wall > 0 else { return }
    let zero = wall.minus(event.timeNanoseconds)
    if let known = wallClock {
      if known.nanosecondsAtZero.minus(zero).magnitude > Self.stepNanoseconds.magnitude {
        hasClockStep = true
      }
    } else {
      wallClock = WallAnchor(nanosecondsAtZero: zero)
    }
  }

  private mutating func start(_ pid: Int64?, _ time: Int64) {
    // A header that knows the process speaks of the life that the trace begins with.
    if lives.count == 1, lives[0].startNanoseconds == nil, lives[0].lastNanoseconds == .min {
      lives[0].pid = pid ?? lives[0].pid
      lives[0].startNanoseconds = time
      lives[0].lastNanoseconds = time
      lives[0].lastShownNanoseconds = shown(time)
    } else if lives.count < Self.livesMax {
      lives.append(
        Life(
          pid: pid, startNanoseconds: time, lastNanoseconds: time,
          lastShownNanoseconds: shown(time)))
    } else {
      refusal = "it holds more than \(Self.livesMax) launches"
    }
  }

  private mutating func live(_ time: Int64) {
    if lives.isEmpty { lives.append(Life(pid: nil, startNanoseconds: nil, lastNanoseconds: time)) }
    let last = lives.count - 1
    lives[last].lastNanoseconds = max(lives[last].lastNanoseconds, time)
    lives[last].lastShownNanoseconds = max(lives[last].lastShownNanoseconds, shown(time))
  }

  private mutating func end(_ event: Event, _ batch: EventBatch, _ line: UInt32) {
    if lives.isEmpty {
      lives.append(Life(pid: nil, startNanoseconds: nil, lastNanoseconds: .min))
    }
    guard ends.count < Self.endsMax else {
      refusal = "it holds more than \(Self.endsMax) ends of processes"
      return
    }
    ends.append(
      End(
        ordinal: event.ordinal, timeNanoseconds: event.timeNanoseconds,
        shownNanoseconds: shown(event.timeNanoseconds), line: line,
        isKill: event.kind == .procKill, arguments: batch.arguments(at: event.index)))
  }

  private mutating func mark(_ event: Event, _ batch: EventBatch, _ line: UInt32) {
    guard event.phase != .return, let key = Kinds.shared.key(of: event, batch) else { return }
    let time = shown(event.timeNanoseconds)
    if Kinds.shared.isExact(event.kind) { clock.add(key, at: time) }
    guard marks.count < Self.marksMax else { return }
    marks.append(
      Mark(
        key: key, kind: event.kind, isInferred: batch.boolean(.inferred, of: event) == true,
        shownNanoseconds: time, ordinal: event.ordinal, line: line))
  }
}

/// Which kinds of events several captures may tell, and by what one event is known again.
struct Kinds: Sendable {
  static let shared = Kinds()

  private let sharedKinds: KindSet
  private let callbacks: KindSet

  private init() {
    let callbackKinds = Vocabulary.kinds.filter {
      $0.namespace == "delegate" || $0.namespace == "scene"
    }.map(\.kind)
    callbacks = KindSet(callbackKinds)
    sharedKinds = KindSet(
      callbackKinds + [
        .bgtaskBegin, .bgtaskEnd, .bgtaskExpire, .procSuspend, .procResume, .procAssertion,
      ])
  }

  func isShared(_ kind: EventKind) -> Bool { kind.isKnown && sharedKinds.contains(kind) }

  func isCallback(_ kind: EventKind) -> Bool { kind.isKnown && callbacks.contains(kind) }

  /// Whether captures stamp such an event at the same moment. States are seen later by one than
  /// by another.
  func isExact(_ kind: EventKind) -> Bool {
    kind == .bgtaskBegin || kind == .bgtaskEnd || kind == .procAssertion
  }

  /// What an event is known by; nil if nothing tells it from others of its kind.
  func key(of event: Event, _ batch: EventBatch) -> UInt64? {
    var hash = Self.mix(0x9E37_79B9_7F4A_7C15, UInt64(event.kind.rawValue))
    switch event.kind {
    case .bgtaskBegin, .bgtaskEnd, .bgtaskExpire:
      switch batch.value(.token, of: event) {
      case .integer(let token)?: hash = Self.mix(hash, UInt64(bitPattern: token))
      case .unsigned(let token)?: hash = Self.mix(hash, token)
      default: return nil
      }
    case .procAssertion:
      guard let id = batch.text(.id, of: event), let step = batch.text(.op, of: event) else {
        return nil
      }
      for byte in id.utf8 { hash = Self.mix(hash, UInt64(byte)) }
      for byte in step.utf8 { hash = Self.mix(hash, UInt64(byte)) }
    default: break
    }
    return hash
  }

  private static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    var mixed = (hash ^ value) &* 0xD6E8_FEB8_6659_FD93
    mixed ^= mixed >> 32
    return mixed
  }
}

/// Surveys the traces of one capture.
struct SurveyVisitor: CaptureVisitor {
  static let takesTracesAtOnce = true

  private(set) var traces: [TraceSurvey] = []
  private(set) var problems = JudgedCapture(path: "")
  /// The place of the trace that is told of.
  private var current = -1
  private var isStreamed = false
  private var earlyRemarks: [CaptureRemark] = []
  private let isRecorded: Bool
  private let source: Int
  /// The logs that are read, if they are several.
  private let logs: OpenLogs?

  init(source: Int, isRecorded: Bool, logs: OpenLogs? = nil) {
    self.source = source
    self.isRecorded = isRecorded
    self.logs = logs
  }

  mutating func begin(_ header: TraceHeader) {
    var survey = TraceSurvey(header)
    survey.source = source
    survey.index = traces.count
    survey.isRecorded = isRecorded
    for remark in earlyRemarks { survey.add(remark) }
    earlyRemarks.removeAll()
    if !isStreamed { current = traces.count }
    traces.append(survey)
  }

  mutating func consume(_ batch: EventBatch) {
    guard traces.indices.contains(current) else { return }
    traces[current].take(batch)
    if let logs { traces[current].add(logs: logs.places(tellingOf: Self.lines(of: batch))) }
  }

  /// The lines of a batch's events, but for those by which a capture speaks of itself.
  private static func lines(of batch: EventBatch) -> [UInt32] {
    var lines: [UInt32] = []
    for index in 0..<min(batch.count, batch.lines.count) {
      switch batch.templates[Int(batch.templateIndices[index])].kind {
      case .traceStart, .traceLost, .traceClockStep, .traceEnd: break
      default: lines.append(batch.lines[index])
      }
    }
    return lines
  }

  mutating func endTrace() {}

  mutating func stream(_ step: StreamStep) {
    switch step {
    case .trace(let number):
      isStreamed = true
      current = number
    case .amended(let header):
      if traces.indices.contains(current) { traces[current].amend(header) }
    case .ended: break
    }
  }

  mutating func problem(_ problem: InputProblem) { problems.add(problem) }

  mutating func remark(_ remark: CaptureRemark) {
    if !traces.indices.contains(current) {
      if earlyRemarks.count < TraceSurvey.remarksMax { earlyRemarks.append(remark) }
    } else {
      traces[current].add(remark)
    }
  }
}
