// What became of the lines of a log: which messages were understood, which patterns fitted, and
// why the others were ignored. Kept only when somebody asks. This file must not know any format.

/// The account of a log's lines.
public struct LineLedger: Sendable {
  /// A line that stands for others like it.
  public struct Sample: Hashable, Sendable {
    public var line: Int
    /// The beginning of the message.
    public var text: String
  }

  /// Lines of one sort.
  public struct Tally: Hashable, Sendable {
    public private(set) var count = 0
    public private(set) var samples: [Sample] = []

    mutating func add(_ message: Span<UInt8>, line: UInt32) {
      count += 1
      guard samples.count < LineLedger.samplesMax else { return }
      let text = message.extracting(first: LineLedger.sampleBytesMax)
      samples.append(Sample(line: Int(line), text: text.text(0..<text.count)))
    }
  }

  /// Why a line says nothing, in the order in which reports list it.
  public enum Reason: Int, CaseIterable, Sendable {
    case noPattern, notOfFormat, notUnderstood, notOfAnApp, repeated, unreadableField, noRoom

    /// The reason for people, as what follows "3 lines: ".
    public var words: String {
      switch self {
      case .noPattern: "neither a known message nor one of a pattern"
      case .notOfFormat: "no line of the format, and part of no message"
      case .notUnderstood: "begins like a known message, and doesn't go on like it"
      case .notOfAnApp: "a process of the system, or one that isn't known to be an app"
      case .repeated: "the same as a line within a millisecond of it"
      case .unreadableField: "fits a pattern, but a field isn't what its argument needs"
      case .noRoom: "more than can be kept"
      }
    }
  }

  /// A field of a pattern's lines that wasn't what its argument needs.
  public struct Unreadable: Hashable, Sendable {
    public var pattern: Int
    public var argument: Int
    public internal(set) var tally = Tally()
  }

  /// Samples kept of each sort.
  static let samplesMax = 3
  /// Bytes of a message that are shown.
  static let sampleBytesMax = 120
  /// Arguments for which unreadable texts are told apart.
  static let unreadableMax = 64

  /// Lines with something on them.
  public internal(set) var lineCount = 0
  /// Lines that go on with a message before them.
  public private(set) var joinedCount = 0
  /// By the place of the sort in ``FactKind``.
  private var messages: [UInt8: Tally] = [:]
  private var ignoredByReason: [Reason: Tally] = [:]
  /// By the pattern's place.
  private var fitting: [Int: Tally] = [:]
  public private(set) var unreadable: [Unreadable] = []
  /// Lines whose pattern is for other apps, by the pattern's place.
  public internal(set) var ofOtherApps: [Int: Int] = [:]

  /// An account of no lines.
  public init() {}

  /// Known messages that occur, each with its name.
  public var knownMessages: [(name: String, tally: Tally)] {
    messages.sorted { $0.key < $1.key }.compactMap { number, tally in
      FactKind(rawValue: number).map { ($0.words, tally) }
    }
  }

  /// Lines that were ignored, by reason.
  public var ignored: [(reason: Reason, tally: Tally)] {
    Reason.allCases.compactMap { reason in ignoredByReason[reason].map { (reason, $0) } }
  }

  /// The lines that fit the pattern at a place.
  public func lines(of pattern: Int) -> Tally { fitting[pattern] ?? Tally() }

  /// The numbers of all lines that stand for others and were understood.
  public var sampleLines: Set<Int> {
    var lines: Set<Int> = []
    for tally in messages.values { lines.formUnion(tally.samples.map(\.line)) }
    for tally in fitting.values { lines.formUnion(tally.samples.map(\.line)) }
    return lines
  }

  // MARK: Noting

  mutating func noteJoined() { joinedCount += 1 }

  mutating func note(_ kind: FactKind, _ message: Span<UInt8>, line: UInt32) {
    messages[kind.rawValue, default: Tally()].add(message, line: line)
  }

  mutating func noteFitting(_ pattern: Int, _ message: Span<UInt8>, line: UInt32) {
    fitting[pattern, default: Tally()].add(message, line: line)
  }

  mutating func noteIgnored(_ reason: Reason, _ message: Span<UInt8>, line: UInt32) {
    ignoredByReason[reason, default: Tally()].add(message, line: line)
  }

  mutating func noteUnreadable(
    _ pattern: Int, argument: Int, _ message: Span<UInt8>, line: UInt32
  ) {
    noteIgnored(.unreadableField, message, line: line)
    if let place = unreadable.firstIndex(where: {
      $0.pattern == pattern && $0.argument == argument
    }) {
      unreadable[place].tally.add(message, line: line)
    } else if unreadable.count < Self.unreadableMax {
      var row = Unreadable(pattern: pattern, argument: argument)
      row.tally.add(message, line: line)
      unreadable.append(row)
    }
  }
}

extension FactKind {
  /// What lines of the kind say, for people.
  var words: String {
    switch self {
    case .taskAnnounced: "background task about to begin"
    case .taskBegun: "background task begun"
    case .taskEndCalled: "background task ended, called"
    case .taskEndAccepted: "background task ended, accepted"
    case .taskEndRefused: "end of an unknown background task"
    case .taskHandlerCalled: "background task still open after its handler"
    case .taskOverdue: "background task open for over 30 s"
    case .deactivation: "reasons to be inactive"
    case .callback: "application callback"
    case .flutterState: "application state of Flutter or React Native"
    case .suspension: "suspended or resumed"
    case .processState: "state of the process"
    case .exit: "end of a process"
    case .assertionAcquired: "assertion acquired"
    case .assertionReleased: "assertion let go of"
    case .assertionTimedOut: "assertion ended by the system"
    case .metalRefused: "Metal work refused"
    case .stateReport: "report of a process's state"
    case .sceneWarning: "warning about scenes"
    case .debugger: "sign of a debugger"
    case .simulator: "sign of a simulator"
    case .mapped: "line of a pattern"
    case .launchTold: "request to open an app, or its job"
    case .rightsTold: "what an app may do, or for how long"
    }
  }
}
