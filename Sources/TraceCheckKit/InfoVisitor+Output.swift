// The answers of `info` as text and as JSON.

import TraceExport
import TraceIO
import TraceModel
import TraceNotation

extension InfoVisitor {
  /// The size of the file; nil for a pipe.
  private var byteCount: Int64? {
    // A pipe can't be opened twice: its writer may have gone.
    guard capture.path != "-", DirectoryListing.kind(of: capture.path) == .file else { return nil }
    do throws(FileError) {
      return try InputFile(path: capture.path).byteCount
    } catch {
      return nil
    }
  }

  private var eventCount: Int { traces.reduce(0) { $0 + $1.eventCount } }

  var text: String {
    var text = "file          \(PrintableText.printable(capture.path))\n"
    text += "format        \(capture.format)\n"
    if let byteCount {
      text += "size          \(byteCount) bytes"
      if eventCount > 0 { text += ", \(Self.ratio(byteCount, Int64(eventCount))) per event" }
      text += "\nas NDJSON     \(notationByteCount) bytes"
      if byteCount > 0 { text += ", \(Self.ratio(notationByteCount, byteCount)) times this" }
      text += "\n"
    }
    for (index, trace) in traces.enumerated() {
      if traces.count > 1 { text += "\ntrace \(index + 1)\n" }
      text += Self.text(of: trace)
    }
    return text
  }

  private static func text(of trace: TraceContent) -> String {
    var text = "completeness  \(trace.completeness.rawValue)\n"
    text += "events        \(trace.eventCount) in \(trace.blockCount)"
    text += trace.blockCount == 1 ? " block\n" : " blocks\n"
    text += "threads       \(trace.threads.count)\n"
    if let first = trace.firstNanoseconds {
      let length = trace.lastNanoseconds.subtractingReportingOverflow(first).partialValue
      text +=
        "time          \(DurationText.text(first)) to \(DurationText.text(trace.lastNanoseconds))"
      text += ", \(TimeText.rounded(length))\n"
    }
    for (field, value) in trace.header.presentFields {
      text += "header        \(field.name)=\(PrintableText.printable(shown(value)))\n"
    }
    for field in trace.header.unknownFields {
      text += "header        \(PrintableText.printable(field.name))"
      text += "=\(PrintableText.printable(field.json))\n"
    }
    for kind in trace.kinds {
      let count = "\(kind.count)"
      text += "  \(String(repeating: " ", count: max(0, 10 - count.utf8.count)))\(count)  "
      text += "\(PrintableText.printable(kind.name))\n"
    }
    return text
  }

  private static func shown(_ value: HeaderValue) -> String {
    switch value {
    case .integer(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .string(let text): text
    case .strings(let texts): "[\(texts.joined(separator: ","))]"
    case .json(let text): text
    }
  }

  /// A quotient with two decimals.
  private static func ratio(_ dividend: Int64, _ divisor: Int64) -> String {
    let (product, overflow) = dividend.multipliedReportingOverflow(by: 100)
    guard !overflow, divisor > 0 else { return "many" }
    let hundredths = product / divisor
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  var json: [UInt8] {
    var json = JSONBuilder()
    json.beginObject()
    json.key("path")
    json.string(capture.path)
    json.key("format")
    json.string(capture.format)
    json.key("bytes")
    if let byteCount { json.integer(byteCount) } else { json.null() }
    json.key("ndjson_bytes")
    json.integer(notationByteCount)
    json.key("events")
    json.integer(eventCount)
    json.key("traces")
    json.beginArray()
    for trace in traces { json.content(trace) }
    json.endArray()
    json.endObject()
    return json.bytes + [UInt8(ascii: "\n")]
  }
}

extension JSONBuilder {
  fileprivate mutating func content(_ trace: TraceContent) {
    beginObject()
    key("header")
    beginObject()
    for (field, value) in trace.header.presentFields {
      key(field.name)
      self.value(value)
    }
    for field in trace.header.unknownFields {
      key(field.name)
      json(field.json)
    }
    endObject()
    key("completeness")
    string(trace.completeness.rawValue)
    key("events")
    integer(trace.eventCount)
    key("blocks")
    integer(trace.blockCount)
    key("threads")
    integer(trace.threads.count)
    key("first_ns")
    integer(trace.firstNanoseconds ?? 0)
    key("last_ns")
    integer(trace.lastNanoseconds)
    key("kinds")
    beginArray()
    for kind in trace.kinds {
      beginObject()
      key("event")
      string(kind.name)
      key("count")
      integer(kind.count)
      endObject()
    }
    endArray()
    endObject()
  }
}
