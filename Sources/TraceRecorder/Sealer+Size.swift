// Keeps the size of a trace: the older half of it goes when it has grown too large.
// The new file takes the place of the old one at once, so that a kill leaves one of them whole.

import TraceFormat
import TraceIO
import TraceModel

extension Sealer {
  /// What is behind a trace's name while its shorter form is written.
  static let temporarySuffix = ".tmp"

  /// Writes the trace anew without the older half of its events, and says what is lost. Under the
  /// sealer's lock.
  func giveUpOlderHalf() throws(FileError) {
    let temporary = file.path.isEmpty ? nil : file.path + Self.temporarySuffix
    // What a process left that was killed here.
    if let temporary { Folder.remove(temporary) }
    do throws(FileError) {
      try giveUpOlderHalf(temporary)
    } catch {
      if let temporary { Folder.remove(temporary) }
      throw error
    }
  }

  private func giveUpOlderHalf(_ temporary: String?) throws(FileError) {
    let path = file.path
    var shorter = try Self.newFile(temporary)
    var writer = LctraceEncoder(codec: codec)
    writer.clockAnchors = encoder.clockAnchors
    writer.begin(header)
    var loss = Loss(count: discardedCount)
    let keepFrom = fileEventCount / 2
    var kept: UInt64 = 0
    var seen: UInt64 = 0
    var offset: Int64 = 0
    var decoder = LctraceDecoder(codec: codec)
    var batch = EventBatch()
    var chunk: [UInt8] = []
    reading: while true {
      switch decoder.next(into: &batch) {
      case .needsInput:
        chunk.removeAll(keepingCapacity: true)
        offset += Int64(try file.read(into: &chunk, at: offset, limit: 65_536))
        if chunk.isEmpty { decoder.finish() } else { decoder.feed(chunk.span) }
      case .batch:
        seen += UInt64(batch.count)
        if seen <= keepFrom {
          loss.add(batch)
          continue
        }
        if kept == 0 { writer.consume(loss.batch()) }
        kept += UInt64(batch.count)
        writer.consume(batch)
        try shorter.append(writer.output)
        writer.output.removeAll(keepingCapacity: true)
      case .header, .problem, .remark, .stream: break
      case .end: break reading
      }
    }
    try shorter.append(writer.output)
    writer.output.removeAll(keepingCapacity: true)
    // What is sealed is in the ring no more: it must be on the disk before the old file goes.
    if journal.fixed.survivesPowerLoss { try shorter.synchronize() }
    try shorter.rename(to: path)
    isNameNew = temporary != nil
    file = shorter
    encoder = writer
    fileEventCount = kept
    discardedCount = loss.count
    journal.store(discardedCount, .discardedEvents)
  }
}

/// Events that were given up, or dropped without a thread of their own, as the trace tells it.
struct Loss {
  private(set) var count: UInt64
  private var first: Int64?
  private var last: Int64 = 0

  init(count: UInt64) { self.count = count }

  init(count: UInt64, at time: Int64) {
    self.count = count
    first = time
    last = time
  }

  mutating func add(_ batch: EventBatch) {
    count += UInt64(batch.count)
    for time in batch.timesNanoseconds {
      first = min(first ?? time, time)
      last = max(last, time)
    }
  }

  /// One `trace.lost` event.
  func batch() -> EventBatch {
    var assembler = BatchAssembler()
    assembler.begin(.traceLost, .instant, thread: 1, timeNanoseconds: last)
    assembler.add(.count, .integer(Int64(clamping: count)))
    assembler.add(.firstNs, .integer(first ?? last))
    assembler.add(.lastNs, .integer(last))
    assembler.add(.thread, .string("all"))
    assembler.endEvent()
    return assembler.batch
  }
}
