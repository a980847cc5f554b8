// Inserts rows into one table, value after value, without an object for any of them.

import GRDB
internal import GRDBSQLite
import TraceModel

/// Writes rows of a table: a value for each of its columns in their order, then ``insert()``.
///
/// A class, because it holds a prepared statement.
@safe public final class RowWriter {
  private let statement: Statement
  private let columnCount: Int32
  private let name: String
  private var count: Int32 = 0

  /// - Parameter name: What the database is called.
  init(_ database: Database, _ table: QueryTable, in name: String) throws {
    statement = try database.makeStatement(sql: table.insertion)
    columnCount = Int32(table.columns.count)
    self.name = name
  }

  public func add(_ value: Int64?) {
    count += 1
    if let value {
      unsafe sqlite3_bind_int64(statement.sqliteStatement, count, value)
    } else {
      unsafe sqlite3_bind_null(statement.sqliteStatement, count)
    }
  }

  public func add(_ value: Int) { add(Int64(value)) }
  public func add(_ value: Bool) { add(value ? 1 : 0) }

  public func add(_ value: String?) {
    guard var text = value else { return add(Int64?.none) }
    count += 1
    let place = count
    let handle = unsafe statement.sqliteStatement
    // The library copies the text before the call returns.
    text.withUTF8 { buffer in
      unsafe bind(handle, place, UnsafeRawBufferPointer(buffer), RowWriter.copied)
    }
  }

  /// Inserts the row of which all values were added.
  public func insert() throws(QueryError) {
    precondition(count == columnCount, "a row needs a value for every column")
    count = 0
    let handle = unsafe statement.sqliteStatement
    let code = unsafe sqlite3_step(handle)
    let words = code == SQLITE_DONE ? "" : unsafe Self.words(of: handle)
    unsafe sqlite3_reset(handle)
    if code != SQLITE_DONE { throw QueryError(code: code, words, in: name) }
  }

  // MARK: For writers of many rows

  /// Adds a text that stays where it is until the row is inserted.
  func add(standing text: UnsafeRawBufferPointer) {
    count += 1
    unsafe bind(statement.sqliteStatement, count, text, nil)
  }

  /// Tells the library to copy a text, as SQLITE_TRANSIENT does in C.
  private static var copied: sqlite3_destructor_type? {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
  }

  private func bind(
    _ handle: OpaquePointer, _ place: Int32, _ text: UnsafeRawBufferPointer,
    _ destructor: sqlite3_destructor_type?
  ) {
    // An empty buffer may have no address, which would bind null.
    guard let start = text.baseAddress, text.count > 0 else {
      unsafe sqlite3_bind_text(handle, place, "", 0, Self.copied)
      return
    }
    unsafe sqlite3_bind_text64(
      handle, place, start.assumingMemoryBound(to: CChar.self), UInt64(text.count), destructor,
      UInt8(SQLITE_UTF8))
  }

  private static func words(of handle: OpaquePointer) -> String {
    guard let words = unsafe sqlite3_errmsg(sqlite3_db_handle(handle)) else { return "no reason" }
    return unsafe String(cString: words)
  }
}
