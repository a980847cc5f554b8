// Small random lives that speak of what a rule speaks of: its kinds, words, keys and thresholds.

package import TraceLifecycle
package import TraceModel
package import TraceRules

/// A seeded source of chance: SplitMix64, so that a number replays everything.
package struct NaiveGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
  mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int.random(in: list.indices, using: &self)]
  }
}

/// A random trace in order of time.
package struct RandomLife: Sendable {
  package var header = TraceHeader()
  package var profile = Profile.ios8
  package var batch = EventBatch()
  /// The same events in several batches.
  package var pieces: [EventBatch] = []
}

/// Makes random lives for one rule.
package struct RandomLifeMaker {
  private static let eventsMax = 60

  /// Where the life stands, as far as the maker cares.
  enum Stage { case ended, launching, active, background, suspended }

  let harvest: RuleHarvest
  let rule: Rule
  var random: NaiveGenerator
  var assembler = BatchAssembler()
  var times: [Int64] = []
  var now: Int64 = 0
  var stage = Stage.ended
  var openSpans: [(kind: EventKind, thread: Int64)] = []
  var usesScenes = false
  let kinds: [EventKind]

  package init(_ rule: Rule, seed: UInt64) {
    self.rule = rule
    harvest = RuleHarvest(rule)
    random = NaiveGenerator(seed: seed)
    var kinds: [EventKind] = []
    for pattern in harvest.patterns {
      if case .kinds(let own) = pattern.kinds { kinds += own }
      if case .appWork = pattern.kinds { kinds += [.workTimerFire, .traceMarker, .dataSave] }
    }
    self.kinds = kinds.isEmpty ? [.workSpan, .uiTouch] : kinds
  }

  package mutating func life() -> RandomLife {
    var life = RandomLife()
    life.header = header()
    life.profile = ProfileSelection(header: life.header).profile
    usesScenes = life.profile == .scene ? !random.chance(10) : random.chance(8)
    let count = Int.random(in: 5...Self.eventsMax, using: &random)
    begin()
    while assembler.batch.count < count { step() }
    end()
    assembler.take(into: &life.batch)
    life.pieces = pieces(of: life.batch)
    return life
  }

  private mutating func pieces(of batch: EventBatch) -> [EventBatch] {
    var pieces: [EventBatch] = []
    let percent = random.pick([2, 10, 50])
    for place in 0..<batch.count {
      assembler.copy(place, of: batch)
      guard random.chance(percent) || place == batch.count - 1 else { continue }
      pieces.append(EventBatch())
      assembler.take(into: &pieces[pieces.count - 1])
    }
    return pieces
  }

  // MARK: Beginning and end

  private mutating func begin() {
    if random.chance(10) { emit(.sysUserLaunch) }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: emit(.traceStart, with: [(.reason, .string("attach"))])
    case 1: stage = .active
    default:
      emit(.traceStart, with: [(.reason, .string("launch"))])
      launch()
    }
  }

  private mutating func end() {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: emit(.traceEnd, with: [(.reason, .string("clean"))])
    case 2: emit(.traceEnd, with: [(.reason, .string("rotated"))])
    case 3: kill()
    default: break
    }
  }

  private mutating func kill() {
    let own = (harvest.causes + harvest.causes).map { ArgumentValue.string($0) }
    let causes = [.string("watchdog"), .string("jetsam"), .string("crash")] + own
    let codes = [0x8bad_f00d] + harvest.codes
    var arguments: [(ArgumentName, ArgumentValue)] = []
    if !random.chance(20) {
      arguments.append((.cause, random.pick(causes + (harvest.words[.cause] ?? []))))
    }
    if random.chance(harvest.words[.code] == nil ? 30 : 80) {
      let values = codes.map { ArgumentValue.integer(Int64($0)) }
      arguments.append((.code, random.pick(values + (harvest.words[.code] ?? []))))
    }
    if random.chance(70) {
      emit(.procKill, with: arguments)
    } else {
      emit(.procExit, with: [(.by, .string(random.pick(["app", "app", "system"])))])
    }
    stage = .ended
  }

  private mutating func terminate() {
    if random.chance(50) {
      call(.delegateWillTerminate)
      while random.chance(50), assembler.batch.count < Self.eventsMax { speak() }
    }
    if random.chance(90) { kill() }
  }

  private mutating func launch() {
    openSpans.removeAll()
    let isBackground = random.chance(25)
    let reasons = ["user_icon", "fetch", "voip_socket", "location"]
    let reason = random.chance(4) ? "prewarm" : random.pick(reasons)
    emit(
      .procStart,
      with: [
        (.into, .string(isBackground ? "background" : "foreground")), (.reason, .string(reason)),
      ])
    call(.delegateDidFinishLaunching)
    stage = .launching
    if isBackground {
      stage = .background
    } else if !random.chance(20) {
      activate()
    }
  }

  // MARK: Steps

  private mutating func step() {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<58: speak()
    case ..<64: closeSpan()
    case ..<92: live()
    case ..<93: emit(.traceLost, with: loss())
    case ..<96: noise()
    default: sample()
    }
  }

  /// What a loss says: how much is missing, or of which thread.
  private mutating func loss() -> [(ArgumentName, ArgumentValue)] {
    if random.chance(30) { return [(.thread, .string(random.chance(50) ? "1" : "2"))] }
    return random.chance(50) ? [(.count, .integer(3))] : []
  }

  /// Something that the rule listens to.
  private mutating func speak() {
    if let pattern = harvest.patterns.randomElement(using: &random), random.chance(60),
      case .kinds(let own) = pattern.kinds, let kind = own.randomElement(using: &random)
    {
      emitAny(kind)
    } else {
      emitAny(random.pick(kinds))
    }
  }

  private mutating func noise() {
    let reasons: [EventKind] = [
      .bgtaskBegin, .bgtaskEnd, .audioPlay, .locStart, .locStop, .wakeWindow, .completionCall,
      .delegatePerformFetch, .procAssertion, .voipCall, .bgschedRun, .bgschedComplete,
    ]
    emitAny(
      harvest.wantsReasons || random.chance(30)
        ? random.pick(reasons) : random.pick(Vocabulary.kinds).kind)
  }

  private mutating func sample() {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: emit(.workSample, with: [(.label, .string("heartbeat"))])
    case 1: emit(.sysLock)
    case 2: emit(.sysUnlock)
    case 3:
      emit(
        .traceClockSync,
        with: [(.continuousNs, .integer(now)), (.uptimeNs, .integer(now - now / 3))])
    case 4: emit(.sysInterruption, random.chance(50) ? .enter : .return)
    default: emit(.uiTouch)
    }
  }

  private mutating func live() {
    switch stage {
    case .ended: launch()
    case .launching: activate()
    case .active:
      switch Int.random(in: 0..<9, using: &random) {
      case 0: terminate()
      case 1, 2:
        call(.delegateWillResignActive)
        if random.chance(60) { call(.delegateDidBecomeActive) }
      case 3 where random.chance(20): launch()
      default: leave()
      }
    case .background:
      switch Int.random(in: 0..<8, using: &random) {
      case 0: terminate()
      case 1, 2, 3: enterForeground()
      case 4 where random.chance(30): launch()
      default: suspend()
      }
    case .suspended:
      switch Int.random(in: 0..<8, using: &random) {
      case 0: kill()
      case 1: enterForeground()
      default: resume()
      }
    }
  }

  private mutating func activate() {
    if usesScenes && random.chance(50) { call(.delegateWillEnterForeground) }
    call(.delegateDidBecomeActive)
    stage = .active
  }

  private mutating func leave() {
    if !random.chance(10) { call(.delegateWillResignActive) }
    call(.delegateDidEnterBackground)
    stage = .background
  }

  private mutating func enterForeground() {
    call(.delegateWillEnterForeground)
    if random.chance(80) { call(.delegateDidBecomeActive) }
    stage = .active
  }

  private mutating func suspend() {
    let isInferred = random.chance(40)
    emit(.procSuspend, with: [(.inferred, .boolean(isInferred))])
    stage = .suspended
  }

  private mutating func resume() {
    emit(.procResume, with: [(.inferred, .boolean(random.chance(40)))])
    stage = .background
    if random.chance(30) {
      emit(
        .procCpu,
        with: [(.cpuNs, .integer(0)), (.windowNs, .integer(now))])
    }
  }
}

extension RandomLifeMaker {
  // MARK: Events

  /// A callback of the delegate, or of a scene in its place.
  private mutating func call(_ kind: EventKind) {
    var kind = kind
    var arguments: [(ArgumentName, ArgumentValue)] = []
    if usesScenes, let move = NaiveScenes.moves[kind], !random.chance(5) {
      kind = move.scene
      arguments = [(.scene, .string(random.chance(85) ? "a" : "b"))]
    }
    if random.chance(8) { return emit(kind, with: arguments) }
    emit(kind, .enter, with: arguments)
    while random.chance(25), assembler.batch.count < Self.eventsMax { speak() }
    if !random.chance(4) { emit(kind, .return, with: arguments) }
  }

  /// An event of a kind, at any end of it, with arguments that the rule may ask for.
  private mutating func emitAny(_ kind: EventKind) {
    guard let description = Vocabulary.description(of: kind) else { return }
    switch kind {
    case .procStart where stage != .ended: return live()
    case .procKill, .procExit: return random.chance(20) ? kill() : live()
    case .traceEnd, .traceStart, .traceLost: return
    default: break
    }
    let thread: Int64 = random.chance(60) ? 1 : random.pick([2, 3])
    if description.shape == .instant {
      return emit(kind, thread: thread, with: arguments(description))
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: emit(kind, thread: thread, with: arguments(description))
    case 1: emit(kind, .return, thread: thread, with: arguments(description))
    default:
      emit(kind, .enter, thread: thread, with: arguments(description))
      openSpans.append((kind, thread))
      if random.chance(50) { closeSpan() }
    }
  }

  private mutating func closeSpan() {
    guard !openSpans.isEmpty else { return }
    let place =
      random.chance(92)
      ? openSpans.count - 1 : Int.random(in: openSpans.indices, using: &random)
    let span = openSpans.remove(at: place)
    let description = Vocabulary.description(of: span.kind)
    let arguments = random.chance(40) ? description.map { self.arguments($0) } ?? [] : []
    emit(span.kind, .return, thread: span.thread, with: arguments)
  }

  private mutating func arguments(
    _ description: KindDescription
  ) -> [(ArgumentName, ArgumentValue)] {
    var arguments: [(ArgumentName, ArgumentValue)] = []
    for argument in description.arguments {
      let isKey = harvest.keys.contains(argument.name)
      let words = harvest.words[argument.name]
      let isAvoided = harvest.avoided.contains(argument.name)
      guard random.chance(isKey ? 92 : words == nil ? 35 : isAvoided ? 25 : 85) else { continue }
      if let words, !words.isEmpty, random.chance(isAvoided ? 30 : 88) {
        arguments.append((argument.name, random.pick(words)))
      } else {
        arguments.append((argument.name, value(argument.shape)))
      }
    }
    return arguments
  }

  private mutating func value(_ shape: ArgumentShape) -> ArgumentValue {
    switch shape {
    case .integer: .integer(random.pick([1, 1, 1, 1, 2, 2, 3]))
    case .token:
      random.chance(3)
        ? .string("<private>") : .integer(random.pick([1, 1, 1, 1, 2, 2, 3]))
    case .number:
      random.chance(50) ? .number(0.5) : .integer(Int64.random(in: 0...40, using: &random))
    case .boolean: .boolean(random.chance(50))
    case .string: .string(random.pick(["a", "a", "a", "a", "b", "b", "c"]))
    case .words(let words): .string(random.pick(words))
    }
  }

  private mutating func emit(
    _ kind: EventKind, _ phase: Phase = .instant, thread: Int64 = 1,
    with arguments: [(ArgumentName, ArgumentValue)] = []
  ) {
    advance()
    assembler.begin(kind, phase, thread: thread, timeNanoseconds: now)
    for (name, value) in arguments where assembler.canAddArgument { assembler.add(name, value) }
    assembler.endEvent()
    times.append(now)
  }

  /// On to the next event: often to exactly a threshold after an earlier one, or just past it.
  private mutating func advance() {
    let thresholds = harvest.thresholds.filter { $0 > 0 && $0 < 1 << 50 }.sorted()
    if random.chance(35), let before = times.suffix(8).randomElement(using: &random) {
      let limits = thresholds + thresholds + [50_000_000, 5_000_000_000, 30_000_000_000]
      let target = before + random.pick(limits) + random.pick([0, 0, 1, 1, -1, 2])
      if target >= now {
        now = target
        return
      }
    }
    let steps: [Int64] = [
      0, 1, 1_000_000, 40_000_000, 60_000_000, 300_000_000, 1_000_000_000, 6_000_000_000,
    ]
    now += random.pick(steps)
  }
}
