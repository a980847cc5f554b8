// Plays a timeline through the model and keeps what it said. Shared by the tests of this target.

import Testing
import TraceLifecycle
import TraceModel
import TraceNotation

/// The events of a timeline without its first line, and its header.
func read(_ text: String) -> (header: TraceHeader, batches: [EventBatch]) {
  var decoder = TimelineDecoder(requiresFirstLine: false)
  decoder.feed(Array(text.utf8).span)
  decoder.finish()
  var header = TraceHeader()
  var batches: [EventBatch] = []
  var batch = EventBatch()
  while true {
    switch decoder.next(into: &batch) {
    case .header(let read): header = read
    case .batch: batches.append(batch)
    case .problem(let problem): Issue.record("\(problem) in \(text)")
    case .remark, .stream, .needsInput: break
    case .end: return (header, batches)
    }
  }
}

/// A model after a timeline.
struct Walk {
  var model: LifecycleModel
  /// The states, from the first on, whenever they changed.
  var trail: [LifecycleState]
  /// What each event did, by ordinal; events that the model needn't see have none.
  var effects: [Int: LifecycleEffects] = [:]

  init(_ text: String, profile: Profile? = nil) {
    let (header, batches) = read(text)
    model = LifecycleModel(
      header: header, profile: profile ?? ProfileSelection(header: header).profile)
    trail = [model.state]
    apply(batches)
  }

  /// Goes on with more events; their ordinals begin anew.
  mutating func apply(_ text: String) { apply(read(text).batches) }

  private mutating func apply(_ batches: [EventBatch]) {
    for batch in batches {
      for index in 0..<batch.count {
        let event = batch.event(at: index)
        guard LifecycleModel.kinds.contains(event.kind) || model.needsEveryEvent else { continue }
        effects[event.ordinal] = model.apply(event, in: batch)
        if model.state != trail.last { trail.append(model.state) }
      }
    }
  }

  /// The states as their symbols, joined by blanks.
  var path: String { trail.map(\.symbol).joined(separator: " ") }

  /// What all events did together.
  var allEffects: LifecycleEffects { effects.values.reduce([]) { $0.union($1) } }

  func mayRun(_ seconds: Double) -> Bool { model.mayRun(at: Int64(seconds * 1e9)) }

  func run(_ seconds: Double) -> Double {
    Double(model.runTimeNanoseconds(at: Int64(seconds * 1e9))) / 1e9
  }

  func watchdog(_ seconds: Double) -> Double {
    Double(model.watchdogTimeNanoseconds(at: Int64(seconds * 1e9))) / 1e9
  }
}

/// Pieces of timelines; times are relative, so that pieces can be joined.
enum Piece {
  static let header = "header os_version=8.0 sdk_linked=8.0 background_modes=[]\n"
  static let launch = """
    0s proc.start into=foreground
    +1ms delegate.did_finish_launching for 1ms
    +1ms delegate.did_become_active for 1ms

    """
  static let backgroundLaunch = """
    0s proc.start into=background
    +1ms delegate.did_finish_launching for 1ms

    """
  static let toInactive = "+1ms >delegate.will_resign_active\n+1ms <delegate.will_resign_active\n"
  static let enter = "+1ms >delegate.did_enter_background\n+1ms <delegate.did_enter_background\n"
  static let toBackground = toInactive + enter
  static let comeBack = """
    +1ms >delegate.will_enter_foreground
    +1ms <delegate.will_enter_foreground
    +1ms delegate.did_become_active for 1ms

    """
  /// In the background since 0.0095 s after the launch, in round numbers: at 1 s.
  static let inBackground =
    header + launch + toInactive
    + "0.5s >delegate.did_enter_background\n1s <delegate.did_enter_background\n"
}
