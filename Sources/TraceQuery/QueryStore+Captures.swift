// What the database knows of the captures it was made from: with it an index is brought up to date.
// This file must not know how a capture is read.

import GRDB
import TraceModel

/// A capture as the database knows it.
public struct KnownCapture: Hashable, Sendable {
  public enum Status: String, Hashable, Sendable {
    case read, damaged, unreadable, copy
    case passedOver = "passed_over"
  }

  /// The capture's number in the database; nil before it is written.
  public var number: Int64?
  public var path: String
  public var format: String?
  public var status: Status
  public var copyOf: String?
  /// Lines for people; nil if nothing was wrong.
  public var problems: String?
  /// What the file system said of it; nil if it is to be read again in any case.
  public var version: String?
  public var parts: QueryParts
  /// What it has in common with its copies; nil if it has none.
  public var identity: String?
  /// Which one of copies is read: the lowest.
  public var rank: Int

  public init(path: String, status: Status, parts: QueryParts) {
    self.path = path
    self.status = status
    self.parts = parts
    rank = .max
  }
}

/// Which tables captures are read into: the large ones only where somebody asks for them.
public struct QueryParts: OptionSet, Hashable, Sendable {
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Everything but spans and events.
  public static let life = QueryParts(rawValue: 1)
  public static let spans = QueryParts(rawValue: 2)
  public static let events = QueryParts(rawValue: 4)

  /// What a question needs that names these tables.
  public init(tables: Set<String>) {
    self = []
    for table in QueryTable.all where tables.contains(table.name) {
      switch table {
      case .captures: break
      case .events: insert(.events)
      case .spans: insert(.spans)
      default: insert(.life)
      }
    }
  }
}

extension QueryStore {
  /// The captures that the database knows.
  public func captures() throws(QueryError) -> [KnownCapture] {
    try guarded {
      try Row.fetchAll(database, sql: "\(Self.ofCaptures) ORDER BY capture").map {
        try capture($0)
      }
    }
  }

  /// The captures whose traces are the same, but for one.
  public func captures(
    identity: String, otherThan path: String
  ) throws(QueryError) -> [KnownCapture] {
    try guarded {
      try Row.fetchAll(
        database, sql: "\(Self.ofCaptures) WHERE identity = ? AND path <> ?",
        arguments: [identity, path]
      ).map { try capture($0) }
    }
  }

  private static let ofCaptures = """
    SELECT capture, path, format, status, copy_of, problems, version, parts, identity, rank
    FROM captures
    """

  private func capture(_ row: Row) throws -> KnownCapture {
    guard let path: String = try value("path", of: row),
      let word: String = try value("status", of: row),
      let status = KnownCapture.Status(rawValue: word)
    else { throw damage(in: "status") }
    var capture = KnownCapture(
      path: path, status: status, parts: QueryParts(rawValue: try value("parts", of: row) ?? 0))
    capture.number = try value("capture", of: row)
    capture.format = try value("format", of: row)
    capture.copyOf = try value("copy_of", of: row)
    capture.problems = try value("problems", of: row)
    capture.version = try value("version", of: row)
    capture.identity = try value("identity", of: row)
    capture.rank = try value("rank", of: row) ?? .max
    return capture
  }

  /// A value of a row, which need not be of the type that its column was made for.
  private func value<Value: DatabaseValueConvertible>(
    _ column: String, of row: Row
  ) throws -> Value? {
    let stored: DatabaseValue = row[column]
    if stored.isNull { return nil }
    guard let value = Value.fromDatabaseValue(stored) else { throw damage(in: column) }
    return value
  }

  private func damage(in column: String) -> QueryError {
    QueryError(
      .database, "\(place.name) is damaged: captures.\(column) holds what no index does",
      advice: "remove it, and name the captures: they are read again")
  }

  /// Gives a capture a number and keeps it; what is known of its path is replaced.
  @discardableResult
  public func write(_ capture: KnownCapture) throws(QueryError) -> Int64 {
    try guarded {
      try database.execute(
        sql: """
          INSERT INTO captures VALUES (NULL,?,?,?,?,?,?,?,?,?)
          ON CONFLICT (path) DO UPDATE SET format = excluded.format, status = excluded.status,
            copy_of = excluded.copy_of, problems = excluded.problems, version = excluded.version,
            parts = excluded.parts, identity = excluded.identity, rank = excluded.rank
          """,
        arguments: [
          capture.path, capture.format, capture.status.rawValue, capture.copyOf,
          capture.problems, capture.version, capture.parts.rawValue, capture.identity,
          capture.rank,
        ])
      let number = try Int64.fetchOne(
        database, sql: "SELECT capture FROM captures WHERE path = ?", arguments: [capture.path])
      return number ?? 0
    }
  }

  /// Forgets a capture and all that was read from it.
  public func forget(_ path: String) throws(QueryError) {
    try forgetTraces(of: path)
    try guarded {
      try database.execute(sql: "DELETE FROM captures WHERE path = ?", arguments: [path])
    }
  }

  /// Forgets all that was read from a capture.
  public func forgetTraces(of path: String) throws(QueryError) {
    try guarded {
      let numbers = try Int64.fetchAll(
        database,
        sql: """
          SELECT trace FROM traces JOIN captures USING (capture) WHERE captures.path = ?
          """, arguments: [path])
      // The traces of a capture are written one after the other.
      guard let first = numbers.min(), let last = numbers.max() else { return }
      try delete(traces: first...last)
    }
  }

  /// Forgets traces, also those that were never finished.
  public func forget(traces: ClosedRange<Int64>) throws(QueryError) {
    try guarded { try delete(traces: traces) }
  }

  private func delete(traces: ClosedRange<Int64>) throws {
    for table in QueryTable.all where table != .captures {
      var (column, low, high) = ("trace", traces.lowerBound, traces.upperBound)
      if table == .events {
        (column, low, high) = ("id", low << 32, high << 32 | 0xFFFF_FFFF)
      }
      try database.execute(
        sql: "DELETE FROM \(table.name) WHERE \(column) BETWEEN ? AND ?", arguments: [low, high])
    }
  }

  // MARK: Settings

  /// A text that the index keeps; nil if it doesn't.
  public func setting(_ name: String) throws(QueryError) -> String? {
    try guarded {
      try String.fetchOne(
        database, sql: "SELECT value FROM index_settings WHERE name = ?", arguments: [name])
    }
  }

  /// Keeps a text, or nothing under this name.
  public func set(_ name: String, to value: String?) throws(QueryError) {
    try guarded {
      guard let value else {
        return try database.execute(
          sql: "DELETE FROM index_settings WHERE name = ?", arguments: [name])
      }
      try database.execute(
        sql: "INSERT OR REPLACE INTO index_settings VALUES (?, ?)", arguments: [name, value])
    }
  }

  // MARK: The end of a trace

  /// Tables with a time that is also told on the clock of the wall.
  private static let timesOfLife: [(QueryTable, String, String)] = [
    (.launches, "start_wall_ns", "start_ns"), (.states, "start_wall_ns", "start_ns"),
    (.durations, "end_wall_ns", "end_ns"), (.terminations, "wall_ns", "time_ns"),
  ]

  /// Fills in what is known of a trace only when all of it was read.
  ///
  /// - Parameter offset: What is added to times before the first anchor for those of the wall; nil
  ///   if there is no anchor.
  public func finish(trace: Int64, parts: QueryParts, offset: Int64?) throws(QueryError) {
    try guarded {
      if parts.contains(.life) {
        try database.execute(
          sql: """
            UPDATE launches SET
              launch_ns = (SELECT duration_ns FROM durations d WHERE d.trace = launches.trace
                AND d.launch = launches.launch AND d.duration = 'launch'
                ORDER BY d.measure LIMIT 1),
              ended_by = (SELECT cause FROM terminations k WHERE k.trace = launches.trace
                AND k.launch = launches.launch AND k.kind IS NOT 'counted'
                ORDER BY k.termination LIMIT 1)
            WHERE trace = ?
            """, arguments: [trace])
      }
      guard let offset else { return }
      var columns = parts.contains(.life) ? Self.timesOfLife : []
      if parts.contains(.spans) { columns.append((.spans, "start_wall_ns", "start_ns")) }
      for (table, wall, time) in columns {
        try database.execute(
          sql: """
            UPDATE \(table.name) SET \(wall) = \(Self.sum(time))
            WHERE trace = ? AND \(wall) IS NULL AND \(time) IS NOT NULL
            """, arguments: [offset, offset, offset, trace])
      }
    }
  }

  /// Sets the wall-clock times of events that came before their trace's first anchor.
  public func finishEvents(trace: Int64, _ anchor: EventWriter.Anchor) throws(QueryError) {
    guard let offset = anchor.firstOffsetNanoseconds, anchor.eventsBefore > 0 else { return }
    try guarded {
      try database.execute(
        sql: """
          UPDATE events SET wall_ns = \(Self.sum("time_ns"))
          WHERE id BETWEEN ? AND ? AND wall_ns IS NULL AND time_ns IS NOT NULL
          """, arguments: [offset, offset, offset, trace << 32, trace << 32 | 0xFFFF_FFFF])
    }
  }

  /// A column plus a parameter that is given three times. The library would turn what is too large
  /// into a floating-point number.
  private static func sum(_ column: String) -> String {
    """
    CASE WHEN typeof(\(column) + ?) = 'integer' THEN \(column) + ?
      WHEN ? > 0 THEN \(Int64.max) ELSE \(Int64.min) END
    """
  }
}
