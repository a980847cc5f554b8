// Reads the blocks of a trace through its index, and of the file only what is wanted.
// This file must not know what a visitor wants.

import TraceCodecs
import TraceExport
import TraceFormat
import TraceIO
import TraceModel

/// Reads some blocks of a binary trace.
enum BlockSeeker {
  /// Bytes fed at once if the file must be read from its start after all.
  private static let chunkBytes = 262_144

  /// Reads a file's wanted blocks.
  ///
  /// - Returns: False, and the visitor was told nothing, if the file is none with a sound index:
  ///   it is then read from its start. Damage in a block that is read costs the same, but what was
  ///   told stands.
  static func read<Visitor: CaptureVisitor>(
    path: String, overrides: HeaderOverrides, jobs: Int, into visitor: inout Visitor,
    opened: (CaptureFormat) -> Void
  ) throws(CaptureFailure) -> Bool {
    guard path != CaptureInputs.standardInput, let file = BlockFile(path),
      let byteCount = file.byteCount,
      let map = LctraceMap(byteCount: byteCount, read: { file.bytes(at: $0, count: $1) }),
      map.traces.count <= CaptureReader.tracesMax
    else { return false }
    opened(.lctrace)
    var reader = LctraceBlockReader(codec: .zstd())
    var batch = EventBatch()
    var stored = StoredBlock()
    for (number, trace) in map.traces.enumerated() {
      guard !visitor.isSatisfied else { return true }
      var header = trace.header
      let remarks = overrides.apply(to: &header)
      try visitor.begin(header)
      for remark in remarks { visitor.remark(remark) }
      if visitor.opensBlocks {
        guard try readStored(trace.blocks, of: file, jobs: jobs, &stored, into: &visitor) else {
          try goOn(file, from: stored.offset, trace: number, overrides, into: &visitor)
          return true
        }
        try visitor.endTrace()
        continue
      }
      for (place, block) in trace.blocks.enumerated() {
        guard !visitor.isSatisfied else { break }
        guard place == 0 || visitor.wants(block.summary) else { continue }
        if Interrupt.isRaised { throw .interrupted }
        guard let record = file.bytes(at: block.offset, count: block.recordByteCount),
          (try? reader.read(record.span, at: block.offset, into: &batch)) == block.summary
        else {
          try goOn(file, from: block.offset, trace: number, overrides, into: &visitor)
          return true
        }
        try visitor.consume(batch)
      }
      try visitor.endTrace()
    }
    return true
  }

  /// Gives all blocks of a trace to who opens them.
  ///
  /// - Returns: False if the block that was read last can't be read or isn't the one described.
  private static func readStored<Visitor: CaptureVisitor>(
    _ blocks: [LctraceIndexEntry], of file: BlockFile, jobs: Int, _ stored: inout StoredBlock,
    into visitor: inout Visitor
  ) throws(CaptureFailure) -> Bool {
    let isInOrder = isInOrder(blocks)
    let ahead = jobs > 1 ? file.read(blocks, threads: jobs - 1) : nil
    defer { ahead?.stop() }
    for (place, block) in blocks.enumerated() {
      if visitor.isSatisfied { return true }
      if Interrupt.isRaised { throw .interrupted }
      stored.begin(block, isInOrder: isInOrder)
      let isRead: Bool
      if let ahead {
        isRead = stored.take(ahead.take(place))
      } else {
        isRead = stored.read(file.bytes(at: block.offset, count: block.recordByteCount))
      }
      guard isRead, visitor.consume(opening: &stored) else { return false }
    }
    return true
  }

  /// Whether the blocks of a trace, and the events in them, stand in order of time.
  private static func isInOrder(_ blocks: [LctraceIndexEntry]) -> Bool {
    var latest = Int64.min
    return blocks.allSatisfy { block in
      defer { latest = block.summary.latestNanoseconds }
      return block.summary.quality.isNonDecreasing && block.summary.earliestNanoseconds >= latest
    }
  }

  /// Reads the file from its start, and tells what stands from a block on that can't be read: the
  /// decoder says what is wrong, and where it ends.
  private static func goOn<Visitor: CaptureVisitor>(
    _ file: BlockFile, from offset: UInt64, trace: Int, _ overrides: HeaderOverrides,
    into visitor: inout Visitor
  ) throws(CaptureFailure) {
    var decoder = LctraceDecoder(codec: .zstd())
    var batch = EventBatch()
    var place: UInt64 = 0
    let end = file.byteCount ?? 0
    var traceIndex = -1
    while !visitor.isSatisfied {
      switch decoder.next(into: &batch) {
      case .needsInput:
        let count = Int(min(UInt64(chunkBytes), end - place))
        guard count > 0, let bytes = file.bytes(at: place, count: count) else {
          decoder.finish()
          continue
        }
        decoder.feed(bytes.span)
        place += UInt64(count)
        if Interrupt.isRaised { throw .interrupted }
      case .header(var header):
        traceIndex += 1
        guard traceIndex > trace else { continue }
        try visitor.endTrace()
        let remarks = overrides.apply(to: &header)
        try visitor.begin(header)
        for remark in remarks { visitor.remark(remark) }
      case .batch:
        if let block = decoder.lastBlock, block.offset >= offset { try visitor.consume(batch) }
      case .problem(let problem): visitor.problem(problem)
      case .remark(let remark): visitor.remark(remark)
      case .stream: break
      case .end:
        try visitor.endTrace()
        return
      }
    }
    try visitor.endTrace()
  }
}
