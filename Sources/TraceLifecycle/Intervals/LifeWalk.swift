// The walk over events in order of time: asks the model of the life cycle, and hands each event to
// the part of the timeline that it belongs to.
// This file must not know how pairs are matched.

import TraceModel

/// What has been seen of a trace so far, and what is open.
struct LifeWalk: Sendable {
  /// What all events of a template have in common, looked up once per batch.
  private struct Shape {
    var name: Int
    /// The place of the thread; -1 if marks of the kind aren't on threads.
    var thread: Int
    /// The place of the kind's pair; -1: the kind is no part of a pair.
    var pair: Int
    /// The group of the kind's marks.
    var group: LifeTrackGroup
    var isHeard: Bool
    /// Whether an event of the kind shows that the process lives.
    var showsLife: Bool
  }

  /// From a launch on, what is added to times.
  struct Shift: Sendable {
    var launch: Int
    var nanoseconds: Int64
  }

  private(set) var firstNanoseconds: Int64?
  private(set) var lastNanoseconds: Int64?
  var model: LifecycleModel
  var names = StringPool()
  var trackCount = 0
  var spanCount = 0
  var lanes = LifeLanes()
  var stateSpan: LifeSpan?
  var launchSpan: LifeSpan?
  var sceneSpans: [(scene: ArgumentKey, stage: SceneTable.Stage, span: LifeSpan)] = []
  var openPairs: [LifePairKey: LifeOpening] = [:]
  var openingCount = 0
  /// The open pairs that the next suspension or callback ends, unless something closes them.
  var wakeUps: Set<LifePairKey> = []
  var openSubmits: [LifeSubmit] = []
  var threads: [LifeThread] = []
  var threadPlaces: [Int64: Int] = [:]
  private var mainThread: Int64
  private var shapes: [Shape?] = []
  /// One for each restart of the device.
  private(set) var shifts: [Shift] = []
  private var shiftNanoseconds: Int64 = 0
  /// Whether the last `trace.end` said that the recording is complete.
  private var endedClean = false
  /// Whether what is cut now might have ended soon.
  var isInterrupting = false
  /// The last event that shows that the process lived.
  private var aliveNanoseconds: Int64?

  init(header: TraceHeader, profile: Profile) {
    model = LifecycleModel(header: header, profile: profile)
    mainThread = model.mainThread
  }

  /// Takes events of a batch, in order of time.
  mutating func take<Sink: LifeSink>(
    _ batch: EventBatch, _ range: Range<Int>, into sink: inout Sink
  ) {
    if range.isEmpty { return }
    shapes.removeAll(keepingCapacity: true)
    for _ in batch.templates { shapes.append(nil) }
    for index in range {
      let read = batch.event(at: index)
      var event = read
      event.timeNanoseconds = read.timeNanoseconds.plus(shiftNanoseconds)
      if let last = lastNanoseconds, event.timeNanoseconds < last {
        restart(at: last, &event, &sink)
      }
      let templateIndex = Int(batch.templateIndices[index])
      let shape: Shape
      if let known = shapes[templateIndex] {
        shape = known
      } else {
        shape = self.shape(of: event, batch, &sink)
        shapes[templateIndex] = shape
      }
      if firstNanoseconds == nil { firstNanoseconds = event.timeNanoseconds }
      lastNanoseconds = event.timeNanoseconds
      if event.kind == .traceEnd { endedClean = batch.isText(.reason, "clean", of: event) }
      if shape.isHeard || model.needsEveryEvent { followModel(event, read, batch, &sink) }
      if shape.showsLife { aliveNanoseconds = event.timeNanoseconds }
      if event.kind == .traceLost { lose(event, batch, &sink) }
      let wasPair = shape.pair >= 0 && pair(event, LifePair.all[shape.pair], batch, &sink)
      if !wasPair { place(event, shape, batch, &sink) }
      if event.kind == .traceThread { nameThread(event, batch, &sink) }
    }
  }

  /// Ends the trace.
  mutating func end<Sink: LifeSink>(into sink: inout Sink) {
    guard let last = lastNanoseconds else { return }
    endProcess(at: last, isCut: true, &sink)
    isInterrupting = !endedClean
    endPairs(at: last, &sink) { _ in true }
  }

  // MARK: Life cycle

  private static let shiftsMax = 1_024

  /// The device was restarted: nothing is open any more, and times go on where they were.
  private mutating func restart<Sink: LifeSink>(
    at last: Int64, _ event: inout Event, _ sink: inout Sink
  ) {
    endProcess(at: aliveNanoseconds ?? .min, isCut: true, &sink)
    isInterrupting = true
    endPairs(at: last, &sink) { _ in true }
    isInterrupting = false
    shiftNanoseconds = shiftNanoseconds.plus(last.minus(event.timeNanoseconds))
    event.timeNanoseconds = last
    // More restarts than that aren't told apart by those who ask for one.
    if shifts.count == Self.shiftsMax { shifts.removeLast() }
    shifts.append(Shift(launch: model.launchCount + 1, nanoseconds: shiftNanoseconds))
  }

  /// Follows the model, which knows restarts by the clock as it was read.
  private mutating func followModel<Sink: LifeSink>(
    _ event: Event, _ read: Event, _ batch: EventBatch, _ sink: inout Sink
  ) {
    // Another start proves nothing about the time since the last sign of life.
    if model.endsLaunch(read, in: batch) {
      endProcess(at: aliveNanoseconds ?? .min, isCut: true, &sink)
    }
    let effects = model.apply(read, in: batch)
    if effects.contains(.launchEnded) { endProcess(at: event.timeNanoseconds, &sink) }
    if effects.contains(.launchBegan), model.isLaunched { beginLaunch(event, batch, &sink) }
    if let span = stateSpan, span.state != model.state {
      end(span, at: event.timeNanoseconds, &sink)
      stateSpan = nil
    }
    if stateSpan == nil, model.state != .notRunning {
      let track = lanes.track(.state, "", &trackCount, &sink)
      stateSpan = begin(
        track, depth: 0, name: number(of: model.state.title, &sink), model.state, event, batch,
        &sink)
    }
    if event.kind == .procSuspend || LifecycleMove(delegate: event.kind) != nil
      || LifecycleMove(scene: event.kind) != nil
    {
      noteWakeUpsOver(at: event.timeNanoseconds)
    }
    if LifecycleMove(scene: event.kind) != nil || event.kind == .sceneWillConnect
      || event.kind == .sceneDidDisconnect
    {
      followScenes(event, batch, &sink)
    }
    if model.mainThread != mainThread {
      let former = mainThread
      mainThread = model.mainThread
      for thread in [former, mainThread] { renameThread(thread, nil, &sink) }
    }
  }

  private mutating func beginLaunch<Sink: LifeSink>(
    _ event: Event, _ batch: EventBatch, _ sink: inout Sink
  ) {
    if let span = launchSpan { end(span, at: event.timeNanoseconds, &sink) }
    let track = lanes.track(.launches, "", &trackCount, &sink)
    let name = number(of: launchTitle(), &sink)
    launchSpan = begin(track, depth: 0, name: name, nil, event, batch, &sink)
  }

  private mutating func followScenes<Sink: LifeSink>(
    _ event: Event, _ batch: EventBatch, _ sink: inout Sink
  ) {
    for place in sceneSpans.indices.reversed() {
      let open = sceneSpans[place]
      let stage = model.scenes.stage(open.scene)
      if stage == open.stage { continue }
      endScene(open.span, at: event.timeNanoseconds, &sink)
      sceneSpans.remove(at: place)
      if let stage { beginScene(open.scene, stage, event, batch, &sink) }
    }
    let scene = batch.key(.scene, of: event)
    guard let stage = model.scenes.stage(scene), !sceneSpans.contains(where: { $0.scene == scene }),
      sceneSpans.count < Self.scenesMax
    else { return }
    beginScene(scene, stage, event, batch, &sink)
  }

  private static let launchesNamedMax = 1_000
  /// Scenes that are followed at once; the model follows more, an iPad shows a handful.
  private static let scenesMax = 64

  private mutating func beginScene<Sink: LifeSink>(
    _ scene: ArgumentKey, _ stage: SceneTable.Stage, _ event: Event, _ batch: EventBatch,
    _ sink: inout Sink
  ) {
    let track = lanes.track(.scenes, scene.title, &trackCount, &sink)
    // Scenes that share a track, as there are many, each have a row.
    guard let row = lanes.takeRow(of: track) else { return }
    let span = begin(
      track, depth: row, name: number(of: stage.state.title, &sink), stage.state, event, batch,
      &sink)
    sceneSpans.append((scene, stage, span))
  }

  private mutating func endScene<Sink: LifeSink>(
    _ span: LifeSpan, at nanoseconds: Int64, isCut: Bool = false, _ sink: inout Sink
  ) {
    lanes.freeRow(span.depth, of: span.track)
    end(span, at: nanoseconds, isCut: isCut, &sink)
  }

  /// Ends what lives no longer than the process.
  private mutating func endProcess<Sink: LifeSink>(
    at nanoseconds: Int64, isCut: Bool = false, _ sink: inout Sink
  ) {
    isInterrupting = !endedClean
    defer { isInterrupting = false }
    for place in threads.indices { cutSpans(of: place, at: nanoseconds, &sink) }
    for open in sceneSpans.reversed() {
      endScene(open.span, at: nanoseconds, isCut: isCut, &sink)
    }
    sceneSpans.removeAll()
    endPairs(at: nanoseconds, &sink) { !$0.outlivesProcess }
    for span in [stateSpan, launchSpan] {
      if let span { end(span, at: nanoseconds, isCut: isCut, &sink) }
    }
    stateSpan = nil
    launchSpan = nil
  }

  // MARK: Threads and marks

  private mutating func place<Sink: LifeSink>(
    _ event: Event, _ shape: Shape, _ batch: EventBatch, _ sink: inout Sink
  ) {
    var rowless: LifeRowless?
    if shape.group == .threads {
      switch event.phase {
      case .enter:
        if enter(event, shape.thread, name: shape.name, batch, &sink) { return }
        rowless = .begin
      case .return:
        if leave(event, shape.thread, name: shape.name, batch, &sink) { return }
      case .instant: break
      }
    }
    let track =
      shape.group == .threads
      ? threads[shape.thread].track.number : lanes.track(shape.group, "", &trackCount, &sink)
    sink.mark(
      LifeMark(
        track: track, name: shape.name, timeNanoseconds: event.timeNanoseconds,
        ordinal: event.ordinal, rowless: rowless),
      with: event, in: batch)
  }

  private mutating func shape<Sink: LifeSink>(
    of event: Event, _ batch: EventBatch, _ sink: inout Sink
  ) -> Shape {
    let group = LifePair.group(of: event.kind)
    return Shape(
      name: number(of: batch.name(of: event.kind), &sink),
      thread: group == .threads ? place(ofThread: event.thread, &sink) : -1,
      pair: LifePair.place(of: event.kind), group: group,
      isHeard: LifecycleModel.kinds.contains(event.kind), showsLife: Self.showsLife(event.kind))
  }

  /// Whether only a living process can bring forth events of a kind: the recorder and the system
  /// have events of their own, also those that come before a start.
  private static func showsLife(_ kind: EventKind) -> Bool {
    switch kind {
    case .traceMarker, .traceEnd: true
    case .privAuth, .localnoteFire, .exitImport, .wakeWindow: false
    default:
      !["trace", "sys"].contains(Vocabulary.description(of: kind)?.namespace ?? "")
    }
  }

  // MARK: Spans

  mutating func begin<Sink: LifeSink>(
    _ track: Int, depth: Int, name: Int, _ state: LifecycleState?, _ event: Event,
    _ batch: EventBatch, _ sink: inout Sink
  ) -> LifeSpan {
    let span = LifeSpan(
      number: spanCount, track: track, depth: depth, name: name, state: state,
      startNanoseconds: event.timeNanoseconds, endNanoseconds: event.timeNanoseconds,
      startOrdinal: event.ordinal)
    spanCount += 1
    sink.begin(span, with: event, in: batch)
    return span
  }

  mutating func end<Sink: LifeSink>(
    _ span: LifeSpan, at nanoseconds: Int64, isCut: Bool = false, _ sink: inout Sink
  ) {
    var span = span
    // A process may have lived no longer than it showed.
    span.endNanoseconds = max(span.startNanoseconds, nanoseconds)
    span.isCut = isCut
    span.isInterrupted = isCut && isInterrupting
    sink.end(span)
  }

  /// Ends a span with the event that tells so.
  func end<Sink: LifeSink>(
    _ span: LifeSpan, with event: Event, _ batch: EventBatch, _ sink: inout Sink
  ) {
    var span = span
    span.endNanoseconds = max(span.startNanoseconds, event.timeNanoseconds)
    sink.end(span, with: event, in: batch)
  }

  /// The number of a name, which is told if it is new.
  mutating func number<Sink: LifeSink>(of text: String, _ sink: inout Sink) -> Int {
    let count = names.count
    // Room is kept for the names of states, and for the one that stands for those beyond the limit.
    let isFull = count >= LifeIntervals.namesMax - Self.ownNames.count
    let shown = isFull && !Self.ownNames.contains(text) ? LifeIntervals.otherName : text
    let number = names.intern(shown)
    if names.count > count { sink.name(number, shown) }
    return number
  }

  private static let ownNames: Set<String> = {
    var names = Set(LifecycleState.allCases.map(\.title))
    names.insert(LifeIntervals.otherName)
    return names
  }()

  /// The name of a launch. Launches that many are not told apart.
  private func launchTitle() -> String {
    if model.launchCount > Self.launchesNamedMax { return "Launch" }
    let isAfterRestart = shifts.last?.launch == model.launchCount
    return "Launch \(model.launchCount)" + (isAfterRestart ? ", device restarted" : "")
  }
}

extension LifecycleState {
  /// What people call the state.
  public var title: String {
    switch self {
    case .notRunning: "not running"
    case .launchingForeground: "launching"
    case .launchingBackground: "launching in background"
    case .active: "active"
    case .resigning: "resigning active"
    case .inactive: "inactive"
    case .enteringBackground: "entering background"
    case .background: "background"
    case .suspended: "suspended"
    case .enteringForeground: "entering foreground"
    case .terminating: "terminating"
    case .unknown: "unknown"
    }
  }
}
