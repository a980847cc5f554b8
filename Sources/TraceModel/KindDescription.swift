// What the vocabulary says of a kind. One row of the table in `Vocabulary/`.

/// How events of a kind occur.
public enum KindShape: String, Hashable, Sendable {
  /// A moment.
  case instant
  /// An enter and a return on one thread; spans of one thread nest.
  case span
  /// An enter and a return that are matched by kind alone and may cross anything.
  case window
}

/// Who makes an event of a kind happen.
public enum Emitter: String, Hashable, Sendable {
  /// Code of the app made a call.
  case app
  /// The system called into the app, or acted on it.
  case system
  /// The tracing code made the event up.
  case recorder
  case appOrSystem = "app or system"
  case systemOrRecorder = "system or recorder"
}

/// What an argument may hold. Documentation, not a check: other values are kept as they are.
public enum ArgumentShape: Hashable, Sendable {
  /// An integer, for example a count or an identifier.
  case integer
  /// A raw 64-bit value; the text `<private>` where an imported log hides it.
  case token
  /// A number, whole or not.
  case number
  case boolean
  /// Free text, a name or an identifier that may also be a number.
  case string
  /// One of these words.
  case words([String])
}

/// An argument of a kind: its name, and what it may hold.
public struct ArgumentDescription: Hashable, Sendable {
  public let name: ArgumentName
  public let shape: ArgumentShape

  public init(_ name: ArgumentName, _ shape: ArgumentShape) {
    self.name = name
    self.shape = shape
  }
}

/// A kind of the vocabulary: its number, name, shape, emitter, the system's symbol and arguments.
public struct KindDescription: Hashable, Sendable {
  public let kind: EventKind
  /// The name in text forms, for example `bgtask.begin`.
  public let name: String
  public let shape: KindShape
  public let emitter: Emitter
  /// The call or condition of the system that the kind stands for; empty if there is none.
  public let symbol: String
  /// New arguments are only ever added at the end: the place in this list is part of the format.
  public let arguments: [ArgumentDescription]

  public init(
    _ kind: EventKind, _ name: String, _ shape: KindShape, by emitter: Emitter,
    _ symbol: String = "", _ arguments: [ArgumentDescription] = []
  ) {
    self.kind = kind
    self.name = name
    self.shape = shape
    self.emitter = emitter
    self.symbol = symbol
    self.arguments = arguments
  }

  /// The part of the name before the first dot, as used by the header's `coverage`.
  public var namespace: String { String(name.prefix { $0 != "." }) }
}
