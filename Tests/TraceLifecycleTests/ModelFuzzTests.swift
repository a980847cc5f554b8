// Random events of every kind, with arguments of every type: nothing traps, and what the model says
// agrees with itself.

import Testing
import TraceLifecycle
import TraceModel
import TraceTestSupport

struct ModelFuzzTests {
  static let profiles: [Profile] = [.ios4, .ios8, .ios13, .scene]

  static func value(_ generator: inout SeededGenerator) -> ArgumentValue {
    let words = [
      "start", "stop", "acquire", "release", "background", "active", "attach", "prewarm",
      "heartbeat", "refresh", "denied", "available", "fetch", "<private>", "a",
    ]
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return .integer(Int64.random(in: .min ... .max, using: &generator))
    case 1, 2: return .integer(Int64.random(in: 0...3, using: &generator))
    case 3: return .unsigned(.max)
    case 4: return .number(.greatestFiniteMagnitude)
    case 5: return .boolean(Bool.random(using: &generator))
    case 6: return .json("[1]")
    default: return .string(words.randomElement(using: &generator) ?? "")
    }
  }

  @Test("any events in any order", arguments: 1...60)
  func anything(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let profile = Self.profiles.randomElement(using: &generator) ?? .ios8
    var model = LifecycleModel(header: TraceHeader(), profile: profile)
    let heard = Vocabulary.kinds.filter { LifecycleModel.kinds.contains($0.kind) }
    let isHostile = seed % 4 == 0
    var now: Int64 = 0
    var launches = 0
    for ordinal in 0..<600 {
      let pool = Int.random(in: 0..<5, using: &generator) == 0 ? Vocabulary.kinds : heard
      guard let description = pool.randomElement(using: &generator) else { continue }
      now =
        isHostile
        ? Int64.random(in: .min ... .max, using: &generator)
        : now + Int64.random(in: 0...3_000_000_000, using: &generator)
      var assembler = BatchAssembler()
      assembler.begin(
        description.kind, Phase.allCases.randomElement(using: &generator) ?? .instant,
        thread: Int64.random(in: 1...2, using: &generator), timeNanoseconds: now)
      for argument in description.arguments where Bool.random(using: &generator) {
        assembler.add(argument.name, Self.value(&generator))
      }
      assembler.endEvent()
      let batch = assembler.batch
      var event = batch.event(at: 0)
      event.ordinal = ordinal
      guard LifecycleModel.kinds.contains(event.kind) || model.needsEveryEvent else { continue }
      let before = model.state
      let ends = model.endsLaunch(event, in: batch)
      let effects = model.apply(event, in: batch)
      #expect(model.stateBefore == before)
      #expect(effects.contains(.stateChanged) == (model.state != before))
      #expect(!ends || effects.contains(.launchEnded))
      launches += effects.contains(.launchBegan) ? 1 : 0
      #expect(model.launchCount == launches)
      #expect((model.suspension != nil) == (model.state == .suspended), "seed \(seed)")
      if !isHostile { checkClocks(model, at: now, seed) }
      if Int.random(in: 0..<20, using: &generator) == 0 { model.refuteSuspension() }
    }
    model.endTrace(lastNanoseconds: now)
  }

  /// The end of the grace is the last moment at which the app may run.
  private func checkClocks(_ model: LifecycleModel, at now: Int64, _ seed: UInt64) {
    let run = model.runTimeNanoseconds(at: now)
    #expect(
      model.runTimeNanoseconds(at: now + 1_000) - run == (model.suspension == nil ? 1_000 : 0))
    #expect(
      model.watchdogTimeNanoseconds(at: now + 1_000) - model.watchdogTimeNanoseconds(at: now)
        >= model.runTimeNanoseconds(at: now + 1_000) - run)
    guard let end = model.graceEndNanoseconds(), end >= now, !model.needsEveryEvent else { return }
    #expect(model.mayRun(at: end), "seed \(seed)")
    #expect(!model.mayRun(at: end + 1), "seed \(seed)")
  }
}
