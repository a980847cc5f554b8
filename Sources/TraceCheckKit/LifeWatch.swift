// Follows the life of an app to its ends, and keeps what was going on then.
// This file must not know rules or how an end is told.

import TraceLifecycle
import TraceModel

/// How a process ended, and what the trace shows of the moments before.
struct Ending {
  enum Kind {
    case kill, exit
    /// Ends that the system counted.
    case counted
  }

  var kind: Kind
  var ordinal: Int
  var timeNanoseconds: Int64
  var line: UInt32
  /// The number of the launch that ended.
  var launch: Int
  var launchStartNanoseconds: Int64?
  var isMidLife = true
  var state = LifecycleState.unknown
  /// Background tasks that were open, by name or token.
  var openTasks: [String] = []
  /// Spans that were open, by the names of their kinds.
  var openSpans: [String] = []
  var openOmittedCount = 0
  /// The arguments of the event.
  var arguments: [String: ArgumentValue] = [:]

  func text(_ name: String) -> String? {
    if case .string(let text)? = arguments[name] { text } else { nil }
  }

  func number(_ name: String) -> Int64? {
    switch arguments[name] {
    case .integer(let number)?: number
    case .unsigned(let number)?: Int64(exactly: number)
    default: nil
    }
  }
}

extension Ending {
  /// What a measure tells of an end; nil if no event of the trace does.
  init?(_ measure: LifeMeasure) {
    guard case .termination(_, _, let words?) = measure.subject else { return nil }
    let kind: Kind =
      switch words.kind {
      case .exitImport: .counted
      case .procExit: .exit
      default: .kill
      }
    self.init(
      kind: kind, ordinal: words.ordinal, timeNanoseconds: measure.timeNanoseconds, line: 0,
      launch: measure.launch)
    arguments = words.texts.mapValues { .string($0) }
    if let code = words.code { arguments["code"] = .integer(code) }
  }
}

/// Follows one trace.
struct LifeWatch {
  /// Tasks and spans that are followed at once; more are none of one paragraph's business.
  private static let openMax = 256
  /// Of either, those that are named; the others are counted.
  private static let namedMax = 5
  /// Ends of one trace that are told.
  static let endingsMax = 1_000

  private(set) var endings: [Ending] = []
  private(set) var endingsOmittedCount = 0
  private var model: LifecycleModel
  private var tasks: [(token: String, name: String)] = []
  private var spans: [(kind: EventKind, name: String, thread: Int64)] = []

  init(header: TraceHeader) {
    model = LifecycleModel(header: header, profile: ProfileSelection(header: header).profile)
  }

  /// The launch under way, or the one that ended last.
  var launch: Launch? { model.launch }

  /// Takes the next event, in order of time.
  mutating func take(_ event: Event, _ batch: EventBatch) {
    let launchBefore = model.launch
    let effects = model.apply(event, in: batch)
    if effects.contains(.launchBegan) {
      tasks.removeAll()
      spans.removeAll()
    }
    switch event.kind {
    case .procKill: add(.kill, event, batch, launchBefore)
    case .procExit where !batch.isText(.by, "uikit_after_will_terminate", of: event):
      add(.exit, event, batch, launchBefore)
    case .exitImport where (batch.integer(.count, of: event) ?? 1) > 0:
      add(.counted, event, batch, launchBefore)
    case .bgtaskBegin: begin(event, batch)
    case .bgtaskEnd:
      let token = Self.text(batch.value(.token, of: event))
      if let place = tasks.lastIndex(where: { $0.token == token }) { tasks.remove(at: place) }
    default: follow(event, batch)
    }
  }

  private mutating func begin(_ event: Event, _ batch: EventBatch) {
    guard tasks.count < Self.openMax, batch.boolean(.isInvalid, of: event) != true else { return }
    let token = Self.text(batch.value(.token, of: event))
    let name = batch.text(.name, of: event).map { "“\($0)”" }
    tasks.append((token, name ?? (token.isEmpty ? "without a name" : token)))
  }

  private mutating func follow(_ event: Event, _ batch: EventBatch) {
    switch event.phase {
    case .instant: return
    case .enter:
      if spans.count < Self.openMax {
        spans.append((event.kind, batch.name(of: event.kind), event.thread))
      }
    case .return:
      let place = spans.lastIndex { $0.kind == event.kind && $0.thread == event.thread }
      if let place { spans.remove(at: place) }
    }
  }

  private mutating func add(
    _ kind: Ending.Kind, _ event: Event, _ batch: EventBatch, _ before: Launch?
  ) {
    guard endings.count < Self.endingsMax else {
      endingsOmittedCount += 1
      return
    }
    let launch = model.launch ?? before
    var ending = Ending(
      kind: kind, ordinal: event.ordinal, timeNanoseconds: event.timeNanoseconds,
      line: event.index < batch.lines.count ? batch.lines[event.index] : 0,
      launch: launch?.number ?? 1, launchStartNanoseconds: launch?.startNanoseconds,
      isMidLife: launch?.isMidLife ?? true)
    for argument in batch.arguments(at: event.index) where ending.arguments[argument.name] == nil {
      ending.arguments[argument.name] = argument.value
    }
    if kind != .counted {
      ending.state = model.stateBefore
      ending.openTasks = tasks.prefix(Self.namedMax).map(\.name)
      ending.openSpans = spans.prefix(Self.namedMax).map(\.name)
      ending.openOmittedCount =
        tasks.count + spans.count - ending.openTasks.count - ending.openSpans.count
      tasks.removeAll()
      spans.removeAll()
    }
    endings.append(ending)
  }

  private static func text(_ value: ArgumentValue?) -> String {
    switch value {
    case .integer(let number)?: "\(number)"
    case .unsigned(let number)?: "\(number)"
    case .string(let text)?: text
    case .number(let number)?: "\(number)"
    case .boolean(let flag)?: "\(flag)"
    case .json(let text)?: text
    case nil: ""
    }
  }
}
