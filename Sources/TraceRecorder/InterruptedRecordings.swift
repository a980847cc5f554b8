// Recordings of earlier launches that were killed: their journals become part of their traces.

public import TraceFormat
public import TraceIO
import TraceModel

extension TraceRecorder {
  /// Finishes what earlier launches couldn't: every journal of a process that is gone is taken into
  /// its trace, which is then an ordinary `.lctrace` file. Call it beside the main thread, before
  /// traces are sent or checked; it takes milliseconds for each recording.
  ///
  /// A recording that is damaged stays as it is, for `tracecheck recover`. If this call is itself
  /// killed, nothing is lost: the next one does the rest, and removes what was left half written.
  ///
  /// - Parameters:
  ///   - directory: The folder of the recordings.
  ///   - codec: The codec with which they were recorded.
  /// - Returns: The paths of the traces that are complete now, sorted.
  /// - Throws: ``FileError`` if the folder can't be read or a trace can't be written.
  @discardableResult
  public static func finishInterrupted(
    in directory: String, codec: ChunkCodec = .stored
  ) throws(FileError) -> [String] {
    var finished: [String] = []
    let names = try Folder.names(in: directory)
    for name in names where name.hasSuffix(".lcjournal") {
      let journal = directory + "/" + name
      let trace = directory + "/" + name.dropLast(".lcjournal".count) + ".lctrace"
      guard try isAbandoned(journal) else { continue }
      if try finish(journal, trace, codec) {
        // The trace must be there for good before the journal goes.
        try Folder.synchronize(directory)
        Folder.remove(journal)
        finished.append(trace)
      }
    }
    // What was finished is told, whether it can be tidied or not.
    try? removeLeftovers(names, in: directory)
    return finished
  }

  /// Removes what processes left that were killed while they wrote a file anew.
  private static func removeLeftovers(
    _ names: [String], in directory: String
  ) throws(FileError) {
    for name in names {
      if let process = OutputFile.process(ofTemporary: name) {
        if !ProcessClocks.isAlive(process: process) { Folder.remove(directory + "/" + name) }
      } else if name.hasSuffix(".lctrace" + Sealer.temporarySuffix) {
        let base = name.dropLast((".lctrace" + Sealer.temporarySuffix).utf8.count)
        let journal = directory + "/" + base + ".lcjournal"
        if DirectoryListing.kind(of: journal) == .file, try !isAbandoned(journal) { continue }
        Folder.remove(directory + "/" + name)
      }
    }
  }

  /// Whether nobody writes a journal any more. A damaged one is nobody's.
  private static func isAbandoned(_ path: String) throws(FileError) -> Bool {
    var file = try InputFile(path: path)
    var head: [UInt8] = []
    while head.count < JournalLayout.fixedByteCount {
      guard
        case .bytes = try file.read(
          into: &head, limit: JournalLayout.fixedByteCount - head.count)
      else { break }
    }
    guard let fixed = JournalLayout.fixed(head.span) else { return true }
    return fixed.bootID != ProcessClocks.bootNumber()
      || !ProcessClocks.isAlive(process: fixed.processNumber)
  }

  /// Writes journal and trace as one trace, in the place of the old one. False if they are damaged.
  private static func finish(
    _ journal: String, _ trace: String, _ codec: ChunkCodec
  ) throws(FileError) -> Bool {
    var decoder = JournalDecoder(codec: codec)
    var encoder = LctraceEncoder(codec: codec)
    var output = try OutputFile(path: trace, privacy: .ownerOnly)
    var sources = DirectoryListing.kind(of: trace) == .file ? [journal, trace] : [journal]
    var file = try InputFile(path: sources.removeFirst())
    var chunk: [UInt8] = []
    var batch = EventBatch()
    while true {
      switch decoder.next(into: &batch) {
      case .needsInput:
        chunk.removeAll(keepingCapacity: true)
        if case .bytes = try file.read(into: &chunk, limit: chunkBytes) {
          decoder.feed(chunk.span)
        } else if sources.isEmpty {
          decoder.finish()
        } else {
          decoder.endJournal()
          file = try InputFile(path: sources.removeFirst())
        }
      case .header(let header):
        encoder.clockAnchors = decoder.statistics.clockAnchors
        encoder.begin(header)
      case .batch:
        encoder.consume(batch)
        try output.write(encoder.output)
        encoder.output.removeAll(keepingCapacity: true)
      case .problem(let problem):
        if problem.consequence != .truncated { return false }
      case .remark, .stream:
        break
      case .end:
        encoder.end()
        try output.write(encoder.output)
        try output.commit()
        return true
      }
    }
  }

  /// Bytes that are read at once.
  private static let chunkBytes = 65_536
}
