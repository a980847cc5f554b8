// A whole simulation: a seed and a scenario become a trace.

package import TraceModel

/// One session of an app on a simulated phone.
///
/// The same values give the same events on any machine.
package struct Simulation {
  package let seed: UInt64
  package let profile: SystemProfile
  package let parts: [AppPartName]
  package let steps: [ScenarioStep]
  private var fault: Fault?
  private let phoneRandom: SimulationRandom
  private let appSeed: UInt64

  /// - Parameters:
  ///   - seed: Decides everything that the other parameters leave open.
  ///   - profile: The system, instead of the scenario's or the seed's.
  ///   - parts: The parts of the app, instead of the scenario's or the seed's.
  ///   - scenario: What happens; if nil, what the seed says.
  package init(
    seed: UInt64, profile: SystemProfile? = nil, parts: [AppPartName]? = nil,
    scenario: Scenario? = nil
  ) {
    var random = SimulationRandom(seed: seed)
    // Drawn whether used or not, so that a choice doesn't change what follows.
    let anyProfile = random.choice(of: SystemProfile.allCases) ?? .ios8
    let scenarioRandom = random.split()
    phoneRandom = random.split()
    appSeed = random.next()
    self.seed = seed
    self.profile = profile ?? scenario?.profile ?? anyProfile
    let traits = SystemTraits(profile: self.profile)
    var drawn = RandomScenario(scenarioRandom, traits)
    let anyParts = drawn.parts()
    self.parts = (parts ?? scenario?.parts ?? anyParts).filter { $0.isUsable(on: traits) }
    steps = scenario?.steps ?? drawn.steps()
  }

  /// A session in which one thing goes wrong.
  package init(fault: Fault) throws(ScenarioError) {
    let scenario = try ScenarioText.parse(fault.script)
    self.init(seed: 1, profile: fault.profile, parts: fault.parts, scenario: scenario)
    self.fault = fault
  }

  /// The session as a scenario that gives it again with the same seed.
  package var scenario: Scenario {
    var scenario = Scenario()
    scenario.profile = profile
    scenario.parts = parts
    scenario.steps = steps
    return scenario
  }

  /// The app of the session, as it is at the start of a process.
  package func makeApp(lapses: Set<Lapse> = []) -> any AppModel {
    ComposedApp(parts: parts, seed: appSeed, lapses: lapses)
  }

  private var declaration: AppDeclaration {
    var declaration = AppDeclaration()
    for part in parts { part.declare(in: &declaration) }
    fault?.declare(&declaration)
    return declaration
  }

  /// The header of the trace.
  package var header: TraceHeader { declaration.header(on: SystemTraits(profile: profile)) }

  /// Runs the session.
  ///
  /// - Returns: How much time passed in it, in nanoseconds.
  /// - Throws: What the sink throws.
  @discardableResult
  package func run<Sink: TraceSink>(into sink: inout Sink) throws(Sink.Failure) -> Int64 {
    let (parts, appSeed, fault) = (parts, appSeed, fault)
    let phone = SimulatedPhone(
      profile: profile, declaration: declaration, random: phoneRandom
    ) {
      let app = ComposedApp(parts: parts, seed: appSeed, lapses: fault?.lapses ?? [])
      guard let fault, !fault.actions.isEmpty else { return app }
      return FaultyApp(app, fault.actions)
    }
    try sink.begin(header)
    phone.beginTrace()
    for step in steps {
      // Long waits are cut so that no more than a block or two wait for the sink.
      var wait = step.waitNanoseconds
      while wait > Self.sliceNanoseconds {
        phone.run(for: Self.sliceNanoseconds)
        wait -= Self.sliceNanoseconds
        try drain(phone, into: &sink, isEnd: false)
      }
      phone.perform(ScenarioStep(step.action, afterNanoseconds: wait))
      try drain(phone, into: &sink, isEnd: false)
    }
    phone.endTrace(waits: fault?.endsAtOnce != true)
    try drain(phone, into: &sink, isEnd: true)
    try sink.end()
    return phone.nowNanoseconds
  }

  private static let sliceNanoseconds = Int64.seconds(600)

  private func drain<Sink: TraceSink>(
    _ phone: SimulatedPhone, into sink: inout Sink, isEnd: Bool
  ) throws(Sink.Failure) {
    for block in phone.journal.take(isEnd: isEnd) { try sink.consume(block) }
  }
}

extension SimulatedPhone {
  /// How long a recording waits for the app to finish what it has begun.
  private static let endWaitNanoseconds = Int64.seconds(1_200)

  /// Ends the recording, if asked when the app has nothing open any more: a clean end with an open
  /// task means that nobody will ever see its end.
  func endTrace(waits: Bool) {
    let limit = nowNanoseconds + Self.endWaitNanoseconds
    while waits, isAlive, hasOpenWork, nowNanoseconds < limit { run(for: .seconds(1)) }
    run(for: .milliseconds(100))
    write(.traceEnd, .instant, [.reason: "clean"])
  }

  private var hasOpenWork: Bool {
    !facts.openTasks.isEmpty || !facts.outstandingCompletions.isEmpty
      || facts.runningIdentifier != nil || (state == .background && traits.keepsApps)
  }
}
