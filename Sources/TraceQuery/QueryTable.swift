// What a table or a view of the database is made of, and how that becomes SQL.
// This file must not know which tables there are.

/// A column, with what it means to who asks for it.
public struct QueryColumn: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case integer = "INTEGER"
    case text = "TEXT"
  }

  public let name: String
  public let kind: Kind
  /// One phrase with the unit, without a final dot.
  public let meaning: String
  /// Constraints in SQL, for example `NOT NULL`.
  let constraint: String

  init(_ name: String, _ kind: Kind, _ meaning: String, constraint: String = "") {
    self.name = name
    self.kind = kind
    self.meaning = meaning
    self.constraint = constraint
  }
}

/// A table.
public struct QueryTable: Hashable, Sendable {
  public let name: String
  /// One sentence without a final dot.
  public let meaning: String
  public let columns: [QueryColumn]
  /// The columns of the primary key, where a row is stored under it; none where the first column
  /// is the row's number.
  let key: [String]

  init(_ name: String, _ meaning: String, key: [String] = [], _ columns: [QueryColumn]) {
    self.name = name
    self.meaning = meaning
    self.key = key
    self.columns = columns
  }

  var creation: String {
    var parts = columns.map { column in
      let constraint = column.constraint.isEmpty ? "" : " \(column.constraint)"
      return "\(column.name) \(column.kind.rawValue)\(constraint)"
    }
    if !key.isEmpty { parts.append("PRIMARY KEY (\(key.joined(separator: ", ")))") }
    let storage = key.isEmpty ? "" : " WITHOUT ROWID"
    return "CREATE TABLE \(name) (\(parts.joined(separator: ", ")))\(storage)"
  }

  /// Inserts one row with a value for every column.
  var insertion: String {
    let places = columns.map { _ in "?" }.joined(separator: ",")
    return "INSERT INTO \(name) VALUES (\(places))"
  }
}

/// A view.
public struct QueryView: Hashable, Sendable {
  public let name: String
  /// One sentence without a final dot.
  public let meaning: String
  public let columns: [QueryColumn]
  /// The question that the view answers, whose columns stand in the same order.
  let question: String

  init(_ name: String, _ meaning: String, _ columns: [QueryColumn], _ question: String) {
    self.name = name
    self.meaning = meaning
    self.columns = columns
    self.question = question
  }

  var creation: String {
    "CREATE VIEW \(name) (\(columns.map(\.name).joined(separator: ", "))) AS \(question)"
  }
}

/// All tables and views, as people read them.
public enum QuerySchema {
  /// Changes with every change of a table or a view, and of what makes captures copies: an index
  /// of another one is refused.
  public static let version: Int32 = 3
  /// What tells an index from databases of other programs: `TCqx` in ASCII.
  static let applicationID: Int32 = 0x5443_7178

  static var creation: [String] {
    QueryTable.all.map(\.creation)
      + [
        "CREATE INDEX captures_by_identity ON captures (identity)",
        "CREATE INDEX traces_by_capture ON traces (capture)",
      ]
      + QueryView.all.map(\.creation)
      + ["CREATE TABLE index_settings (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID"]
  }

  /// The tables and views with every column and its unit.
  public static var text: String {
    let tables = QueryTable.all.map { ("table", $0.name, $0.meaning, $0.columns) }
    let views = QueryView.all.map { ("view", $0.name, $0.meaning, $0.columns) }
    return (tables + views).map { (what, name, meaning, columns) -> String in
      let width = columns.reduce(0) { max($0, $1.name.utf8.count) }
      let lines = columns.map { column in
        let blanks = String(repeating: " ", count: width - column.name.utf8.count)
        return "  \(column.name)\(blanks)  \(column.kind.rawValue.lowercased())"
          + (column.kind == .text ? "   " : "") + "  \(column.meaning)\n"
      }
      return "\(what) \(name): \(meaning)\n" + lines.joined()
    }.joined(separator: "\n")
  }
}
