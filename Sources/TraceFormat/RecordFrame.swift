// The frame of a record: how records are found, told apart and checked.
// This file must not know what bodies hold.

import TraceModel

/// The types of records. Those with the high bit may be skipped by any reader.
enum RecordType {
  static let header: UInt8 = 0x01
  static let block: UInt8 = 0x02
  static let index: UInt8 = 0x81

  static func isSkippable(_ type: UInt8) -> Bool { type & 0x80 != 0 }
}

/// A record inside a window of input: where its parts are.
struct RecordFrame: Equatable, Sendable {
  /// The first bytes of a record. 0xFE never occurs in UTF-8, so no recorded text can pass for a
  /// record; the last byte is the major version, so that other framings aren't mistaken for this.
  static let syncWord: [UInt8] = [0xFE, 0x4C, 0x43, FileSignature.majorVersion]

  var type: UInt8
  var flags: UInt8
  /// The record's number in its trace, from 0.
  var sequence: UInt32
  var start: Int
  var body: Range<Int>
  /// The place after the checksum.
  var end: Int

  /// The range that the checksum covers.
  var checked: Range<Int> { start..<body.upperBound }

  enum Probe: Equatable {
    /// No record begins here.
    case absent
    /// A record may begin here, but the bytes at hand don't hold all of it.
    case incomplete
    /// A record with plausible lengths; its checksum isn't verified yet.
    case present(RecordFrame)
  }

  /// Looks for a record at a place. Reads a bounded number of bytes.
  static func probe(_ bytes: Span<UInt8>, at start: Int) -> Probe {
    var offset = start
    for expected in syncWord {
      guard offset < bytes.count else { return .incomplete }
      guard bytes[offset] == expected else { return .absent }
      offset += 1
    }
    guard bytes.count - offset >= 2 else { return .incomplete }
    let type = bytes[offset]
    let flags = bytes[offset + 1]
    guard type & 0x7F != 0 else { return .absent }
    offset += 2
    do throws(FormatDamage) {
      let sequence = try number(bytes, &offset)
      let bodyBytes = try number(bytes, &offset)
      guard sequence <= FormatLimits.sequenceMax,
        bodyBytes <= UInt64(FormatLimits.recordBodyBytesMax)
      else { return .absent }
      guard bytes.count - offset >= Int(bodyBytes) + 4 else { return .incomplete }
      let end = offset + Int(bodyBytes)
      return .present(
        RecordFrame(
          type: type, flags: flags, sequence: UInt32(truncatingIfNeeded: sequence), start: start,
          body: offset..<end, end: end + 4))
    } catch { return error == .cut ? .incomplete : .absent }
  }

  /// What the first bytes of a record say of it.
  struct Head {
    var type: UInt8
    var sequence: UInt32
    var body: Range<Int>
    /// Bytes of the whole record.
    var byteCount: Int { body.upperBound + 4 }
  }

  /// Reads the beginning of a record, of which at most ``FormatLimits/recordFrameBytesMax`` bytes
  /// are needed; nil if there is none.
  static func head(_ bytes: Span<UInt8>) -> Head? {
    guard bytes.count > 6 else { return nil }
    for (place, expected) in syncWord.enumerated() where bytes[place] != expected { return nil }
    var offset = 6
    guard let sequence = try? number(bytes, &offset), let bodyBytes = try? number(bytes, &offset),
      sequence <= FormatLimits.sequenceMax, bodyBytes <= UInt64(FormatLimits.recordBodyBytesMax)
    else { return nil }
    return Head(
      type: bytes[4], sequence: UInt32(truncatingIfNeeded: sequence),
      body: offset..<offset + Int(bodyBytes))
  }

  /// A number of at most five bytes, as both numbers of a frame are.
  private static func number(
    _ bytes: Span<UInt8>, _ offset: inout Int
  ) throws(FormatDamage) -> UInt64 {
    var value: UInt64 = 0
    for shift in [0, 7, 14, 21, 28] as [UInt64] {
      guard offset < bytes.count else { throw .cut }
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw .longNumber
  }

  /// The checksum that the record carries.
  func storedChecksum(_ bytes: Span<UInt8>) -> UInt32 {
    var offset = body.upperBound
    return (try? ByteReader.uint32(bytes, &offset)) ?? 0
  }

  /// Appends a whole record around a body. Returns its checksum.
  @discardableResult
  static func append(
    type: UInt8, sequence: UInt32, body: Span<UInt8>, to output: inout [UInt8]
  ) -> UInt32 {
    let start = output.count
    output.append(contentsOf: syncWord)
    output.append(type)
    output.append(0)
    output.appendVarint(UInt64(sequence))
    output.appendVarint(body.count)
    output.append(copying: body)
    let checksum = CRC32C.checksum(output.span, start..<output.count)
    output.appendLittleEndian(checksum)
    return checksum
  }
}
