// A file whose blocks are read at their places, by one thread or several.
// This file must not know who takes them.

import TraceCodecs
import TraceFormat
import TraceIO
import TraceModel

/// A regular file with blocks.
///
/// A class, because an open file has one owner, and threads share it.
final class BlockFile: Sendable {
  private let file: InputFile

  /// The record of a block, and the block if it can be read whole: whether it must be is for those
  /// to say who take it.
  struct Block: Sendable {
    var record: [UInt8]
    var batch = EventBatch()
    var summary: BlockSummary?
  }

  /// Blocks that are read ahead of their turn: memory follows their number, not the file.
  private static let aheadMax = 3
  /// Content of the largest block that is read ahead: several times that of an ordinary one of as
  /// many events as may be. Larger ones are read one by one, so that few of them fill no memory.
  private static let rawBytesMax = 2 << 20

  /// Opens a regular file. A pipe is left alone: it can be opened only once.
  init?(_ path: String) {
    do throws(FileError) {
      file = try InputFile(path: path, onlyRegular: true)
    } catch {
      return nil
    }
  }

  var byteCount: UInt64? { file.byteCount.flatMap { UInt64(exactly: $0) } }

  func bytes(at place: UInt64, count: Int) -> [UInt8]? { file.bytes(at: place, count: count) }

  /// Has blocks read on threads of their own; nil for those that aren't there.
  func read(_ blocks: [LctraceIndexEntry], threads: Int) -> OrderedWork<Block?>? {
    // Two blocks are read before a thread has started.
    guard blocks.count > 2, blocks.allSatisfy({ $0.summary.rawByteCount <= Self.rawBytesMax })
    else { return nil }
    return OrderedWork(
      count: blocks.count, threads: min(threads, Self.aheadMax), aheadMax: Self.aheadMax
    ) {
      var reader = LctraceBlockReader(codec: .zstd())
      return { number in
        let block = blocks[number]
        guard let record = self.bytes(at: block.offset, count: block.recordByteCount) else {
          return nil
        }
        var result = Block(record: record)
        result.summary = try? reader.read(record.span, at: block.offset, into: &result.batch)
        return result
      }
    }
  }
}
