// The bounds of a batch, each with its reason. Every producer and every reader keeps them.

/// How large a batch, an event and a text may be.
public enum BatchLimits {
  /// Events of one batch: columns stay in the second-level cache, and places fit 16 bits.
  public static let eventsMax = 65_536
  /// Templates of one batch: a program has hundreds of call sites, not thousands.
  public static let templatesMax = 4_096
  /// Threads of one batch: the system allows an app about 2,000.
  public static let threadsMax = 4_096
  /// Arguments of one event: the richest kind of the vocabulary has 12.
  public static let argumentsPerEventMax = 64
  /// Bytes of one text: longer ones are payload, not description.
  public static let stringBytesMax = 65_536
  /// Bytes of one name of a kind or an argument.
  public static let nameBytesMax = 256
  /// Unknown names of kinds, or of arguments, at which a producer closes a batch.
  public static let unknownNamesFull = 8_192
  /// Bytes of all texts of one batch: twice this bounds what a reader keeps.
  public static let stringPoolBytesMax = 8 << 20
  /// Bytes of texts at which a producer closes a batch. One more event of 64 texts of 64 KiB
  /// still fits under ``stringPoolBytesMax``.
  public static let stringPoolBytesFull = 4 << 20
  /// Bytes of the texts of all events of one batch, of a text as many times as an argument names
  /// it: what is printed of a batch stays in proportion, however few bytes store it. Sixteen times
  /// the different texts of any batch that a producer closes, and a kilobyte for each of as many
  /// events as may be.
  public static let eventTextBytesMax = 64 << 20
  /// Bytes of the texts of all events at which a producer closes a batch: one more event of 64
  /// texts of 64 KiB still fits.
  public static let eventTextBytesFull = eventTextBytesMax - argumentsPerEventMax * stringBytesMax
  /// Arguments of one batch: bounds the argument column at 4 MiB.
  public static let argumentsMax = 524_288
  /// Arguments at which a producer closes a batch.
  public static let argumentsFull = argumentsMax - argumentsPerEventMax
}
