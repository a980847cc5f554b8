// Where the events of a trace that was made of several files were read.
// This file must not know how files are brought together.

/// A line of a file.
public struct SourcePlace: Hashable, Sendable {
  public var path: String
  /// From 1.
  public var line: UInt32

  public init(path: String, line: UInt32) {
    self.path = path
    self.line = line
  }
}

/// Tells file and line of an event by one number: the lines of all files are counted on, file
/// after file.
public struct SourceMap: Hashable, Sendable {
  private var allPaths: [String] = []
  /// How many lines stand before each file.
  private var linesBefore: [UInt32] = []
  /// The files that a trace is of.
  public private(set) var paths: [String] = []
  private var others: [UInt32: [UInt32]] = [:]

  public init() {}

  /// Adds a file. Its lines follow those of the files before it.
  ///
  /// - Parameters:
  ///   - path: The path as it is to be shown.
  ///   - linesBefore: The lines of all files before it.
  public mutating func add(path: String, linesBefore: UInt32) {
    allPaths.append(path)
    self.linesBefore.append(linesBefore)
  }

  /// Says which of the files a trace is of.
  public mutating func choose(_ paths: [String]) { self.paths = paths }

  /// Says that further lines tell the same as a line.
  public mutating func add(_ lines: [UInt32], to line: UInt32) {
    var known = others[line] ?? []
    for other in lines where other != line && other != 0 && !known.contains(other) {
      known.append(other)
    }
    if !known.isEmpty { others[line] = known }
  }

  /// Where a line stands, and the lines that tell the same, in the order of the files.
  public func places(of line: UInt32) -> [SourcePlace] {
    if line == 0 { return [] }
    return ([line] + (others[line] ?? []).sorted()).compactMap(place)
  }

  private func place(_ line: UInt32) -> SourcePlace? {
    guard let index = linesBefore.lastIndex(where: { $0 < line }) else { return nil }
    return SourcePlace(path: allPaths[index], line: line - linesBefore[index])
  }
}
