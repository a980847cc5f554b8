// What a question may do and which tables it names, as the library tells while it prepares it.

internal import GRDBSQLite

/// Lets a statement read tables and call functions, and nothing else.
///
/// A class, because the library is given its address. It must outlive the preparing.
@safe final class TableAccess {
  /// The tables that are read, views resolved.
  private(set) var tables: Set<String> = []
  /// What was asked for and isn't allowed, for the message.
  private(set) var refused: String?

  /// Pragmas that tell of tables and change nothing.
  private static let pragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
    "function_list", "collation_list", "compile_options", "pragma_list",
  ]

  /// Has a connection ask this value about every statement that is prepared from here on.
  func watch(_ connection: OpaquePointer) {
    // The owner keeps this value alive until `release`, so the pointer is valid in every call.
    unsafe sqlite3_set_authorizer(
      connection,
      { context, action, first, second, _, _ in
        guard let context = unsafe context else { return SQLITE_DENY }
        let access = unsafe Unmanaged<TableAccess>.fromOpaque(context).takeUnretainedValue()
        return unsafe access.answer(
          action, first.map { unsafe String(cString: $0) },
          second.map { unsafe String(cString: $0) })
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Has the connection ask no more.
  static func release(_ connection: OpaquePointer) {
    unsafe sqlite3_set_authorizer(connection, nil, nil)
  }

  private func answer(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: return SQLITE_OK
    case SQLITE_READ:
      if let first { tables.insert(first) }
      return SQLITE_OK
    case SQLITE_FUNCTION:
      if second?.lowercased() != "load_extension" { return SQLITE_OK }
      refused = "load_extension"
    case SQLITE_PRAGMA:
      if let first, Self.pragmas.contains(first.lowercased()) { return SQLITE_OK }
      refused = "PRAGMA \(first ?? "")"
    case SQLITE_ATTACH, SQLITE_DETACH: refused = "another database"
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: refused = "a transaction"
    default: refused = "a change of the database"
    }
    return SQLITE_DENY
  }
}
