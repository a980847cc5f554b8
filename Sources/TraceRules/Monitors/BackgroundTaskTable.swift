// The background tasks of one launch: which are open, and which were ended.
// This file must not know what is a violation.

import TraceLifecycle
import TraceModel

/// A task's token as it is compared: raw bits, whatever integer type carried them, or a text.
enum TaskToken: Hashable {
  case bits(UInt64)
  case text(String)

  /// The token of a `bgtask` event; nil if it is absent, or hidden by the log it came from.
  init?(_ event: Event, in batch: borrowing EventBatch) {
    guard let (type, bits) = batch.bits(.token, of: event) else { return nil }
    switch type {
    case .integer, .unsigned: self = .bits(bits)
    case .number:
      guard let whole = Int64(exactly: Double(bitPattern: bits)) else { return nil }
      self = .bits(UInt64(bitPattern: whole))
    case .string, .json:
      let text = batch.strings[Int(bits)]
      if text == "<private>" { return nil }
      self =
        if let bits = UInt64(text) {
          .bits(bits)
        } else if let bits = Int64(text) {
          .bits(UInt64(bitPattern: bits))
        } else {
          .text(text)
        }
    case .boolean: return nil
    }
  }

  var value: ArgumentValue {
    switch self {
    case .bits(let bits): bits <= UInt64(Int64.max) ? .integer(Int64(bits)) : .unsigned(bits)
    case .text(let text): .string(text)
    }
  }

  /// The token as rules compare keys.
  var key: InstanceKey {
    switch self {
    case .bits(let bits): InstanceKey(first: .bits(bits), second: .absent)
    case .text(let text): InstanceKey(first: .text(text), second: .absent)
    }
  }

  var text: String {
    switch self {
    case .bits(let bits): "\(bits)"
    case .text(let text): text
    }
  }
}

/// A task that was begun and not ended.
struct OpenTask {
  var begin: PendingWitness
  /// The line of the begin in its capture; 0 if it has none.
  var line: UInt32
  /// The place of its name in the table's names; -1 if it has none.
  var name: Int
  var beginRunNanoseconds: Int64
  var isBeforeGap = false
  var expiry: PendingWitness?
  /// Something was told of it: the first reason wins.
  var wasTold = false
  /// The longest run time in one stay in the background, with the events that bound it.
  var longestBackgroundNanoseconds: Int64 = 0
  var longestBackgroundWitness: [WitnessEvent] = []

  /// Where it was begun.
  var moment: TaskMoment {
    TaskMoment(
      ordinal: begin.event.ordinal, timeNanoseconds: begin.event.timeNanoseconds,
      thread: begin.event.thread, line: line)
  }
}

/// Where a task was begun or ended, as far as evidence needs it.
struct TaskMoment {
  var ordinal: Int
  var timeNanoseconds: Int64
  var thread: Int64
  var line: UInt32

  /// The event as evidence.
  func witness(_ event: String, _ token: TaskToken, role: String) -> WitnessEvent {
    WitnessEvent(
      ordinal: ordinal, timeNanoseconds: timeNanoseconds, event: event, phase: .instant,
      thread: thread, role: role,
      arguments: [WitnessArgument(name: "token", value: token.value)], line: line)
  }
}

/// What is remembered of a task's end, or of an end without a task.
struct EndedTask {
  enum Verdict {
    case balanced
    /// An end without a begin that proves nothing.
    case unproven
    /// Something was told of the task already.
    case told
    /// Wrong ends that count further ones, by their place among all.
    case reported(Int)
  }

  var end: TaskMoment
  /// Where the task was begun that this end ended rightly; nil if there was none.
  var begin: TaskMoment?
  var name: Int
  var verdict: Verdict

  init(
    _ event: Event, in batch: borrowing EventBatch, begin: TaskMoment? = nil, name: Int,
    verdict: Verdict
  ) {
    end = TaskMoment(
      ordinal: event.ordinal, timeNanoseconds: event.timeNanoseconds, thread: event.thread,
      line: batch.lines.isEmpty ? 0 : batch.lines[event.index])
    self.begin = begin
    self.name = name
    self.verdict = verdict
  }

  /// The end as evidence.
  func witness(_ token: TaskToken) -> WitnessEvent {
    end.witness("bgtask.end", token, role: "first end")
  }
}

/// The tasks of a launch.
struct BackgroundTaskTable {
  /// Open tasks that may still be told of: an app has dozens, and the system allows about 1,000.
  static let openMax = 1_024
  /// Open tasks of which nothing will be told, remembered: as many as a hash table of 16,384 places
  /// holds.
  static let settledMax = 12_288
  /// Ended tasks, remembered: as many as a hash table of 65,536 places holds.
  static let endedMax = 49_152
  /// Bytes of one name, and of all names, remembered. A longer name is cut.
  private static let nameBytesMax = 256
  private static let namesBytesMax = 1 << 20

  /// Tasks that may still be told of.
  var open: [TaskToken: OpenTask] = [:]
  /// Open tasks of the system, and those of which something was told: the first reason wins.
  var settled: [TaskToken: OpenTask] = [:]
  var ended = TaskTokenTable<EndedTask>()
  /// Whether there were more tasks than can be followed, so that an unknown token proves nothing.
  private(set) var hasForgotten = false
  /// Ends in the order in which they came, some of them outdated.
  private var endedOrder: [(token: TaskToken, ordinal: Int)] = []
  private var endedHead = 0
  private var names = StringPool()

  mutating func removeAll() {
    open.removeAll(keepingCapacity: true)
    settled.removeAll(keepingCapacity: true)
    removeEnded()
    hasForgotten = false
    names.removeAll()
  }

  /// Takes note that nothing more will be told of an open task.
  mutating func settle(_ token: TaskToken, wasTold: Bool) {
    guard var task = open.removeValue(forKey: token) else { return }
    task.wasTold = wasTold
    settle(token, task)
  }

  /// Remembers an open task of which nothing will be told.
  mutating func settle(_ token: TaskToken, _ task: OpenTask) {
    if settled.count < Self.settledMax { settled[token] = task } else { hasForgotten = true }
  }

  /// Remembers an end; the oldest is forgotten when there are too many.
  mutating func remember(_ token: TaskToken, _ end: EndedTask) {
    if ended.count >= Self.endedMax {
      while endedHead < endedOrder.count {
        let oldest = endedOrder[endedHead]
        endedHead += 1
        if let old = ended[oldest.token], old.end.ordinal == oldest.ordinal {
          ended[oldest.token] = nil
          break
        }
      }
      hasForgotten = true
    }
    if endedHead > Self.endedMax {
      endedOrder.removeFirst(endedHead)
      endedHead = 0
    }
    ended[token] = end
    endedOrder.append((token, end.end.ordinal))
  }

  mutating func removeEnded() {
    ended.removeAll()
    endedOrder.removeAll(keepingCapacity: true)
    endedHead = 0
  }

  /// Removes an open task, told of or not.
  mutating func close(_ token: TaskToken) -> OpenTask? {
    open.removeValue(forKey: token) ?? settled.removeValue(forKey: token)
  }

  /// The place of an event's `name`; -1 if it has none, or there is no room.
  mutating func name(of event: Event, in batch: EventBatch) -> Int {
    guard let (type, bits) = batch.bits(.name, of: event), type == .string,
      names.bytes.count < Self.namesBytesMax
    else { return -1 }
    let range = batch.strings.range(at: Int(bits))
    return names.intern(
      batch.strings.bytes.span.extracting(
        range.lowerBound..<min(range.upperBound, range.lowerBound + Self.nameBytesMax)))
  }

  /// A task as people call it.
  func describe(_ token: TaskToken, name: Int) -> String {
    name >= 0
      ? "background task “\(names[name])” (token \(token.text))"
      : "background task \(token.text)"
  }

  /// A task as its fingerprint calls it.
  func subject(name: Int) -> String {
    name >= 0 ? "background task \(names[name])" : "background task"
  }

  /// Open tasks in the order in which they were begun.
  var openInOrder: [(token: TaskToken, task: OpenTask)] {
    open.map { ($0.key, $0.value) }
      .sorted { $0.task.begin.event.ordinal < $1.task.begin.event.ordinal }
  }
}
