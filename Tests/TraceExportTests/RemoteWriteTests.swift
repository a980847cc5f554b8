// Requests of remote write, byte by byte, and what they hold against the text formats.

import Testing
import TraceLifecycle
import TraceModel
import TraceRules
import TraceTestSupport

@testable import TraceExport

struct SnappyBlockTests {
  @Test(arguments: [0, 1, 2, 59, 60, 61, 255, 256, 257, 65_535, 65_536, 65_537, 200_000])
  func itIsReadBack(byteCount: Int) throws {
    let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256) }
    let block = SnappyBlock.literals(bytes)
    #expect(try WireReading.unpacked(block) == bytes)
    #expect(block.count <= byteCount + 16 + byteCount / 65_536 * 3)
  }

  @Test func aShortOneIsAsTheFormatSays() {
    // The length, a literal's tag with its length less one, and the bytes.
    #expect(SnappyBlock.literals([1, 2, 3]) == [3, 2 << 2, 1, 2, 3])
    #expect(SnappyBlock.literals([]) == [0])
  }
}

struct RemoteBatcherTests {
  private func labels(_ name: String) -> [UInt8] {
    var bytes: [UInt8] = []
    SeriesLabels(SeriesKey(family: .build, values: []), RemoteLabels())
      .append(name: name, extra: nil, to: &bytes)
    return bytes
  }

  private func requests(_ fill: (inout RemoteBatcher) -> Void) -> [RemoteBatch] {
    var batcher = RemoteBatcher()
    fill(&batcher)
    batcher.close()
    var batches: [RemoteBatch] = []
    batcher.handOver { batches.append($0) }
    return batches
  }

  @Test func aSmallRequestHasTheseBytes() throws {
    let batches = requests {
      $0.append(labels: labels("up"), milliseconds: [1, 300], values: [1, -2.5])
    }
    let body = try WireReading.unpacked(try #require(batches.first).body)
    // A series, its label, and two samples.
    var series: [UInt8] = [0x0A, 43, 0x0A, 14, 0x0A, 8]
    series += Array("__name__".utf8)
    series += [0x12, 2]
    series += Array("up".utf8)
    series += [0x12, 11, 0x09, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0x10, 1]
    series += [0x12, 12, 0x09, 0, 0, 0, 0, 0, 0, 0x04, 0xC0, 0x10, 0xAC, 0x02]
    #expect(body == series)
    #expect(batches.map(\.sampleCount) == [2])
  }

  @Test(arguments: [1, 1_999, 2_000, 2_001, 4_000, 4_001])
  func aLongSeriesIsCut(sampleCount: Int) throws {
    let times = (0..<sampleCount).map { Int64($0) }
    let batches = requests {
      $0.append(labels: labels("up"), milliseconds: times, values: times.map { Double($0) })
    }
    #expect(batches.count == (sampleCount + 1_999) / 2_000)
    var read: [Int64] = []
    for batch in batches {
      #expect(batch.sampleCount <= 2_000)
      for series in try WireReading.series(batch) {
        #expect(series.labels == [["__name__", "up"]])
        read += series.samples.map(\.milliseconds)
      }
    }
    #expect(read == times)
  }

  @Test func aRequestIsBoundedInBytes() {
    let long = labels(String(repeating: "a", count: 16_384))
    let batches = requests { batcher in
      for _ in 0..<200 { batcher.append(labels: long, milliseconds: [1], values: [1]) }
    }
    #expect(batches.reduce(0) { $0 + $1.sampleCount } == 200)
    for batch in batches {
      #expect(batch.body.count <= RemoteBatcher.bytesMax + 2 * 16_384)
    }
  }

  @Test func whatGoesTogetherStaysTogether() {
    let batches = requests { batcher in
      for _ in 0..<1_990 { batcher.append(labels: labels("a"), milliseconds: [1], values: [1]) }
      batcher.reserve(sampleCount: 30)
      for _ in 0..<30 { batcher.append(labels: labels("b"), milliseconds: [1], values: [1]) }
    }
    #expect(batches.map(\.sampleCount) == [1_990, 30])
  }

  @Test func negativeTimesTakeTenBytes() throws {
    let batches = requests {
      $0.append(labels: labels("up"), milliseconds: [-1, .min], values: [.infinity, 0])
    }
    let series = try WireReading.series(try #require(batches.first))
    #expect(series.first?.samples.map(\.milliseconds) == [-1, .min])
    #expect(series.first?.samples.map(\.value) == [.infinity, 0])
  }
}

struct RemoteLabelsTests {
  private func refusal(_ texts: String...) -> String? {
    var labels = RemoteLabels()
    do throws(RemoteLabels.Refusal) {
      for text in texts { try labels.add(text) }
      return nil
    } catch {
      return error.text
    }
  }

  @Test func wrongOnesAreRefused() {
    #expect(refusal("Region_2=a=b") == nil)
    #expect(refusal("region")?.contains("NAME=VALUE") == true)
    for text in ["=a", "2a=b", "__a=b", "a-b=c", "\u{E9}=a"] {
      #expect(refusal(text)?.contains("letters") == true, "\(text)")
    }
    for text in ["app=a", "le=1", "version=a", "tracecheck_app_state=a"] {
      #expect(refusal(text)?.contains("of their own") == true, "\(text)")
    }
    #expect(refusal("a=") != nil)
    #expect(refusal("a=" + String(repeating: "b", count: 1_025)) != nil)
    #expect(refusal("a=" + String(repeating: "b", count: 1_024)) == nil)
    #expect(refusal("a=b", "a=c")?.contains("twice") == true)
  }

  @Test func theNumberIsBounded() throws {
    var labels = RemoteLabels()
    for number in 0..<RemoteLabels.labelsMax { try labels.add("a\(number)=b") }
    #expect(throws: RemoteLabels.Refusal.self) { try labels.add("b=c") }
  }

  /// Upper-case letters come before the underscores of the metric's own name.
  @Test func labelsAreSortedByTheirBytes() throws {
    var added = RemoteLabels()
    for text in ["zone=1", "Zone=2", "m=3"] { try added.add(text) }
    var bytes: [UInt8] = []
    let key = SeriesKey(family: .launchDuration, values: ["com.a", "1"])
    SeriesLabels(key, added).append(name: "x_bucket", extra: ("le", "0.1"), to: &bytes)
    let names = try WireReading.labels(bytes).map { $0[0] }
    #expect(names == ["Zone", "__name__", "app", "app_version", "le", "m", "zone"])
  }
}

/// Reads what was written, by another way than the writer's.
enum WireReading {
  struct Failure: Error { var text: String }

  struct Series {
    var labels: [[String]]
    var samples: [(value: Double, milliseconds: Int64)]
  }

  static func unpacked(_ block: [UInt8]) throws -> [UInt8] {
    var offset = 0
    let count = try number(block, &offset)
    var bytes: [UInt8] = []
    while offset < block.count {
      let tag = Int(block[offset])
      offset += 1
      guard tag & 3 == 0 else { throw Failure(text: "no literal") }
      var length = tag >> 2
      if length >= 60 {
        let width = length - 59
        length = 0
        for place in 0..<width { length |= Int(block[offset + place]) << (8 * place) }
        offset += width
      }
      bytes += block[offset..<offset + length + 1]
      offset += length + 1
    }
    guard bytes.count == Int(count) else { throw Failure(text: "another length") }
    return bytes
  }

  static func series(_ batch: RemoteBatch) throws -> [Series] {
    let series = try fields(unpacked(batch.body)).map { field in
      var labels: [[String]] = []
      var samples: [(value: Double, milliseconds: Int64)] = []
      for part in try fields(field.bytes) {
        if part.number == 1 { labels.append(try texts(part.bytes)) }
        if part.number == 2 { samples.append(try sample(part.bytes)) }
      }
      return Series(labels: labels, samples: samples)
    }
    let count = series.reduce(0) { $0 + $1.samples.count }
    guard count == batch.sampleCount else { throw Failure(text: "another count") }
    return series
  }

  static func labels(_ bytes: [UInt8]) throws -> [[String]] {
    try fields(bytes).map { try texts($0.bytes) }
  }

  private static func texts(_ bytes: [UInt8]) throws -> [String] {
    try fields(bytes).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private static func sample(_ bytes: [UInt8]) throws -> (value: Double, milliseconds: Int64) {
    guard bytes.count > 10, bytes[0] == 0x09, bytes[9] == 0x10 else {
      throw Failure(text: "no sample")
    }
    var bits: UInt64 = 0
    for place in 0..<8 { bits |= UInt64(bytes[1 + place]) << (8 * UInt64(place)) }
    var offset = 10
    let time = try number(bytes, &offset)
    guard offset == bytes.count else { throw Failure(text: "more than a sample") }
    return (Double(bitPattern: bits), Int64(bitPattern: time))
  }

  /// Fields of bytes only.
  private static func fields(_ bytes: [UInt8]) throws -> [(number: Int, bytes: [UInt8])] {
    var found: [(number: Int, bytes: [UInt8])] = []
    var offset = 0
    while offset < bytes.count {
      let key = Int(try number(bytes, &offset))
      guard key & 7 == 2 else { throw Failure(text: "no field of bytes") }
      let count = Int(try number(bytes, &offset))
      guard offset + count <= bytes.count else { throw Failure(text: "a field is cut") }
      found.append((key >> 3, Array(bytes[offset..<offset + count])))
      offset += count
    }
    return found
  }

  private static func number(_ bytes: [UInt8], _ offset: inout Int) throws -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
    throw Failure(text: "a number is cut")
  }
}
