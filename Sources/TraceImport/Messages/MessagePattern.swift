// How a message pattern is written down. This file must not know any pattern.

import TraceModel

/// A pattern of messages: how they start, what they mean, and which parts are read, in the order
/// in which they stand. There are no alternatives and no repetition, so reading is one pass.
struct MessagePattern: Sendable {
  /// Whom the message is about.
  enum Subject: Sendable {
    /// The process that logs it.
    case logger
    /// The app that the message starts with, such as `[app<com.example.notes>:41]`.
    case leadingTarget
    /// An app that one of the parts names.
    case named
    /// A process that one of the parts names, if other lines have shown that it is an app: kernel
    /// and daemons tell of all processes alike.
    case known
    /// Whoever acquired the assertion that one of the parts names.
    case assertionHolder
  }

  let subject: Subject
  let start: [UInt8]
  let kind: FactKind
  /// By kind, see ``Fact/number``.
  let number: UInt64
  /// By kind, see ``Fact/from``.
  let from: UInt64
  let parts: [Part]
  /// For ends of processes: what the pattern alone says.
  let exit: ExitRecord?
  /// Whether a place in the source stands before the start, see ``SourceLocation``.
  let isBehindLocation: Bool

  init(
    _ subject: Subject, _ start: String, _ kind: FactKind, number: UInt64 = 0,
    from: UInt64 = 0, exit: ExitRecord? = nil, isBehindLocation: Bool = false, _ parts: Part...
  ) {
    self.subject = subject
    self.start = bytes(start)
    self.kind = kind
    self.number = number
    self.from = from
    self.parts = parts
    self.exit = exit
    self.isBehindLocation = isBehindLocation
  }

  /// A part of a message, found by the text before it.
  struct Part: Sendable {
    enum Slot: Sendable {
      case token, name, handler, reason, fromMask, toMask
      case target, directTarget, pid, bundle, process, assertion
      case taskState, visibility, suspension
      case termination, launchdStatus, launchdSignal, printedSignal, allowance
      /// The last word, a state of React Native's, which nothing but filling words stand before.
      case reactState
      /// The system's own words about an end; what stands in them is still to be read.
      case explanation
      /// Only has to be there.
      case presence
    }

    let slot: Slot
    let after: [UInt8]
    let upTo: [UInt8]
    /// Whether the message means nothing without it.
    let isRequired: Bool

    private init(_ slot: Slot, _ after: String, _ upTo: String, _ isRequired: Bool) {
      self.slot = slot
      self.after = bytes(after)
      self.upTo = bytes(upTo)
      self.isRequired = isRequired
    }

    static func token(after: String, upTo: String = "") -> Part { Part(.token, after, upTo, true) }
    static func name(after: String, upTo: String) -> Part { Part(.name, after, upTo, false) }
    static func handler(after: String) -> Part { Part(.handler, after, "", false) }
    static func reason(after: String) -> Part { Part(.reason, after, "", true) }
    static func fromMask(after: String) -> Part { Part(.fromMask, after, "", true) }
    static func toMask(after: String) -> Part { Part(.toMask, after, "", true) }
    static func target(after: String) -> Part { Part(.target, after, "", true) }
    /// A target that stands there at once, not inside something else.
    static func directTarget(after: String) -> Part { Part(.directTarget, after, "", true) }
    /// The name of a process that isn't its bundle.
    static func process(after: String, upTo: String) -> Part { Part(.process, after, upTo, true) }
    static func assertion(after: String) -> Part { Part(.assertion, after, "", true) }
    static func pid(after: String, optional: Bool = false) -> Part {
      Part(.pid, after, "", !optional)
    }
    static func bundle(after: String, upTo: String) -> Part { Part(.bundle, after, upTo, true) }
    static func taskState(after: String) -> Part { Part(.taskState, after, "", false) }
    static func visibility(after: String) -> Part { Part(.visibility, after, "", false) }
    static func suspension(after: String) -> Part { Part(.suspension, after, "", true) }
    static func termination(after: String) -> Part { Part(.termination, after, "", false) }
    static func launchdStatus(after: String) -> Part { Part(.launchdStatus, after, "", true) }
    static func launchdSignal(after: String) -> Part { Part(.launchdSignal, after, "", true) }
    static func printedSignal(after: String) -> Part { Part(.printedSignal, after, "", false) }
    static func allowance(after: String) -> Part { Part(.allowance, after, "", true) }
    static func reactState() -> Part { Part(.reactState, "", "", true) }
    static func explanation(after: String, upTo: String = "") -> Part {
      Part(.explanation, after, upTo, false)
    }
    static func presence(of text: String) -> Part { Part(.presence, text, "", true) }
  }
}

/// What was read of a message; texts are places in it.
struct MessageContent: Sendable {
  var kind: FactKind
  var subject: MessagePattern.Subject
  var number: UInt64
  var token = LogToken.none
  var name = 0..<0
  var hasHandler = Knowledge.unknown
  var from: UInt64 = 0
  var to: UInt64 = 0
  var pid: Int64?
  var bundle = 0..<0
  /// The name of the process that the message is about, where it isn't a bundle.
  var process = 0..<0
  var assertion = 0..<0
  var exit: ExitRecord?

  /// Takes over what a target says.
  mutating func setTarget(_ target: AppTarget) {
    pid = target.pid ?? pid
    if target.isBundle {
      bundle = target.bundle
    } else {
      process = target.bundle
      subject = .known
    }
  }
}

/// `app<bundle(UUID)>:pid` with or without brackets, `[bundle:pid]`, or `[name:pid]`.
struct AppTarget: Sendable {
  var bundle: Range<Int>
  var pid: Int64?
  /// Whether the text is a bundle and not the name of any process.
  var isBundle = true

  private static let kinds = [bytes("app"), bytes("application")]

  /// Reads a target at an offset, and moves it behind the target. Services are no targets.
  static func read(_ message: Span<UInt8>, at offset: inout Int) -> AppTarget? {
    var place = offset
    let isBracketed = message.take(Byte.openBracket, at: &place)
    let start = place
    let limit = Swift.min(message.count, start + ImportLimits.nameBytesMax)
    while place < limit, isWord(message[place]) { place += 1 }
    guard place > start, place < message.count else { return nil }
    var bundle = start..<place
    var isBundle = true
    if message[place] == Byte.openAngle {
      guard kinds.contains(where: { $0.count == place - start && message.has($0, at: start) })
      else { return nil }
      let first = place + 1
      place = first
      while place < limit, isWord(message[place]) { place += 1 }
      bundle = first..<place
      guard !bundle.isEmpty,
        let end = message.first(Byte.closeAngle, from: place, to: place + 128)
      else { return nil }
      place = end + 1
    } else {
      guard isBracketed, message[place] == Byte.colon else { return nil }
      isBundle = message.first(Byte.dot, from: start, to: place) != nil
    }
    var pid: Int64?
    if message.take(Byte.colon, at: &place) {
      guard let number = message.decimal(at: &place), let number = Int64(exactly: number) else {
        return nil
      }
      pid = number
    }
    if isBracketed { guard message.take(Byte.closeBracket, at: &place) else { return nil } }
    offset = place
    return AppTarget(bundle: bundle, pid: pid, isBundle: isBundle)
  }

  /// Letters, digits, `.`, `-`, `_` and everything beyond ASCII.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 45, 46, 95, 128...255: true
    default: false
    }
  }
}
