// Which part of the model a kind of event concerns: one look in a table, not many comparisons.
// This file must not know what the parts do.

import TraceModel

/// The parts of the model that an event of a kind concerns.
struct KindRole: Sendable {
  /// What the kind is among the reasons to run.
  enum Reason: Sendable {
    case none, task, service, window, span, moment, delegate, scene, touch
  }

  /// What the kind does to state, launch and clocks.
  enum Part: Sendable {
    case none, recorder, process, suspension, surroundings, callback
  }

  var reason = Reason.none
  var part = Part.none

  var isHeard: Bool { reason != .none || part != .none }

  /// By the kind's number; kinds from ``KindSet/otherBit`` on concern nothing.
  static let table: [KindRole] = {
    var roles = [KindRole](repeating: KindRole(), count: KindSet.otherBit)
    func set(_ kinds: [EventKind], _ reason: Reason, _ part: Part) {
      for kind in kinds { roles[Int(kind.rawValue)] = KindRole(reason: reason, part: part) }
    }
    func kinds(_ namespace: String) -> [EventKind] {
      Vocabulary.kinds.filter { $0.namespace == namespace }.map(\.kind)
    }
    set(kinds("delegate"), .delegate, .callback)
    set(kinds("scene"), .scene, .callback)
    set([.uiTouch], .touch, .callback)
    set(kinds("bgtask"), .task, .none)
    set(
      [.audioPlay, .audioRecord, .locStart, .locStop, .procAssertion, .completionCall],
      .service, .none)
    set([.wakeWindow, .voipCall, .bgschedRun, .bgschedExpire, .bgschedComplete], .window, .none)
    set(
      [
        .voipKeepalive, .locUpdate, .eaData, .btData, .audioCallback, .noteDeliver,
        .pushkitReceive,
      ], .span, .none)
    set([.audioInterruption], .moment, .none)
    set(kinds("trace").filter { $0 != .traceMarker }, .none, .recorder)
    set([.procStart, .procMain, .procExit, .procKill, .sysUserLaunch], .none, .process)
    set([.procSuspend, .procResume, .procCpu, .workSample], .none, .suspension)
    set(
      [
        .sysLock, .sysUnlock, .sysInterruption, .sysRefreshChanged, .stateRefreshStatus,
        .stateTimeRemaining, .stateApplication,
      ], .none, .surroundings)
    return roles
  }()

  static func of(_ kind: EventKind, in table: [KindRole]) -> KindRole {
    let place = Int(kind.rawValue)
    return place < table.count ? table[place] : KindRole()
  }
}
