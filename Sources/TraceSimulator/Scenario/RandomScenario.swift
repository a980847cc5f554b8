// Sessions by chance: which app on which system, and what happens to it.
//
// Every seed first draws how likely each kind of step is, and makes many impossible (swarm
// weighting): a session of nothing but locks and wakes finds what a mixture of everything hides.

import TraceModel

/// Draws sessions.
struct RandomScenario {
  private var random: SimulationRandom
  private let traits: SystemTraits
  /// How many calls over the network there have been.
  private var calls = 0

  init(_ random: SimulationRandom, _ traits: SystemTraits) {
    (self.random, self.traits) = (random, traits)
  }

  /// Parts that the system has something for; each with the same chance, which differs by seed.
  mutating func parts() -> [AppPartName] {
    let chance = random.number(in: 2...5)
    return AppPartName.allCases.filter { $0.isUsable(on: traits) && random.isOne(in: chance) }
  }

  private static let longestWaitsMilliseconds: [Int64] = [4_000, 30_000, 200_000, 1_200_000]

  mutating func steps() -> [ScenarioStep] {
    let weights: [Int64] = Draw.allCases.map { _ in
      random.isOne(in: 3) ? 0 : random.number(in: 1...8)
    }
    let openChance = random.number(in: 3...16)
    let longest = random.choice(of: Self.longestWaitsMilliseconds) ?? 30_000
    var steps = [ScenarioStep(.open(reason: openReason()), afterNanoseconds: .milliseconds(100))]
    for _ in 0..<random.number(in: 4...40) {
      let wait = random.duration(fromMilliseconds: 120, to: longest)
      // Without coming back every session would be over after a few steps.
      if random.isOne(in: openChance) {
        steps.append(ScenarioStep(.unlock, afterNanoseconds: wait))
        steps.append(
          ScenarioStep(.open(reason: openReason()), afterNanoseconds: .milliseconds(700)))
      } else if let draw = drawn(weights) {
        append(draw, after: wait, to: &steps)
      }
    }
    return steps
  }

  private mutating func append(_ draw: Draw, after wait: Int64, to steps: inout [ScenarioStep]) {
    switch draw {
    case .cover, .coveredSwitcher:
      steps.append(ScenarioStep(action(draw), afterNanoseconds: wait))
      appendOverlap(draw, to: &steps)
    default:
      let repeats = draw == .wake ? random.number(in: 1...6) : 1
      for _ in 0..<repeats {
        steps.append(ScenarioStep(action(draw), afterNanoseconds: wait))
      }
    }
  }

  /// What happens while something lies over the app, and how that ends.
  private mutating func appendOverlap(_ draw: Draw, to steps: inout [ScenarioStep]) {
    for _ in 0..<random.number(in: 0...4) {
      let inside = random.choice(of: Self.overlapping) ?? .touch
      steps.append(
        ScenarioStep(
          action(inside), afterNanoseconds: random.duration(fromMilliseconds: 120, to: 8_000)))
    }
    let wait = random.duration(fromMilliseconds: 120, to: 8_000)
    if draw == .coveredSwitcher {
      steps.append(
        ScenarioStep(.switcher(leaves: random.isOne(in: 2)), afterNanoseconds: wait))
    }
    // Also of an interruption that began over the list of running apps.
    steps.append(
      ScenarioStep(
        .endInterruption(isAccepted: random.isOne(in: 3)), afterNanoseconds: .milliseconds(900)))
  }

  private static let overlapping: [Draw] = [
    .lock, .unlock, .wake, .wake, .wake, .banner, .memoryWarning, .notice, .home, .touch, .cover,
    .refresh, .jetsam,
  ]

  /// The kinds of steps that a healthy system takes.
  private enum Draw: CaseIterable {
    case home, switchApp, touch, lock, unlock, banner, forceQuit, memoryWarning, jetsam, switcher
    case interruption, purchase, wake, notice, refresh, cover, coveredSwitcher, prewarm, shutdown
  }

  private mutating func drawn(_ weights: [Int64]) -> Draw? {
    let sum = weights.reduce(0, +)
    guard sum > 0 else { return nil }
    var place = random.number(in: 0...sum - 1)
    for (draw, weight) in zip(Draw.allCases, weights) {
      place -= weight
      if place < 0 { return draw }
    }
    return nil
  }

  private mutating func openReason() -> String {
    random.choice(of: Self.openReasons) ?? "user_icon"
  }

  private static let openReasons = [
    "user_icon", "user_icon", "user_icon", "user_icon", "switcher", "open_url",
    "local_notification", "remote_notification", "unknown",
  ]

  private mutating func action(_ draw: Draw) -> ScenarioAction {
    switch draw {
    case .home: .home
    case .switchApp: .switchApp
    case .touch: .touch(count: random.number(in: 1...8))
    case .lock: .lock
    case .unlock: .unlock
    case .banner: .banner
    case .forceQuit: .forceQuit
    case .memoryWarning: .memoryWarning
    case .jetsam: .reclaim
    case .switcher: .switcher(leaves: random.isOne(in: 2))
    case .interruption: interruption()
    case .purchase: .purchase(dialogues: random.number(in: 1...3))
    case .wake: .wake(wakeReason())
    case .cover: .beginInterruption(kind: interruptionKind())
    case .coveredSwitcher: .openSwitcher
    case .prewarm: .prewarm
    case .shutdown: .shutdown
    case .notice: .notice(random.choice(of: Self.notices) ?? Self.notices[0])
    case .refresh:
      .refresh(
        random.choice(of: ["available", "available", "denied", "restricted"]) ?? "available")
    }
  }

  private static let notices = [
    "NSUserDefaultsDidChangeNotification", "NSCurrentLocaleDidChangeNotification",
    "UIApplicationSignificantTimeChangeNotification",
    "UIDeviceOrientationDidChangeNotification", "EAAccessoryDidDisconnectNotification",
  ]

  /// A server that calls without end isn't healthy: so many calls, wherever they come from, can
  /// be in five minutes.
  private static let callsMax = 12

  private mutating func wakeReason() -> WakeReason {
    let reasons = WakeReason.allCases.filter { reason in
      traits.knows(reason)
        && (calls < Self.callsMax || (reason != .pushkit && reason != .voipSocket))
    }
    let reason = random.choice(of: reasons) ?? .fetch
    if reason == .pushkit || reason == .voipSocket { calls += 1 }
    return reason
  }

  private mutating func interruptionKind() -> String {
    // What appears over an app from iOS 5 on didn't exist before.
    let kinds = ScenarioText.interruptionKinds.filter {
      traits.hasBanners || !["notification_center", "control_center", "siri"].contains($0)
    }
    return random.choice(of: kinds) ?? "phone_call"
  }

  private mutating func interruption() -> ScenarioAction {
    let kind = interruptionKind()
    let isAccepted =
      ["phone_call", "text_message", "alert_notification"].contains(kind) && random.isOne(in: 3)
    return .interruption(
      kind: kind, isAccepted: isAccepted,
      nanoseconds: random.duration(fromMilliseconds: 800, to: 30_000))
  }
}
