// The two files of a recording and their names. This file must not know what is in them.

import TraceCodecs
public import TraceExport
import TraceFormat
import TraceIO
import TraceModel

/// A recording: a trace, and while the app runs or after it was killed a journal beside it.
public enum Recording {
  /// The extension of a journal's name.
  static let journal = "lcjournal"
  /// The extension of a trace's name.
  static let trace = "lctrace"

  /// Whether a path is called like a journal.
  static func isNamedJournal(_ path: String) -> Bool { FileExtension.of(path) == journal }

  /// Whether a path is called like a trace.
  static func isNamedTrace(_ path: String) -> Bool { FileExtension.of(path) == trace }

  /// The trace beside a journal; nil if there is none.
  static func trace(besideJournal path: String) -> String? {
    sibling(of: path, from: journal, to: trace)
  }

  /// Whether a journal and the trace beside it are one capture: unless the journal holds nothing
  /// that can be read here, or the trace is known to be another's. Then each is one, so that none
  /// of them hides the other.
  static func areOne(journal: String, trace: String) -> Bool {
    let head = head(of: journal, byteCount: JournalLayout.headerByteCount)
    if head.isEmpty || JournalLayout.laterVersion(head.span) != nil { return false }
    // A journal that lost its header is read by its chunks.
    guard let described = JournalLayout.traceHeader(head.span) else { return true }
    var decoder = LctraceDecoder(codec: .zstd())
    decoder.feed(self.head(of: trace, byteCount: traceHeadByteCount).span)
    decoder.finish()
    var batch = EventBatch()
    while true {
      switch decoder.next(into: &batch) {
      case .header(let header):
        guard let other = header.string(.traceID), let own = described.header.string(.traceID)
        else { return decoder.traceTag == described.tag }
        return other == own
      case .batch, .end, .needsInput: return true
      case .problem, .remark, .stream: continue
      }
    }
  }

  /// The format in which a file is read where all inputs are said to have one: a journal is read as
  /// what it is where its trace is meant, of which it holds the end.
  static func format(_ format: CaptureFormat?, of path: String) -> CaptureFormat? {
    guard format?.name == CaptureFormat.lctrace.name, let trace = trace(besideJournal: path),
      areOne(journal: path, trace: trace)
    else { return format }
    return .journal
  }

  /// Enough for a header, or a block of a trace that lost it.
  private static let traceHeadByteCount = 1 << 18

  /// The beginning of a file; empty if it can't be read.
  private static func head(of path: String, byteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    // Who writes into a pipe would see it closed.
    guard DirectoryListing.kind(of: path) == .file else { return [] }
    do throws(FileError) {
      var file = try InputFile(path: path, onlyRegular: true)
      while bytes.count < byteCount {
        guard case .bytes = try file.read(into: &bytes, limit: byteCount - bytes.count) else {
          break
        }
      }
    } catch {
      return []
    }
    return bytes
  }

  /// What to read for a path: the journal, if a trace's path is given and its journal is beside it;
  /// the only recording of a folder.
  ///
  /// - Throws: ``CaptureFailure`` if a folder holds no recording, or several.
  public static func path(for path: String) throws(CaptureFailure) -> String {
    guard DirectoryListing.kind(of: path) == .directory else {
      guard let other = sibling(of: path, from: trace, to: journal) else { return path }
      return areOne(journal: other, trace: path) ? other : path
    }
    let files = DirectoryListing.files(below: path).files
    let journals = files.filter { FileExtension.of($0) == journal }
    let traces = files.filter { file in
      if FileExtension.of(file) != trace { return false }
      return sibling(of: file, from: trace, to: journal).map { !areOne(journal: $0, trace: file) }
        ?? true
    }
    guard let first = (journals + traces).first else {
      throw CaptureFailure(
        "the folder holds neither a journal nor a trace", advice: "name a file", .foreign)
    }
    guard journals.count + traces.count == 1 else {
      throw CaptureFailure(
        "the folder holds \(journals.count + traces.count) recordings",
        advice: "name one of them, for example \(first)")
    }
    return first
  }

  /// Every file of a recording that is there.
  public static func files(of path: String) -> [String] {
    [path, trace(besideJournal: path)].compactMap { $0 }
  }

  /// The other file that decides what is read for a path: of a journal the trace, of a trace the
  /// journal; nil if there is none.
  package static func companion(of path: String) -> String? {
    sibling(of: path, from: journal, to: trace) ?? sibling(of: path, from: trace, to: journal)
  }

  private static func sibling(of path: String, from old: String, to new: String) -> String? {
    guard FileExtension.of(path) == old else { return nil }
    let name = String(path.dropLast(old.count))
    // Where one name was written in capitals, so was the other.
    return [name + new, name + new.uppercased()].first { DirectoryListing.kind(of: $0) == .file }
  }
}
