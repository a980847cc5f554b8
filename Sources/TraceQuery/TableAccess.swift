// What a question may do and which tables it names, as the library tells while it prepares it.

internal import GRDBSQLite

/// Lets a statement read tables and call functions, and nothing else.
///
/// A class, because the library is given its address. It must outlive the preparing.
@safe final class TableAccess {
  /// The tables whose columns are named, views resolved, in lower case.
  ///
  /// Those are missing that take part by what they have in common with others only, as with USING.
  private(set) var tables: Set<String> = []
  /// What was asked for and isn't allowed, for the message.
  private(set) var refused: String?

  /// Pragmas that tell of tables and change nothing.
  private static let pragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
    "function_list", "collation_list", "compile_options", "pragma_list",
  ]

  /// Tables that aren't ours and may be read.
  private static let others: Set<String> = [
    "index_settings", "json_each", "json_tree", "sqlite_master", "sqlite_schema",
    "sqlite_temp_master", "sqlite_temp_schema",
  ]
  private static let readable = others.union(QueryTable.all.map(\.name))
    .union(QueryView.all.map(\.name))
  private static let functions: Set<String> = ["load_extension", "fts3_tokenizer"]

  /// What the library takes for tables without there being any, for example `dbstat`.
  private let modules: Set<String>

  /// - Parameter modules: The names of the library's modules of tables.
  init(modules: [String]) {
    self.modules = Set(modules.map { $0.lowercased() }).subtracting(Self.readable)
  }

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
      guard let table = first?.lowercased() else { return SQLITE_OK }
      if mayRead(table, column: second ?? "") {
        tables.insert(table)
        return SQLITE_OK
      }
      refused = "the table \(table)"
    // The library writes this down, and nowhere, before it reads a function as a table. A change of
    // this table fails by itself.
    case SQLITE_UPDATE where first == "sqlite_master": return SQLITE_OK
    case SQLITE_FUNCTION:
      guard let name = second?.lowercased(), Self.functions.contains(name) else {
        return SQLITE_OK
      }
      refused = name
    case SQLITE_PRAGMA:
      if let first, Self.pragmas.contains(first.lowercased()) { return SQLITE_OK }
      refused = "PRAGMA \(first ?? "")"
    case SQLITE_ATTACH, SQLITE_DETACH: refused = "another database"
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: refused = "a transaction"
    default: refused = "a change of the database"
    }
    return SQLITE_DENY
  }

  private func mayRead(_ table: String, column: String) -> Bool {
    // A table of which no column is named may be one that the question itself defines.
    if column.isEmpty { return !table.hasPrefix("pragma_") && !modules.contains(table) }
    return Self.readable.contains(table)
  }
}
