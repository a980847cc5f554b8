// What a timeline format is: a name, and a writer that takes a trace block by block and its
// findings one by one. Each format is a value in a file of its own.

public import TraceLifecycle
public import TraceModel
public import TraceRules

/// A form in which a trace can be looked at.
public struct TimelineFormat: Sendable {
  /// The name for `--to`, and the extension of files: `html`.
  public let name: String
  public let mediaType: String
  /// What a person calls it.
  public let title: String
  /// The traces that one timeline shows: two where they can be compared.
  public let tracesMax: Int
  public let makeWriter: @Sendable (TimelineContext) -> any TimelineWriter

  init<Sink: TimelineSink>(
    name: String, mediaType: String, title: String, tracesMax: Int = 1,
    makeSink: @escaping @Sendable (TimelineContext) -> Sink
  ) {
    self.name = name
    self.mediaType = mediaType
    self.title = title
    self.tracesMax = tracesMax
    makeWriter = { TimelineRun(sink: makeSink($0)) }
  }

  /// Every format, in the order in which help lists them.
  public static let all: [TimelineFormat] = [.html, .perfetto, .chrome, .svg, .text]

  /// The format with this name or extension; nil if there is none.
  public static func named(_ name: String) -> TimelineFormat? { all.first { $0.name == name } }
}

/// What a timeline needs to know beside the trace.
public struct TimelineContext: Sendable {
  /// The version of the program.
  public var toolVersion: String
  /// Columns of a text timeline; at least ``columnsMin``.
  public var columns: Int
  /// Whether a text timeline is drawn with ASCII characters only.
  public var usesASCII: Bool
  /// How two traces are compared, where differences are told.
  public var comparison = ComparisonTerms()

  /// The narrowest text timeline that can still be read, and the widest that makes sense.
  public static let columnsMin = 60
  public static let columnsMax = 1000

  public init(
    toolVersion: String, columns: Int = WrappedText.widthMax, usesASCII: Bool = false
  ) {
    self.toolVersion = toolVersion
    self.columns = min(Self.columnsMax, max(Self.columnsMin, columns))
    self.usesASCII = usesASCII
  }
}

/// What a rule says to somebody who looks at a finding.
public struct TimelineRuleText: Hashable, Sendable {
  /// What must hold.
  public var summary: String
  public var rationale: String
  public var consequence: String
  public var advice: String
  /// The limits that hold for the trace, in nanoseconds.
  public var limitsNanoseconds: [Int64]

  public init(
    summary: String, rationale: String, consequence: String, advice: String,
    limitsNanoseconds: [Int64]
  ) {
    self.summary = summary
    self.rationale = rationale
    self.consequence = consequence
    self.advice = advice
    self.limitsNanoseconds = limitsNanoseconds
  }
}

/// Which trace is shown.
public struct TimelineTrace: Sendable {
  /// The path of its capture as it is to be shown.
  public var path: String
  public var header: TraceHeader
  public var profile: Profile
  /// What the catalogue says about a rule; nil for an unknown rule.
  public var ruleText: @Sendable (String) -> TimelineRuleText?

  public init(
    path: String, header: TraceHeader, profile: Profile,
    ruleText: @escaping @Sendable (String) -> TimelineRuleText? = { _ in nil }
  ) {
    self.path = path
    self.header = header
    self.profile = profile
    self.ruleText = ruleText
  }

  /// What the trace is called: its app, or else its file.
  var title: String { header.string(.appBundleID) ?? path }
}

/// Turns traces and their findings into the bytes of one timeline.
///
/// After every call the caller takes what stands in ``output`` and empties it.
public protocol TimelineWriter {
  var output: [UInt8] { get set }
  /// Begins a trace.
  mutating func begin(_ trace: TimelineTrace)
  /// Takes the next block of the trace.
  mutating func consume(_ batch: EventBatch)
  /// The moment at which the last trace is aligned with others, on its clock; nil if it has none.
  var anchorNanoseconds: Int64? { get }
  /// Ends the trace, and takes its findings.
  mutating func endTrace(_ judgement: Judgement)
  /// Ends the timeline. Nothing may follow.
  mutating func end()
}

/// The part of a writer that knows one format: takes the intervals of a life and draws them.
protocol TimelineSink: LifeSink, SendableMetatype {
  var output: [UInt8] { get set }
  mutating func begin(_ trace: TimelineTrace)
  /// Sees a block before its intervals are told.
  mutating func look(in batch: EventBatch)
  /// The moment at which the last trace is aligned with others; nil if it has none.
  var anchorNanoseconds: Int64? { get }
  mutating func finding(_ finding: Finding)
  /// All of the trace has been told. Times that hold no event are nil.
  mutating func endTrace(_ judgement: Judgement)
  mutating func end()
}

extension Finding {
  /// Whether it is about the header, and not about anything that happened at some time.
  var isAboutHeader: Bool { launch == 0 && witness.isEmpty }

  /// The time at which it is listed, for people.
  func shownTime(relative: Int64) -> String {
    isAboutHeader ? "header" : TimeText.exact(relative)
  }
}

extension TimelineSink {
  mutating func look(in batch: EventBatch) {}
  var anchorNanoseconds: Int64? { nil }
}

/// A writer: the walk over the events, and a sink that draws what it finds.
private struct TimelineRun<Sink: TimelineSink>: TimelineWriter {
  var sink: Sink
  private var intervals: LifeIntervals?

  init(sink: Sink) { self.sink = sink }

  var output: [UInt8] {
    get { sink.output }
    _modify { yield &sink.output }
  }

  mutating func begin(_ trace: TimelineTrace) {
    intervals = LifeIntervals(header: trace.header, profile: trace.profile)
    sink.begin(trace)
  }

  mutating func consume(_ batch: EventBatch) {
    sink.look(in: batch)
    intervals?.consume(batch, into: &sink)
  }

  var anchorNanoseconds: Int64? { sink.anchorNanoseconds }

  mutating func endTrace(_ judgement: Judgement) {
    intervals?.finish(into: &sink)
    for finding in judgement.findings { sink.finding(placed(finding)) }
    intervals = nil
    sink.endTrace(judgement)
  }

  /// The finding at its place on the timeline. One about the header has no time of its own and
  /// stands at the first event; others move with their launch.
  private func placed(_ finding: Finding) -> Finding {
    var finding = finding
    if finding.isAboutHeader {
      finding.timeNanoseconds = intervals?.firstNanoseconds ?? 0
      finding.lastTimeNanoseconds = finding.timeNanoseconds
      return finding
    }
    let shift = intervals?.shiftNanoseconds(ofLaunch: finding.launch) ?? 0
    if shift == 0 { return finding }
    finding.timeNanoseconds = finding.timeNanoseconds.plus(shift)
    finding.lastTimeNanoseconds = finding.lastTimeNanoseconds.plus(shift)
    finding.launchStartNanoseconds = finding.launchStartNanoseconds?.plus(shift)
    for place in finding.witness.indices {
      let time = finding.witness[place].timeNanoseconds
      finding.witness[place].timeNanoseconds = time.plus(shift)
    }
    return finding
  }

  mutating func end() { sink.end() }
}
