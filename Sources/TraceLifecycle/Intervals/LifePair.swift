// Which events open something and which close it, apart from threads: tasks, connections, locks.
// A row here is all that another pair needs.

import TraceModel

/// Two kinds of events, or two words of one kind, that open and close one thing.
struct LifePair: Sendable {
  /// What tells an opening event from a closing one.
  enum Ends: Sendable {
    /// The first kind opens, the others close.
    case kinds(EventKind, [EventKind])
    /// An argument of the one kind says it: the first word opens, the others close.
    case words(EventKind, ArgumentName, String, [String])
    /// An enter opens, a return closes, and other kinds close too.
    case window(EventKind, [EventKind])
    /// The first kind opens with a number that grows, and is full of calls that open nothing; the
    /// other closes all up to its number, and a call that waits closes all of its context.
    case submits(EventKind, EventKind)
  }

  /// When a window is over that nobody closes.
  enum Patience: Sendable {
    /// With the process, or with the trace.
    case endless
    /// With a suspension, a callback of the life cycle, or after a while.
    case wakeUp
  }

  /// The value by which imported logs hide a token: it names nothing.
  static let hidden = ArgumentKey.text("<private>")

  let group: LifeTrackGroup
  let ends: Ends
  /// The argument that says what is opened; nil if only one can be open.
  let key: ArgumentName?
  /// The argument with a name for people.
  var name: ArgumentName?
  /// Whether there is a track for each name.
  var hasNamedTracks = false
  /// An argument that, when it has this value, says that nothing was opened.
  var unless: (name: ArgumentName, value: Bool)?
  /// What an event means that doesn't name what it opens.
  var standard: String?
  /// For windows: the words by which an instant opens and closes one.
  var words: (name: ArgumentName, opening: String, closing: String)?
  var patience = Patience.endless
  /// Whether what is open is the system's, and outlives the process.
  var outlivesProcess = false

  static let all: [LifePair] = [
    LifePair(
      group: .tasks, ends: .kinds(.bgtaskBegin, [.bgtaskEnd]), key: .token, name: .name,
      hasNamedTracks: true, unless: (.isInvalid, true)),
    LifePair(
      group: .system, ends: .window(.sysSwitcher, []), key: nil, outlivesProcess: true),
    LifePair(
      group: .system, ends: .window(.sysInterruption, []), key: nil, name: .kind,
      outlivesProcess: true),
    LifePair(
      group: .system, ends: .window(.wakeWindow, []), key: .id, name: .reason,
      patience: .wakeUp, outlivesProcess: true),
    LifePair(
      group: .system, ends: .words(.procAssertion, .op, "acquire", ["release", "invalidate"]),
      key: .id, name: .name),
    LifePair(group: .services, ends: .window(.voipCall, []), key: .id),
    LifePair(
      group: .services, ends: .window(.audioInterruption, []), key: nil, name: .kind,
      words: (.phase, "began", "ended")),
    LifePair(
      group: .services, ends: .window(.bgschedRun, [.bgschedComplete]), key: .identifier,
      name: .identifier),
    LifePair(
      group: .services, ends: .words(.audioPlay, .op, "start", ["stop"]), key: .stream),
    LifePair(
      group: .services, ends: .words(.audioRecord, .op, "start", ["stop"]), key: .stream),
    LifePair(
      group: .services, ends: .kinds(.locStart, [.locStop]), key: .service,
      standard: "standard"),
    LifePair(
      group: .services, ends: .words(.eaSession, .op, "open", ["close"]), key: .accessory,
      name: .accessory),
    LifePair(
      group: .services, ends: .words(.btSession, .op, "open", ["close"]), key: .peer,
      name: .peer),
    LifePair(
      group: .services, ends: .words(.newsDownload, .op, "start", ["finish", "error"]),
      key: .issue, name: .issue),
    LifePair(
      group: .services, ends: .kinds(.voipKeepaliveSet, [.voipKeepaliveClear]), key: nil,
      unless: (.accepted, false)),
    LifePair(
      group: .graphics, ends: .submits(.glCall, .glComplete), key: .submitId, name: .kind),
    LifePair(
      group: .graphics, ends: .kinds(.metalCommit, [.metalComplete]), key: .buffer, name: .kind),
    LifePair(
      group: .network, ends: .words(.netListen, .op, "open", ["close"]), key: .socket),
    LifePair(
      group: .network, ends: .words(.netConnect, .op, "open", ["close"]), key: .socket,
      name: .peer),
    LifePair(
      group: .network, ends: .words(.urlTask, .op, "start", ["finish", "error", "cancel"]),
      key: .task, name: .session),
    LifePair(
      group: .network, ends: .words(.bonjourService, .op, "start", ["stop"]), key: .service,
      name: .service),
    LifePair(
      group: .resources, ends: .kinds(.fileOpen, [.fileClose]), key: .handle, name: .path),
    LifePair(
      group: .resources, ends: .words(.fileLock, .op, "acquire", ["release"]), key: .lock,
      name: .kind),
    LifePair(
      group: .resources, ends: .words(.resUse, .op, "acquire", ["release"]), key: .resource,
      name: .resource),
    LifePair(
      group: .resources, ends: .words(.memCache, .op, "hold", ["drop"]), key: .cache,
      name: .class),
    LifePair(group: .resources, ends: .kinds(.workTimerStart, [.workTimerStop]), key: .timer),
    LifePair(group: .resources, ends: .kinds(.workQueryStart, [.workQueryStop]), key: .query),
    LifePair(
      group: .resources, ends: .kinds(.workQueueSuspend, [.workQueueResume]), key: .queue,
      name: .queue),
    LifePair(group: .services, ends: .kinds(.moviePlay, [.moviePause]), key: .id),
    LifePair(group: .services, ends: .kinds(.uiAlertShow, [.uiAlertDismiss]), key: .id),
  ]

  /// The place of a kind's pair; -1 if the kind is part of none.
  static func place(of kind: EventKind) -> Int {
    let number = Int(kind.rawValue)
    return number < places.count ? places[number] : -1
  }

  private static let places: [Int] = {
    var places = [Int](repeating: -1, count: Vocabulary.kinds.count + 1)
    for (place, pair) in all.enumerated() {
      let kinds: [EventKind] =
        switch pair.ends {
        case .kinds(let opening, let closing): [opening] + closing
        case .words(let kind, _, _, _): [kind]
        case .window(let kind, let closing): [kind] + closing
        case .submits(let opening, let closing): [opening, closing]
        }
      for kind in kinds { places[Int(kind.rawValue)] = place }
    }
    return places
  }()

  /// The group on whose track an event of a kind is a mark.
  static func group(of kind: EventKind) -> LifeTrackGroup {
    let number = Int(kind.rawValue)
    return number < groups.count ? groups[number] : .threads
  }

  private static let groups: [LifeTrackGroup] = {
    var groups = [LifeTrackGroup](repeating: .threads, count: Vocabulary.kinds.count + 1)
    for description in Vocabulary.kinds where description.shape != .span {
      groups[Int(description.kind.rawValue)] = groupsByNamespace[description.namespace] ?? .threads
    }
    return groups
  }()

  private static let groupsByNamespace: [String: LifeTrackGroup] = [
    "bgtask": .tasks, "sys": .system, "wake": .system, "trace": .system, "proc": .system,
    "exit": .system, "gl": .graphics, "metal": .graphics, "net": .network, "url": .network,
    "bonjour": .network, "audio": .services, "loc": .services, "voip": .services,
    "ea": .services, "bt": .services, "news": .services, "fetch": .services,
    "pushkit": .services, "callkit": .services, "bgsched": .services, "file": .resources,
    "res": .resources, "mem": .resources,
  ]
}
