// Where things stand in a journal: what the recorder writes and recovery reads.
// This file must not know how the bytes got there, nor what events mean.

public import TraceModel

/// The layout of a `.lcjournal` file: a header, then chunks of slots.
///
/// A slot is two words of 64 bits. The first is the payload; the second, stored last, commits it:
/// it holds what the slot is and a check that is bound to both words and to the slot's number. A
/// chunk belongs to one thread; the ring of its chunks is used turn after turn. Behind the ring
/// stands a table of what threads dropped last.
public enum JournalLayout {
  /// As the signature of a trace, with another third letter.
  public static let magic: [UInt8] = [0x89, 0x4C, 0x43, 0x4A, 0x0D, 0x0A, 0x1A, 0x0A]
  public static let majorVersion: UInt8 = 1
  /// 0 before chunks were bound to their journals, 1 before there was a table of drops.
  public static let minorVersion: UInt8 = 2
  /// The header area: a whole number of pages everywhere, the 16 KiB of iOS included.
  public static let headerByteCount = 65_536
  /// Bytes of the fixed part of the header, its checksum included.
  public static let fixedByteCount = 64
  /// The words that change while recording: ``MutableWord``.
  public static let mutableOffset = 64
  /// The record of the trace header, as a `.lctrace` file has it.
  public static let traceHeaderOffset = 256
  public static let traceHeaderByteCountMax = headerByteCount - traceHeaderOffset

  public static let slotByteCount = 16
  /// Slots of a chunk, the chunk's own included: the longest event with its texts has to fit, and
  /// reserving one is the only step at which threads meet.
  public static let slotsPerChunk = 128
  public static let chunkByteCount = slotByteCount * slotsPerChunk
  /// Slots that an event may take.
  public static let slotsPerEventMax = slotsPerChunk - 1
  /// Bytes of a text that is stored with its event; longer ones are cut.
  public static let textBytesMax = 512

  /// Segments of the ring: fewer than three leave no room to seal one while another is readied.
  public static let segmentCountRange = 3...64
  /// Chunks of a segment.
  public static let chunksPerSegmentRange = 2...8_192
  /// A ring of more bytes is refused by readers, who hold it in memory.
  public static let ringByteCountMax = 32 << 20

  /// Rows of the table of drops: one for each thread that records at the same time. An app is
  /// allowed about 2,000, and some hundred run.
  public static let dropRowCount = 1_024
  /// Slots of a row: two pairs, so that one is whole while the other is written.
  public static let slotsPerDropRow = 4
  public static let dropByteCount = dropRowCount * slotsPerDropRow * slotByteCount

  /// Places of the words that change.
  public enum MutableWord: Int, CaseIterable, Sendable {
    /// Turns whose events all stand in blocks, or were given up.
    case sealedTurns = 0
    /// Events that weren't recorded because nothing was free, since the start.
    case droppedEvents = 1
    /// Events given up to keep the size of the trace, since the start.
    case discardedEvents = 2

    public var offset: Int { JournalLayout.mutableOffset + rawValue * 16 }
  }

  /// The fixed part of the header.
  public struct Fixed: Hashable, Sendable {
    public var segmentCount: Int
    public var chunksPerSegment: Int
    /// The process that records; no other one may.
    public var processNumber: Int32
    /// Tells one start of the device from another.
    public var bootID: UInt64
    /// Continuous time of the start.
    public var startNanoseconds: Int64
    /// Whether an acknowledgement outlives a power cut.
    public var survivesPowerLoss: Bool
    /// Binds the chunks to this journal, so that those of another one count as damage. 0 in version
    /// 1.0, whose chunks would fit every journal.
    public var chunkKey: UInt16
    /// Whether a table of drops follows the ring: since version 1.2.
    public var hasDropTable = true

    /// The fixed part of a new journal; its key follows from its start.
    public init(
      segmentCount: Int, chunksPerSegment: Int, processNumber: Int32, bootID: UInt64,
      startNanoseconds: Int64, survivesPowerLoss: Bool
    ) {
      self.segmentCount = segmentCount
      self.chunksPerSegment = chunksPerSegment
      self.processNumber = processNumber
      self.bootID = bootID
      self.startNanoseconds = startNanoseconds
      self.survivesPowerLoss = survivesPowerLoss
      chunkKey = Self.mixedKey(startNanoseconds, bootID, processNumber)
    }

    /// A key that differs from one start to the next, but for one in 65,535; never 0.
    private static func mixedKey(
      _ startNanoseconds: Int64, _ bootID: UInt64, _ processNumber: Int32
    ) -> UInt16 {
      var mix = UInt64(bitPattern: startNanoseconds) ^ (bootID &* 0x9E37_79B9_7F4A_7C15)
      mix = (mix ^ UInt64(UInt32(bitPattern: processNumber))) &* 0xD6E8_FEB8_6659_FD93
      mix ^= mix >> 32
      mix = mix &* 0xD6E8_FEB8_6659_FD93
      return max(1, UInt16(truncatingIfNeeded: mix >> 48))
    }

    public var chunkCount: Int { segmentCount * chunksPerSegment }
    public var ringByteCount: Int { chunkCount * JournalLayout.chunkByteCount }
    public var slotCount: Int { chunkCount * JournalLayout.slotsPerChunk }
    public var fileByteCount: Int {
      JournalLayout.headerByteCount + ringByteCount
        + (hasDropTable ? JournalLayout.dropByteCount : 0)
    }
  }

  /// The bytes of the fixed part.
  public static func bytes(of fixed: Fixed) -> [UInt8] {
    var bytes = magic
    bytes.append(majorVersion)
    bytes.append(minorVersion)
    bytes.append(fixed.survivesPowerLoss ? 1 : 0)
    bytes.append(0)
    bytes.appendLittleEndian(UInt32(fixed.segmentCount))
    bytes.appendLittleEndian(UInt32(fixed.chunksPerSegment))
    bytes.appendLittleEndian(UInt32(bitPattern: fixed.processNumber))
    bytes.appendLittleEndian(fixed.bootID)
    bytes.appendLittleEndian(UInt64(bitPattern: fixed.startNanoseconds))
    bytes.appendLittleEndian(UInt32(fixed.chunkKey))
    while bytes.count < fixedByteCount - 4 { bytes.append(0) }
    bytes.appendLittleEndian(CRC32C.checksum(bytes.span, 0..<bytes.count))
    return bytes
  }

  /// The version of a journal whose fixed part is whole and that a later recorder wrote.
  public static func laterVersion(_ bytes: Span<UInt8>) -> (major: UInt8, minor: UInt8)? {
    var offset = fixedByteCount - 4
    guard bytes.count >= fixedByteCount, bytes[8] > majorVersion,
      let check = try? ByteReader.uint32(bytes, &offset),
      CRC32C.checksum(bytes, 0..<fixedByteCount - 4) == check
    else { return nil }
    return (bytes[8], bytes[9])
  }

  /// What a fixed part says; nil if it is damaged or out of bounds.
  public static func fixed(_ bytes: Span<UInt8>) -> Fixed? {
    guard bytes.count >= fixedByteCount else { return nil }
    do throws(FormatDamage) {
      var offset = fixedByteCount - 4
      let check = try ByteReader.uint32(bytes, &offset)
      guard CRC32C.checksum(bytes, 0..<fixedByteCount - 4) == check else { return nil }
      for place in magic.indices where bytes[place] != magic[place] { return nil }
      offset = 12
      let segments = Int(try ByteReader.uint32(bytes, &offset))
      let chunks = Int(try ByteReader.uint32(bytes, &offset))
      let process = Int32(bitPattern: try ByteReader.uint32(bytes, &offset))
      let boot = try ByteReader.uint64(bytes, &offset)
      let start = Int64(bitPattern: try ByteReader.uint64(bytes, &offset))
      let key = try ByteReader.uint32(bytes, &offset)
      var fixed = Fixed(
        segmentCount: segments, chunksPerSegment: chunks, processNumber: process, bootID: boot,
        startNanoseconds: start, survivesPowerLoss: bytes[10] & 1 != 0)
      fixed.chunkKey = UInt16(truncatingIfNeeded: key)
      fixed.hasDropTable = bytes[9] >= 2
      guard segmentCountRange.contains(segments), chunksPerSegmentRange.contains(chunks),
        fixed.ringByteCount <= ringByteCountMax
      else { return nil }
      return fixed
    } catch {
      return nil
    }
  }

  /// The record of a trace header, as it stands in the header area; nil if it is too long for it.
  public static func traceHeaderRecord(
    _ header: TraceHeader, anchors: [ClockAnchor]
  ) -> [UInt8]? {
    var body: [UInt8] = []
    HeaderBody.append(header, anchors: anchors, to: &body)
    var record: [UInt8] = []
    RecordFrame.append(type: RecordType.header, sequence: 0, body: body.span, to: &record)
    return record.count <= traceHeaderByteCountMax ? record : nil
  }

  /// The trace header of a header area; nil if it is damaged.
  ///
  /// The tag is what the blocks of its trace hold.
  public static func traceHeader(
    _ bytes: Span<UInt8>
  ) -> (header: TraceHeader, anchors: [ClockAnchor], tag: UInt32)? {
    guard bytes.count > traceHeaderOffset,
      case .present(let frame) = RecordFrame.probe(bytes, at: traceHeaderOffset),
      frame.type == RecordType.header,
      CRC32C.checksum(bytes, frame.checked) == frame.storedChecksum(bytes),
      let (header, anchors) = try? HeaderBody.read(bytes.extracting(frame.body))
    else { return nil }
    return (header, anchors, frame.storedChecksum(bytes))
  }

  /// The value of a word that changes: the word and, behind it, its check. Nil if they disagree,
  /// as they may while one is written.
  static func mutableWord(_ word: MutableWord, _ bytes: Span<UInt8>) -> UInt64? {
    do throws(FormatDamage) {
      var offset = word.offset
      let value = try ByteReader.uint64(bytes, &offset)
      let check = try ByteReader.uint64(bytes, &offset)
      return check == checkOfMutable(value) ? value : nil
    } catch {
      return nil
    }
  }

  /// The check that stands behind a word that changes.
  public static func checkOfMutable(_ value: UInt64) -> UInt64 {
    value == 0 ? 0 : ~value &* 0xD6E8_FEB8_6659_FD93
  }
}
