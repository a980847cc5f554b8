// How reports name captures for machines: from the root of the repository, so that the same capture
// has the same name on every machine. This file must not ask the system for anything.

import TraceModel
import TraceNotation
import TraceRules

/// Turns paths as they were given into paths from the root of a repository.
public struct ReportPaths: Hashable, Sendable {
  /// The folders' names, from the file system's root.
  private var workingFolder: [Substring]?
  private var root: [Substring]?

  /// - Parameters:
  ///   - workingFolder: The absolute path of the folder that the program runs in; nil if unknown.
  ///   - root: The absolute path of the repository's root, or nil for the working folder.
  public init(workingFolder: String? = nil, root: String? = nil) {
    self.workingFolder = workingFolder.map(Self.parts)
    self.root = (root ?? workingFolder).map(Self.parts)
  }

  /// A path from the root if it lies below it; else the path as it was given, without needless
  /// parts.
  func fromRoot(_ path: String) -> String {
    let inside = insideRoot(path)
    if let inside { return inside }
    if path.hasPrefix("/") { return "/" + Self.resolved(Self.parts(path)).joined(separator: "/") }
    let parts = Self.resolved(Self.parts(path))
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// What a capture is called: its path from the root, or those of all files that it was made of.
  func shown(_ capture: JudgedCapture) -> String {
    guard let sources = capture.sources else { return fromRoot(capture.path) }
    return sources.paths.map(fromRoot).joined(separator: " + ")
  }

  /// The path as an address: relative below the root, `file:` elsewhere.
  func uri(_ path: String) -> String {
    if path == "-" { return "standard-input" }
    if let inside = insideRoot(path) { return ReportEscapes.uri(inside) }
    let shown = fromRoot(path)
    return shown.hasPrefix("/") ? "file://" + ReportEscapes.uri(shown) : ReportEscapes.uri(shown)
  }

  private func insideRoot(_ path: String) -> String? {
    guard let workingFolder, let root else { return nil }
    let absolute = Self.resolved(
      path.hasPrefix("/") ? Self.parts(path) : workingFolder + Self.parts(path))
    guard absolute.count > root.count, absolute.starts(with: root) else { return nil }
    return absolute.dropFirst(root.count).joined(separator: "/")
  }

  private static func parts(_ path: String) -> [Substring] { path.split(separator: "/") }

  /// Without `.`, and without `..` where something stands before it.
  private static func resolved(_ parts: [Substring]) -> [Substring] {
    var kept: [Substring] = []
    for part in parts where part != "." {
      if part == "..", let last = kept.last, last != ".." {
        kept.removeLast()
      } else {
        kept.append(part)
      }
    }
    return kept
  }
}

/// Where the timeline of a capture can be opened.
public struct TimelineLink: Hashable, Sendable {
  private let template: String

  /// - Parameter template: An address in which `{name}` stands for the capture's file name without
  ///   its ending, and `{trace_id}` for the trace's id.
  public init(_ template: String) { self.template = template }

  /// The address at which a timeline shows a finding.
  func address(of finding: Finding, in trace: Judgement, path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let name = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    var rest = Substring(template)
    var address = ""
    while let open = rest.firstIndex(of: "{") {
      address += rest[..<open]
      rest = rest[open...]
      if rest.hasPrefix("{name}") {
        address += ReportEscapes.uri(name)
        rest = rest.dropFirst("{name}".count)
      } else if rest.hasPrefix("{trace_id}") {
        address += ReportEscapes.uri(trace.traceID)
        rest = rest.dropFirst("{trace_id}".count)
      } else {
        address += "{"
        rest = rest.dropFirst()
      }
    }
    address += rest
    let time = finding.timeNanoseconds.subtractingReportingOverflow(trace.firstNanoseconds)
    let seconds = DurationText.text(time.overflow ? 0 : time.partialValue).prefix { $0 != "s" }
    // A fingerprint is one of ours: nothing in it means anything in an address.
    return "\(address)#t=\(seconds)&f=\(finding.fingerprint)"
  }
}
