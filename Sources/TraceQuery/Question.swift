// A question in SQL: prepared, checked, and answered row by row.

import GRDB
internal import GRDBSQLite
import TraceIO
import TraceModel

/// A value of an answer.
public enum QueryValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  /// UTF-8, which may be ill-formed.
  case text([UInt8])
  case blob([UInt8])
}

/// One question in SQL.
public struct Question: Sendable {
  /// Bytes of a question: beyond that it is a file given by mistake.
  public static let bytesMax = 1 << 20
  /// Bytes of one value of an answer.
  private static let valueBytesMax: Int32 = 64 << 20
  /// Bytes that the library may take in all; a question that needs more fails.
  private static let libraryBytesMax: Int64 = 512 << 20
  /// Steps of the library between two looks at whether the user asked for the end.
  private static let stepsBetweenLooks: Int32 = 10_000

  public let sql: String
  /// Which tables are needed to answer it.
  public let tables: Set<String>

  /// - Throws: ``QueryError`` with the place, if it is no question that can be answered.
  public init(_ sql: String) throws {
    if sql.utf8.contains(0) {
      throw QueryError(.sql, "the SQL holds a zero byte")
    }
    if sql.utf8.count > Self.bytesMax {
      throw QueryError(.sql, "the SQL is longer than \(Self.bytesMax >> 20) MiB")
    }
    self.sql = sql
    tables = try QueryStore.with(.temporary) { try Self.tables(of: sql, $0) }
  }

  /// The tables that a question names, and those that it opens.
  private static func tables(of sql: String, _ store: QueryStore) throws -> Set<String> {
    let places = try store.tablesByRootPage()
    let (named, isExplanation) = try PreparedQuestion.tables(of: sql, store)
    let all = Set(QueryTable.all.map(\.name))
    if isExplanation { return named.union(all) }
    guard let pages = try? PreparedQuestion.opened(by: sql, store) else {
      // What it opens isn't known, so it may be any of them.
      return named.union(all)
    }
    return named.union(pages.compactMap { places[$0] })
  }

  /// Hands over the columns' names, and then each row.
  ///
  /// - Parameters:
  ///   - begin: Takes the names.
  ///   - row: Takes the values of a row; false ends the answer.
  public func answer(
    from store: QueryStore, begin: ([String]) throws -> Void,
    row: ([QueryValue]) throws -> Bool
  ) throws {
    guard let connection = unsafe store.database.sqliteConnection else { return }
    sqlite3_hard_heap_limit64(Self.libraryBytesMax)
    unsafe sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Self.valueBytesMax)
    unsafe sqlite3_progress_handler(
      connection, Self.stepsBetweenLooks, { _ in Interrupt.isRaised ? 1 : 0 }, nil)
    try store.setOnlyReads(true)
    defer { try? store.setOnlyReads(store.onlyReads) }
    try answer(from: store, asking: begin, row)
  }

  /// The statement is given back before the caller goes on with the connection.
  private func answer(
    from store: QueryStore, asking begin: ([String]) throws -> Void,
    _ row: ([QueryValue]) throws -> Bool
  ) throws {
    let statement = try PreparedQuestion(sql, store)
    try begin(statement.columns)
    while let values = try statement.next() {
      if try !row(values) { return }
    }
  }
}

/// A question that the library has understood.
///
/// A class, because the statement must be given back.
@safe private final class PreparedQuestion {
  let access: TableAccess
  private let connection: OpaquePointer
  private var handle: OpaquePointer?
  private let name: String
  private(set) var columns: [String] = []

  init(_ sql: String, _ store: QueryStore) throws(QueryError) {
    name = store.place.name
    guard let connection = unsafe store.database.sqliteConnection else {
      throw QueryError(.database, "\(store.place.name) is closed")
    }
    unsafe self.connection = connection
    let modules = try store.modules()
    access = TableAccess(modules: modules)
    // What is asked from here on on this connection is the user's.
    unsafe access.watch(connection)
    let bytes = Array(sql.utf8)
    let end = try prepare(bytes, from: 0)
    guard let first = unsafe handle else {
      throw QueryError(.sql, "there is no SQL", advice: "for example 'SELECT * FROM traces'")
    }
    unsafe handle = nil
    defer {
      if unsafe handle != nil { unsafe sqlite3_finalize(handle) }
      unsafe handle = first
    }
    // What follows is a comment at most.
    let isMore: Bool
    do {
      _ = try prepare(bytes, from: end)
      isMore = unsafe handle != nil
    } catch {
      isMore = true
    }
    if isMore {
      throw QueryError(
        .sql, "a second statement begins at \(Self.place(of: end, in: bytes))",
        advice: "ask one question at a time")
    }
    guard unsafe sqlite3_stmt_readonly(first) != 0 else {
      throw Self.changes("a change of the database")
    }
    guard unsafe sqlite3_bind_parameter_count(first) == 0 else {
      throw QueryError(.sql, "the SQL has parameters", advice: "write the values into it")
    }
    for place in 0..<(unsafe sqlite3_column_count(first)) {
      let name = unsafe sqlite3_column_name(first, place)
      columns.append(unsafe name.map { unsafe String(cString: $0) } ?? "column_\(place + 1)")
    }
  }

  deinit {
    unsafe sqlite3_finalize(handle)
    unsafe TableAccess.release(connection)
  }

  /// The tables that a question names, and whether it only asks how another one is answered.
  static func tables(
    of sql: String, _ store: QueryStore
  ) throws(QueryError) -> (named: Set<String>, isExplanation: Bool) {
    let statement = try PreparedQuestion(sql, store)
    return (statement.access.tables, statement.isExplanation)
  }

  private var isExplanation: Bool { unsafe sqlite3_stmt_isexplain(handle) != 0 }

  /// The first pages of the tables and indexes that a question reads from.
  static func opened(by sql: String, _ store: QueryStore) throws(QueryError) -> Set<Int64> {
    let statement = try PreparedQuestion("EXPLAIN \(sql)", store)
    let names = ["OpenRead", "ReopenIdx"].map { QueryValue.text(Array($0.utf8)) }
    var pages: Set<Int64> = []
    // Of each step: its number, name, and three operands: the second is the page, the third the
    // database, of which there is one beside that for what is sorted.
    while let step = try statement.next() {
      guard step.count > 4, names.contains(step[1]), step[4] == .integer(0) else { continue }
      if case .integer(let page) = step[3] { pages.insert(page) }
    }
    return pages
  }

  /// Prepares the first statement behind a place.
  ///
  /// - Returns: Where it ends.
  private func prepare(_ sql: [UInt8], from start: Int) throws(QueryError) -> Int {
    var end = start
    var code = SQLITE_OK
    var offset: Int32 = -1
    var words = ""
    unsafe sql.withUnsafeBytes { buffer in
      let text = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
      guard let first = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      var rest: UnsafePointer<CChar>?
      // The text is read while the call lasts, and no further than its count says.
      code = unsafe sqlite3_prepare_v2(connection, first, Int32(text.count), &handle, &rest)
      if let rest = unsafe rest { end = unsafe start + (rest - first) }
      if code != SQLITE_OK {
        offset = unsafe sqlite3_error_offset(connection)
        words = unsafe Self.words(of: connection)
      }
    }
    if code == SQLITE_OK { return end }
    if let refused = access.refused { throw Self.changes(refused) }
    if code == SQLITE_ERROR || code == SQLITE_TOOBIG || code == SQLITE_AUTH {
      let place = offset >= 0 ? " at \(Self.place(of: start + Int(offset), in: sql))" : ""
      throw QueryError(
        .sql, "the SQL is wrong\(place): \(words)",
        advice: "'tracecheck query --schema' lists tables and columns")
    }
    throw QueryError(code: code, words, in: name)
  }

  private static func changes(_ what: String) -> QueryError {
    QueryError(
      .sql, "the SQL asks for what isn't allowed: \(what)",
      advice: "a question reads tables and changes nothing")
  }

  /// The next row; nil after the last.
  func next() throws(QueryError) -> [QueryValue]? {
    let code = unsafe sqlite3_step(handle)
    switch code & 0xFF {
    case SQLITE_ROW: return (0..<Int32(columns.count)).map(value)
    case SQLITE_DONE: return nil
    case SQLITE_AUTH:
      if let refused = access.refused { throw Self.changes(refused) }
      throw Self.changes(unsafe Self.words(of: connection))
    case SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_NOMEM, SQLITE_CONSTRAINT:
      throw QueryError(
        .sql, "the SQL can't be answered: \(unsafe Self.words(of: connection))")
    default: throw QueryError(code: code, unsafe Self.words(of: connection), in: name)
    }
  }

  private func value(_ place: Int32) -> QueryValue {
    switch unsafe sqlite3_column_type(handle, place) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, place))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, place))
    case SQLITE_TEXT:
      let text = unsafe sqlite3_column_text(handle, place)
      return .text(unsafe bytes(UnsafeRawPointer(text), place))
    case SQLITE_BLOB:
      let blob = unsafe sqlite3_column_blob(handle, place)
      return .blob(unsafe bytes(blob, place))
    default: return .null
    }
  }

  /// Copies what the library keeps until the next step.
  private func bytes(_ start: UnsafeRawPointer?, _ place: Int32) -> [UInt8] {
    let count = Int(unsafe sqlite3_column_bytes(handle, place))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  private static func words(of connection: OpaquePointer) -> String {
    guard let words = unsafe sqlite3_errmsg(connection) else { return "no reason" }
    return unsafe String(cString: words)
  }

  /// A place in the text for people.
  private static func place(of offset: Int, in bytes: [UInt8]) -> String {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ";")]
    var offset = min(offset, bytes.count)
    while offset < bytes.count, blanks.contains(bytes[offset]) { offset += 1 }
    let before = bytes[..<offset]
    let line = before.count { $0 == 0x0A } + 1
    let column = before.count - ((before.lastIndex(of: 0x0A).map { $0 + 1 }) ?? 0) + 1
    return "line \(line), column \(column)"
  }
}
