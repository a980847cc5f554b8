// Opens the database, whose tables captures are written into and questions are asked of. It is
// gone with the program, or it is a file that the next call goes on with.

import GRDB
internal import GRDBSQLite
import TraceModel

/// An open database.
///
/// A class, because it holds a connection.
public final class QueryStore {
  /// Where the database is.
  public enum Place: Sendable {
    /// Nowhere for long: what doesn't fit into a small cache is in a file without a name.
    case temporary
    case file(String)

    /// What messages call it.
    var name: String {
      switch self {
      case .temporary: "the temporary database"
      case .file(let path): path
      }
    }
  }

  let database: Database
  public let place: Place
  /// Whether the database stays as it is.
  let onlyReads: Bool
  var writers: [String: RowWriter] = [:]
  /// The last trace that was given a number.
  var lastTrace: Int64 = 0

  private init(_ database: Database, _ place: Place, onlyReads: Bool) {
    self.database = database
    self.place = place
    self.onlyReads = onlyReads
  }

  /// Kibibytes of the database that are kept in memory.
  private static let cacheKibibytes = 32_768
  /// Seconds that another process is waited for.
  private static let patienceSeconds = 2.0
  /// Milliseconds that those who read are waited for, when what they keep from being written is the
  /// work of a whole call.
  private static let patienceAtCommitMilliseconds: Int32 = 30_000

  /// Opens a database, and closes it when a piece of work with it is done. A transaction that the
  /// work leaves open is rolled back.
  ///
  /// - Parameter onlyReads: Whether the database must be there and stays as it is.
  /// - Throws: ``QueryError`` if it can't be used, is of another program or of another version,
  ///   and what the work throws.
  public static func with<Result>(
    _ place: Place, onlyReads: Bool = false, _ work: (QueryStore) throws -> Result
  ) throws -> Result {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(patienceSeconds)
    // A call that ended in the middle of its work left what has to be written back first, so the
    // file is opened for writing also where it is only read.
    configuration.allowsUnsafeTransactions = true
    let queue: DatabaseQueue
    do {
      queue = try DatabaseQueue(path: path(of: place), configuration: configuration)
    } catch {
      throw QueryError(error, in: place.name)
    }
    return try queue.inDatabase { database in
      defer { if database.isInsideTransaction { try? database.rollback() } }
      let store = QueryStore(database, place, onlyReads: onlyReads)
      try store.guarded { try store.prepare() }
      return try work(store)
    }
  }

  /// A path that the library takes for one, whatever it is called.
  private static func path(of place: Place) -> String {
    switch place {
    case .temporary: ""
    case .file(let path): path.hasPrefix("/") ? path : "./\(path)"
    }
  }

  private func prepare() throws {
    try database.execute(sql: "PRAGMA cache_size = -\(Self.cacheKibibytes)")
    if case .temporary = place {
      // Nobody reads it after a crash.
      try database.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
      try createTables()
      return
    }
    if onlyReads { try setOnlyReads(true) }
    // Another call may make the tables just now: what is looked at is of one moment.
    try database.beginTransaction(.deferred)
    defer { try? database.rollback() }
    if try isMine() { return }
    if onlyReads {
      throw QueryError(
        .database, "\(place.name) holds no index yet", advice: "name the captures that it is of")
    }
  }

  /// Whether the file holds an index of this version; false if it holds nothing.
  func isMine() throws -> Bool {
    let program = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    if program == QuerySchema.applicationID {
      if version == QuerySchema.version { return true }
      throw QueryError(
        .database,
        "\(place.name) is an index of another version of tracecheck (\(version), and this one"
          + " makes \(QuerySchema.version))",
        advice: "name another file with --db, or remove this one")
    }
    let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    if program == 0, version == 0, count == 0 { return false }
    throw QueryError(
      .database, "\(place.name) is a database of another program, and is left as it is",
      advice: "name another file with --db")
  }

  private func createTables() throws {
    for sql in QuerySchema.creation { try database.execute(sql: sql) }
  }

  /// Does something with the database, and turns its errors into ours.
  func guarded<Result>(_ work: () throws -> Result) throws(QueryError) -> Result {
    do {
      return try work()
    } catch {
      throw QueryError(error, in: place.name)
    }
  }

  /// Refuses every change from here on, or no longer.
  func setOnlyReads(_ onlyReads: Bool) throws(QueryError) {
    guard let connection = unsafe database.sqliteConnection else { return }
    let sql = "PRAGMA query_only = \(onlyReads ? 1 : 0)"
    let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
    if code != SQLITE_OK { throw QueryError(code: code, "\(sql) fails", in: place.name) }
  }

  // MARK: Reading

  /// Begins a transaction in which nothing is written: until it ends, what is read is of one
  /// moment, and nobody else can end a transaction that writes.
  public func beginReading() throws(QueryError) {
    try guarded { try database.beginTransaction(.deferred) }
  }

  /// Ends the transaction, and forgets what was written in it.
  public func rollback() throws(QueryError) {
    try guarded { try database.rollback() }
  }

  /// A number that changes when somebody else changes the database.
  public func othersChanges() throws(QueryError) -> Int64 {
    try guarded { try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0 }
  }

  /// The names of the library's modules of tables.
  func modules() throws(QueryError) -> [String] {
    try guarded { try String.fetchAll(database, sql: "PRAGMA module_list") }
  }

  /// The tables by their first pages and those of their indexes.
  func tablesByRootPage() throws(QueryError) -> [Int64: String] {
    try guarded {
      var tables: [Int64: String] = [:]
      let rows = try Row.fetchAll(
        database, sql: "SELECT rootpage, tbl_name FROM sqlite_master WHERE rootpage > 0")
      for row in rows {
        let page: Int64 = row["rootpage"]
        let table: String = row["tbl_name"]
        tables[page] = table.lowercased()
      }
      return tables
    }
  }

  // MARK: Writing

  /// Begins a transaction; nobody else writes until it ends.
  public func begin() throws(QueryError) {
    try guarded {
      try database.beginTransaction(.immediate)
      if case .file = place, try !isMine() {
        try createTables()
        try database.execute(
          sql: """
            PRAGMA application_id = \(QuerySchema.applicationID);
            PRAGMA user_version = \(QuerySchema.version)
            """)
      }
      lastTrace = try Int64.fetchOne(database, sql: "SELECT max(trace) FROM traces") ?? 0
    }
  }

  /// Ends the transaction, and keeps what was written. Those who read are waited for.
  public func commit() throws(QueryError) {
    setPatience(milliseconds: Self.patienceAtCommitMilliseconds)
    defer { setPatience(milliseconds: Int32(Self.patienceSeconds * 1_000)) }
    try guarded { try database.commit() }
  }

  private func setPatience(milliseconds: Int32) {
    guard let connection = unsafe database.sqliteConnection else { return }
    unsafe sqlite3_busy_timeout(connection, milliseconds)
  }

  /// Whether the tables are there.
  public var hasTables: Bool {
    get throws(QueryError) {
      if case .temporary = place { return true }
      return try guarded { try isMine() }
    }
  }

  /// Traces of one database: the number is a part of those of its events.
  private static let tracesMax: Int64 = 1 << 31

  /// The number of a new trace.
  public func nextTrace() throws(QueryError) -> Int64 {
    guard lastTrace < Self.tracesMax else {
      throw QueryError(
        .database, "\(place.name) has no numbers for more traces", advice: "use another file")
    }
    lastTrace += 1
    return lastTrace
  }

  /// The number of the last trace that was given one.
  public var lastTraceNumber: Int64 { lastTrace }

  /// The writer of a table.
  public func rows(of table: QueryTable) throws(QueryError) -> RowWriter {
    if let writer = writers[table.name] { return writer }
    let writer = try guarded { try RowWriter(database, table, in: place.name) }
    writers[table.name] = writer
    return writer
  }

  /// A writer of events.
  public func eventWriter() throws(QueryError) -> EventWriter {
    EventWriter(try rows(of: .events))
  }
}
