// An event as the naive interpreter sees it: everything known of it stands in one plain struct.
// Nothing here may be shared with the monitors that the interpreter is compared with.

package import TraceLifecycle
package import TraceModel

/// An event of a trace, with what the life cycle says before and after it.
package struct NaiveEvent: Sendable {
  package var kind: EventKind
  /// The kind's name, which also tells kinds outside the vocabulary apart.
  package var name: String
  package var phase: Phase
  package var thread: Int64
  package var time: Int64
  /// By name; of several with one name the first.
  package var arguments: [String: ArgumentValue] = [:]

  package var stateBefore = LifecycleState.notRunning
  package var stateAfter = LifecycleState.notRunning
  /// The life cycle before the event was taken, and after it.
  package var modelBefore: LifecycleModel
  package var model: LifecycleModel
  package var runTime: Int64 = 0
  package var watchdogTime: Int64 = 0
  package var mayRun = true

  /// The number of the launch, after its end that of the one that ended; 1 before the first.
  package var launch = 1
  /// Whether the event is part of a launch that is being recorded; its last event is.
  package var isInLaunch = false
  package var beginsLaunch = false
  /// The event is the kill or exit that ends the launch.
  package var endsProcess = false
  /// The event is a start of the process that ends the launch before it without saying so.
  package var isNewStart = false
  /// The event is the `trace.end` that ends the launch under way.
  package var endsRecording = false
  /// The event is the return of a span that was not entered, of which nothing follows.
  package var isVoid = false
  package var isGap = false
  package var isMidLife = false
  package var resumes = false
  /// The number of the stretch in the background, and of that between two callbacks.
  package var background = 0
  package var inactive = 0

  /// Whether nothing of the launch under way is recorded past this event.
  var endsLaunch: Bool { endsProcess || isNewStart || endsRecording }
  var losesTrack: Bool { isGap || isMidLife }
  /// Whether events of a thread may be among those that were lost before.
  func mayLose(onThread other: Int64) -> Bool {
    guard kind == .traceLost, let thread = arguments["thread"] else { return losesTrack }
    switch thread {
    case .integer(let number): return number == other
    case .string(let text): return Int64(text).map { $0 == other } ?? true
    default: return true
    }
  }
  /// Whether it is the first event of a process in a trace that began without one: what the system
  /// and the recorder said before is all there is, but no loss.
  var isFirstSign: Bool { isMidLife && !isGap && launch == 1 && kind != .traceStart }
  var isClean: Bool { arguments["reason"] == .string("clean") }
  var shape: KindShape? { Vocabulary.description(of: kind)?.shape }
  var namespace: String { String(name.prefix { $0 != "." }) }
}

/// What became of a span.
package enum NaiveSpanEnd: Hashable, Sendable {
  /// The place of the return.
  case returned(Int)
  /// The return of an outer span came first, at this place.
  case crossed(Int)
  /// Events were lost while it was open.
  case lost(Int)
  case open
}

/// A stretch of suspension, as known at the end of the trace.
package struct NaiveSuspension: Sendable {
  /// The place of the event from which on the state was suspended.
  package var begin: Int
  package var inferredTime: Int64
  package var wasInferred: Bool
  /// The place and time of the event that is the suspension: of an inferred one that was seen
  /// later the seen one.
  package var start: Int
  package var startTime: Int64
  package var isInferred: Bool
  package var isConfirmed: Bool
  /// The place of the event that ended it.
  package var end: Int?
}

/// What tells one key from another. Equal whole numbers are equal whatever their type.
enum NaiveKey: Hashable, Sendable {
  case absent
  case whole(UInt64)
  case fraction(Double)
  case boolean(Bool)
  case text(String)
  case thread(Int64)
  /// What the event at this place opened without a key.
  case unnamed(Int)
  /// A key that no event has.
  case other

  var place: Int? {
    if case .unnamed(let place) = self { place } else { nil }
  }

  init(_ value: ArgumentValue?) {
    switch value {
    case nil: self = .absent
    case .integer(let number)?: self = .whole(UInt64(bitPattern: number))
    case .unsigned(let number)?: self = .whole(number)
    case .number(let number)?:
      if let integer = Int64(exactly: number) {
        self = .whole(UInt64(bitPattern: integer))
      } else if let unsigned = UInt64(exactly: number) {
        self = .whole(unsigned)
      } else {
        self = .fraction(number)
      }
    case .boolean(let truth)?: self = .boolean(truth)
    case .string(let text)?, .json(let text)?: self = .text(text)
    }
  }
}

/// A whole number by its digits.
struct NaiveDecimal: Comparable {
  private let isNegative: Bool
  private let digits: [Character]

  init(_ text: String) {
    isNegative = text.hasPrefix("-")
    digits = Array(text.drop { $0 == "-" })
  }

  static func < (left: NaiveDecimal, right: NaiveDecimal) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    let (small, large) = left.isNegative ? (right, left) : (left, right)
    if small.digits.count != large.digits.count { return small.digits.count < large.digits.count }
    return small.digits.lexicographicallyPrecedes(large.digits)
  }
}

extension ArgumentValue {
  var decimal: NaiveDecimal? {
    switch self {
    case .integer(let number): NaiveDecimal("\(number)")
    case .unsigned(let number): NaiveDecimal("\(number)")
    default: nil
    }
  }

  var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  var int64: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let number): Int64(exactly: number)
    default: nil
    }
  }
}

/// Every kill, exit and so on reads better with the name of its argument.
extension NaiveEvent {
  func text(_ name: String) -> String? {
    if case .string(let text)? = arguments[name] { text } else { nil }
  }

  func truth(_ name: String) -> Bool? {
    if case .boolean(let truth)? = arguments[name] { truth } else { nil }
  }
}

extension NaiveEvent {
  /// Takes over everything that holds after another event: this one changes nothing.
  mutating func stand(beside last: NaiveEvent) {
    isVoid = true
    stateBefore = last.stateAfter
    stateAfter = last.stateAfter
    modelBefore = last.model
    model = last.model
    runTime = model.runTimeNanoseconds(at: time)
    watchdogTime = model.watchdogTimeNanoseconds(at: time)
    mayRun = model.mayRun(at: time)
    launch = last.launch
    isInLaunch = last.isInLaunch && !last.endsLaunch
  }
}
