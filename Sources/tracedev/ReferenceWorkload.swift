// The reference workload in the vocabulary: what the draws are called, and what is between them.
// The sizes and speeds in the specification are measured on it.

import TraceModel

/// Names the drawn events, as batches.
struct ReferenceWorkload {
  static let header: TraceHeader = {
    var header = TraceHeader()
    header[.appBundleID] = .string("com.example.workload")
    header[.appVersion] = .string("1.0")
    header[.osVersion] = .string("8.4.0")
    header[.sdkLinked] = .string("8.4")
    header[.deviceModel] = .string("iPhone7,2")
    header[.multitaskingSupported] = .boolean(true)
    header[.exitsOnSuspend] = .boolean(false)
    header[.backgroundModes] = .strings(["audio", "fetch"])
    header[.coverage] = .strings(["*"])
    return header
  }()

  private static let lifecycle = [
    "will_finish_launching", "did_finish_launching", "will_resign_active", "did_become_active",
    "did_enter_background", "will_enter_foreground", "will_terminate",
    "did_receive_memory_warning",
  ]
  private static let classes = ["ui", "db", "housekeeping", "other"]
  private static let texts = ["com.example.", "sync.", "upload.", "ui.", "db."].flatMap { start in
    ["refresh", "prefetch", "thumbnail", "profile", "feed", "checkpoint", "avatar", "session"]
      .flatMap { middle in
        ["Task", "Controller", "Queue", "Worker", "Request"].map { start + middle + $0 }
      }
  }

  private var assembler = BatchAssembler()
  private var batch = EventBatch()
  private let body: (EventBatch) throws -> Void
  /// Nanoseconds of a tick of the clock, as a fraction.
  private let tick: (numerator: Int64, denominator: Int64)

  /// Makes the workload and hands it on in batches.
  ///
  /// - Parameters:
  ///   - count: Drawn events; some have no counterpart in the vocabulary.
  ///   - isPhoneClock: Whether times are those of a clock of 24 MHz.
  static func make(
    count: Int, seed: UInt64 = 42, isPhoneClock: Bool = false,
    _ body: @escaping (EventBatch) throws -> Void
  ) throws {
    var draws = ReferenceDraws(seed: seed)
    draws.run(count: count)
    var workload = ReferenceWorkload(body: body, tick: isPhoneClock ? (125, 3) : (1, 1))
    try workload.name(draws.events)
  }

  private init(
    body: @escaping (EventBatch) throws -> Void, tick: (numerator: Int64, denominator: Int64)
  ) {
    self.body = body
    self.tick = tick
  }

  private mutating func put(
    _ time: UInt64, _ name: String, _ phase: Phase = .instant, thread: Int = 0,
    _ arguments: [(String, ArgumentValue)] = []
  ) throws {
    if assembler.isFull { try take() }
    let ticks = Int64(time) * tick.denominator / tick.numerator
    assembler.begin(
      assembler.kind(named: name), phase, thread: Int64(thread + 1),
      timeNanoseconds: ticks * tick.numerator / tick.denominator)
    for (name, value) in phase == .return ? [] : arguments {
      assembler.add(assembler.argumentName(name), value)
    }
    assembler.endEvent()
  }

  private mutating func take() throws {
    assembler.take(into: &batch)
    try body(batch)
  }

  private mutating func name(_ events: [ReferenceEvent]) throws {
    guard let first = events.first else { return }
    try put(first.time - 2_000_000, "trace.start", .instant, [("reason", .string("launch"))])
    var isInBackground = false
    var isSuspended = false
    var last: UInt64 = 0
    var launchCount: Int64 = 0
    let inferred: [(String, ArgumentValue)] = [("inferred", .boolean(false))]
    for event in events {
      if isInBackground, !isSuspended, event.time - last > 5_000_000_000 {
        try put(last + 1_000_000_000, "proc.suspend", inferred)
        isSuspended = true
      }
      if event.phase == .enter, event.kind == 0 {
        try launch(event.time, &launchCount)
        (isInBackground, isSuspended) = (false, false)
      } else if event.phase == .enter, event.kind == 5 {
        if isSuspended { try put(event.time - 1_000_000, "proc.resume", inferred) }
        (isInBackground, isSuspended) = (false, false)
      } else if event.phase == .end, event.kind == 4 {
        isInBackground = true
      }
      last = event.time
      try put(event)
    }
    try put(last + 1_000_000, "trace.end", [("reason", .string("clean"))])
    try take()
  }

  private mutating func put(
    _ time: UInt64, _ name: String, _ arguments: [(String, ArgumentValue)]
  ) throws {
    try put(time, name, .instant, arguments)
  }

  private mutating func put(
    _ time: UInt64, _ name: String, _ phase: Phase, _ arguments: [(String, ArgumentValue)]
  ) throws {
    try put(time, name, phase, thread: 0, arguments)
  }

  private mutating func launch(_ time: UInt64, _ count: inout Int64) throws {
    if count > 0 {
      try put(
        time - 1_500_000, "proc.kill", [("signal", .integer(9)), ("cause", .string("jetsam"))])
    }
    try put(
      time - 1_000_000, "proc.start",
      [
        ("pid", .integer(400 + count)), ("launch_id", .integer(count + 1)),
        ("into", .string("foreground")), ("reason", .string("user_icon")),
      ])
    count += 1
  }

  private mutating func put(_ event: ReferenceEvent) throws {
    let phase: Phase =
      switch event.phase {
      case .instant: .instant
      case .enter: .enter
      case .end: .return
      }
    let isEnd = event.phase == .end
    let a = ArgumentValue.integer(Int64(event.arguments.0))
    let b = ArgumentValue.integer(Int64(event.arguments.1))
    let c = ArgumentValue.integer(Int64(event.arguments.2))
    func text(_ number: UInt32) -> ArgumentValue {
      .string(Self.texts[Int(number) % Self.texts.count])
    }
    let no = ArgumentValue.boolean(false)
    let one = ArgumentValue.integer(1)
    let kind = event.kind
    func say(
      _ name: String, _ arguments: [(String, ArgumentValue)] = [], phase: Phase = phase
    ) throws {
      try put(event.time, name, phase, thread: event.thread, arguments)
    }
    switch kind {
    case 0..<8: try say("delegate.\(Self.lifecycle[kind])")
    case 10:
      try say(
        "bgtask.begin",
        [
          ("token", a), ("is_invalid", no), ("name", text(event.arguments.1)),
          ("has_expiration_handler", .boolean(true)),
        ])
    case 11: try say("bgtask.end", [("token", a), ("is_invalid", no)])
    case 20: try say("work.timer_fire", [("timer", one)])
    case 21: try say("gl.call", [("context", one), ("kind", .string("state"))])
    case 22:
      try say("gl.call", [("context", one), ("kind", .string("draw")), ("submit_id", a)])
    case 23 where isEnd: try say("gl.complete", phase: .instant)
    case 23:
      try say(
        "gl.call", [("context", one), ("kind", .string("present")), ("submit_id", a)],
        phase: .instant)
    case 24: try say("work.span", [("id", .integer(24)), ("class", .string("ui"))])
    case 25: try say("x.gl_error", [("code", a)])
    case 30: try say("work.timer_fire", [("timer", a)])
    case 40:
      try say(
        "url.task",
        [
          ("op", .string("start")), ("task", a), ("session", text(event.arguments.1)),
          ("type", .string("data")),
        ])
    case 41: try say("x.url_response", [("task", a), ("status", b)])
    case 42: try say("net.io", [("socket", a), ("bytes", b)])
    case 43: try say("x.url_complete", [("task", a)])
    case 50...52: if !isEnd { try say("ui.touch", [("x", b), ("y", c)], phase: .instant) }
    case 53: if !isEnd { try say("ui.event", [("kind", .string("gesture"))], phase: .instant) }
    case 60:
      try say(
        "work.dispatch",
        [("queue", .string("q\(event.arguments.1 % 4)")), ("critical", no), ("work", a)])
    case 61:
      let name = Self.classes[Int(event.arguments.0 % 4)]
      try say("work.span", [("id", a), ("class", .string(name))])
    case 62: try say("trace.marker", [("text", text(event.arguments.0))])
    case 70...76:
      try say(
        "work.span",
        [
          ("id", .integer(Int64(kind))), ("class", .string("ui")),
          ("label", text(event.arguments.0)),
        ])
    default: try say(Self.otherName(kind), Self.hasArgument(kind) ? [("a", a)] : [])
    }
  }

  private static func otherName(_ kind: Int) -> String {
    switch kind {
    case 8: "x.sceneWillConnect"
    case 77..<100: "x.delegateCallback\(kind)"
    default: "x.notificationPosted\(kind)"
    }
  }

  private static func hasArgument(_ kind: Int) -> Bool {
    kind == 8 || (kind < 100 ? kind % 3 != 0 : kind % 2 != 0)
  }
}
