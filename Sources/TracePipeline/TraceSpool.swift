// Keeps the traces of a capture that holds several at once, and tells them one after the other.
// This file must not know what is done with them.

import TraceExport
import TraceIO
import TraceModel

/// Traces that are told when all of them have been read: what is known of an app by then stands in
/// its header. Their events wait in memory, and beyond a few megabytes in a temporary file.
///
/// A class, because an open file has one owner, while visitors are values.
final class TraceSpool {
  private struct Trace {
    var header: TraceHeader
    var remarks: [CaptureRemark] = []
    /// Where its batches stand.
    var parts: [(offset: Int64, byteCount: Int)] = []
    /// Events that wait to be stored.
    var assembler = BatchAssembler()
  }

  private var traces: [Int: Trace] = [:]
  private var current = 0
  private var buffer: [UInt8] = []
  /// Bytes in the file.
  private var storedCount: Int64 = 0
  private var file: ScratchFile?

  /// Bytes that wait in memory.
  private static let bufferBytesMax = 4 << 20
  /// Events of one trace that are stored at once: each part repeats its dictionary.
  private static let partEvents = 1_024

  var hasTraces: Bool { !traces.isEmpty }

  func take(_ step: StreamStep) {
    switch step {
    case .trace(let number): current = number
    case .amended(let header): traces[current]?.header = header
    case .ended: break
    }
  }

  func begin(_ header: TraceHeader) { traces[current] = Trace(header: header) }

  func add(_ remark: CaptureRemark) { traces[current]?.remarks.append(remark) }

  func consume(_ batch: EventBatch) throws(CaptureFailure) {
    guard var trace = traces.removeValue(forKey: current) else { return }
    defer { traces[current] = trace }
    var texts = CopiedTexts(of: batch)
    for index in 0..<batch.count {
      trace.assembler.copy(index, of: batch, texts: &texts)
      if trace.assembler.isFull || trace.assembler.batch.count >= Self.partEvents {
        try store(&trace)
      }
    }
  }

  /// Tells a visitor of all traces. Nothing is kept.
  func replay<Visitor: CaptureVisitor>(into visitor: inout Visitor) throws(CaptureFailure) {
    for number in traces.keys.sorted() {
      guard var trace = traces.removeValue(forKey: number), !visitor.isSatisfied else { continue }
      // Nothing more becomes known.
      trace.header.openCoverage = []
      try visitor.begin(trace.header)
      for part in trace.parts where !visitor.isSatisfied {
        try visitor.consume(SpooledBatch.batch(try bytes(part)))
      }
      var batch = EventBatch()
      if trace.assembler.batch.count > 0 {
        trace.assembler.take(into: &batch)
        try visitor.consume(batch)
      }
      for remark in trace.remarks { visitor.remark(remark) }
      try visitor.endTrace()
    }
  }

  private func store(_ trace: inout Trace) throws(CaptureFailure) {
    var batch = EventBatch()
    trace.assembler.take(into: &batch)
    let start = buffer.count
    SpooledBatch.append(batch, to: &buffer)
    trace.parts.append((storedCount + Int64(start), buffer.count - start))
    guard buffer.count > Self.bufferBytesMax else { return }
    do throws(FileError) {
      if file == nil { file = try ScratchFile() }
      try file?.write(buffer)
    } catch {
      throw CaptureFailure(output: error)
    }
    storedCount += Int64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
  }

  private func bytes(
    _ part: (offset: Int64, byteCount: Int)
  ) throws(CaptureFailure) -> [UInt8] {
    if part.offset >= storedCount {
      let start = Int(part.offset - storedCount)
      return Array(buffer[start..<start + part.byteCount])
    }
    do throws(FileError) {
      return try file?.read(at: part.offset, count: part.byteCount) ?? []
    } catch {
      throw CaptureFailure(output: error)
    }
  }
}
