// The bounds of the binary format, each with its reason. A reader compares a number of the file
// with its bound before it allocates anything; a writer keeps the same bounds.

import TraceModel

/// How large the parts of a `.lctrace` file may be.
public enum FormatLimits {
  /// Uncompressed bytes of one block: the largest batch within ``TraceModel/BatchLimits`` nearly
  /// always fits, and a reader that holds one block stays far below the memory of a phone.
  public static let blockRawBytesMax = 16 << 20
  /// Uncompressed bytes of one column: eight for each argument that a block may hold. A block that
  /// needs more is written as rows.
  public static let columnRawBytesMax = 4 << 20
  /// Bytes of one column as it stands in the file: one that doesn't compress, and its frame.
  public static let columnStoredBytesMax = columnRawBytesMax + 1_024
  /// Streams of symbols of times: times of different regularity are compressed apart, and with
  /// more streams their own tables outweigh what they save.
  public static let symbolStreamsMax = 4
  /// Events of one group of times, which is read on its own: the time that stands for each group
  /// takes about 7 bytes, 0.014 for each event.
  public static let eventsPerTimeGroup = 512
  /// Events from which on a writer uses columns: below, their frames outweigh what they save.
  public static let columnEventsMin = 2_048
  /// Bytes of one record's body: a block that doesn't compress, and its header and frames.
  public static let recordBodyBytesMax = blockRawBytesMax + 65_536
  /// Bytes of a record around its body: sync word, type, flags, two numbers, checksum.
  public static let recordFrameBytesMax = 4 + 1 + 1 + 5 + 5 + 4
  /// Bytes of a block's header: about 60 now; the rest is room for later minor versions.
  public static let blockHeaderBytesMax = 4_096
  /// Bytes of a trace header: some dozens of short fields, and lists of identifiers.
  public static let headerBytesMax = 1 << 20
  /// Fields of a trace header, known and unknown.
  public static let headerFieldsMax = 4_096
  /// Clock anchors inside one trace header; later ones have records of their own.
  public static let headerAnchorsMax = 1_024
  /// Events of one block.
  public static let eventsMax = BatchLimits.eventsMax
  /// Templates of one block.
  public static let templatesMax = BatchLimits.templatesMax
  /// Threads of one block.
  public static let threadsMax = BatchLimits.threadsMax
  /// Arguments of all events of one block.
  public static let argumentsMax = BatchLimits.argumentsMax
  /// Arguments of one event.
  public static let argumentsPerEventMax = BatchLimits.argumentsPerEventMax
  /// Bytes of one text.
  public static let stringBytesMax = BatchLimits.stringBytesMax
  /// Bytes of all texts of one block.
  public static let stringPoolBytesMax = BatchLimits.stringPoolBytesMax
  /// Bytes of the texts of all events of one block, of a text as many times as an argument names
  /// it.
  public static let eventTextBytesMax = BatchLimits.eventTextBytesMax
  /// Bytes of one name of a kind or an argument.
  public static let nameBytesMax = BatchLimits.nameBytesMax
  /// Unknown names of kinds, or of arguments, in one block: a producer closes a batch at 8,192,
  /// and one event adds at most 65. Numbers from 1,024 up stay far within 16 bits.
  public static let unknownNamesMax = BatchLimits.unknownNamesFull + 1_024
  /// Nesting of a JSON text: deeper ones are attacks, and the check keeps one bit for each level.
  public static let jsonDepthMax = 512
  /// The highest place of an event in its trace: sums of two places can't overflow.
  public static let ordinalMax: UInt64 = 1 << 61
  /// The highest number of a record in its trace.
  public static let sequenceMax: UInt64 = (1 << 32) - 1
  /// Numerator and denominator of a tick rate: their product with 64-bit ticks fits 96 bits.
  public static let tickRateMax: UInt64 = (1 << 32) - 1
  /// Bytes in which a file whose beginning is damaged is searched for its first whole record:
  /// one largest record may be lost whole. A file without one is refused.
  public static let firstRecordSearchBytesMax = 2 * recordBodyBytesMax
  /// Bytes in which recognition looks for a record where the magic number is damaged: what it is
  /// given of a capture. The header's record, of some hundred bytes, nearly always fits.
  public static let recognitionBytesMax = 65_536
  /// Records with a wrong checksum after which recognition gives up: each may cost a checksum of
  /// all the bytes that it looks at, together 1 MiB.
  public static let recognitionAttemptsMax = 16
  /// Records whose checksum is remembered to find duplicates, 12 bytes each: as many as a trace of
  /// four thousand million events has. A duplicate further back is taken for a straggler.
  public static let seenRecordsMax = 65_536
  /// Blocks after which an index record is written: a writer that dies loses only the last part
  /// of its index, and one index record stays below 32 KiB.
  public static let blocksPerIndex = 256
  /// Entries of one index record that a reader accepts.
  public static let indexEntriesMax = 65_536
  /// Bytes of an index record that is followed: thirty times as many entries as a writer puts
  /// into one.
  public static let indexBodyBytesMax = 1 << 20
  /// Entries of all index records that a reader collects: 10 GB in blocks of 10 kB.
  public static let indexEntriesTotalMax = 1 << 20
  /// Binary logarithm of the window that a chunk may ask for, unless its whole content is one
  /// segment and is decoded in place.
  public static let chunkWindowLogMax = 22
}
