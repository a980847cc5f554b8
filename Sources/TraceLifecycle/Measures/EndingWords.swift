// What a trace itself says of an end, for who explains it.
// This file must not know the explanations.

public import TraceModel

/// The words of an event that ended a process, or that tells how often the system ended one.
public struct EndingWords: Hashable, Sendable {
  /// Bytes of a text that are kept.
  private static let textBytesMax = 4_096

  /// `proc.kill`, `proc.exit` or `exit.import`.
  public var kind: EventKind
  /// The event's place in its trace.
  public var ordinal: Int
  public var code: Int64?
  /// Arguments that are texts, by their names.
  public var texts: [String: String] = [:]

  /// The words of an event; nil if it ends nothing.
  public init?(_ event: Event, in batch: EventBatch) {
    switch event.kind {
    case .procKill, .procExit, .exitImport: break
    default: return nil
    }
    kind = event.kind
    ordinal = event.ordinal
    code = batch.integer(.code, of: event)
    for name in [.cause, .description, .visibility, .role, .category] as [ArgumentName] {
      guard let text = batch.text(name, of: event), let key = name.knownText else { continue }
      texts[key] = String(decoding: text.utf8.prefix(Self.textBytesMax), as: UTF8.self)
    }
  }
}
