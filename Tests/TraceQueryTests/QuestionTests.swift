// What may be asked, which tables a question needs, and what is said of a wrong one.

import Testing
import TraceQuery

struct QuestionTests {
  private static func error(_ sql: String) -> QueryError? {
    do {
      _ = try Question(sql)
      return nil
    } catch {
      return error as? QueryError
    }
  }

  @Test func tablesAreFoundBehindViews() throws {
    #expect(try Question("SELECT 1").tables.isEmpty)
    #expect(try Question("SELECT count(*) FROM events").tables == ["events"])
    let tables = try Question("SELECT * FROM kills_explained").tables
    #expect(tables.isSuperset(of: ["terminations", "traces"]))
    #expect(!tables.contains("events"))
    #expect(
      try Question("WITH x AS (SELECT * FROM spans) SELECT trace FROM x").tables
        .contains("spans"))
  }

  @Test(arguments: [
    "SELECT count(*) FROM SPANS", "SELECT 1 FROM \"Spans\"", "SELECT count(*) FROM [sPans]",
    "SELECT count(*) FROM traces JOIN spans USING (trace)",
    "SELECT count(*) FROM traces NATURAL JOIN spans",
    "SELECT 1 FROM (SELECT 1 FROM traces NATURAL JOIN spans)",
    "SELECT count(*) FROM launch_times JOIN spans USING (trace)",
    "SELECT EXISTS (SELECT 1 FROM traces JOIN spans USING (trace))",
    "EXPLAIN SELECT count(*) FROM traces JOIN spans USING (trace)",
    "EXPLAIN QUERY PLAN SELECT count(*) FROM traces JOIN spans USING (trace)",
  ])
  func tablesAreFoundHoweverTheyAreNamed(sql: String) throws {
    #expect(try Question(sql).tables.contains("spans"))
  }

  @Test func functionsForJSONAreTables() throws {
    for sql in ["SELECT value FROM json_each('[1]')", "SELECT count(*) FROM JSON_TREE('{}')"] {
      let tables = try Question(sql).tables
      #expect(QueryParts(tables: tables).isEmpty, "\(tables)")
    }
    let tables = try Question(
      "SELECT 1 FROM findings f, json_each(f.witness) w JOIN events e ON e.ordinal = w.value"
    ).tables
    #expect(QueryParts(tables: tables) == [.life, .events])
    let own = try Question("WITH x AS (SELECT 1) SELECT count(*) FROM x").tables
    #expect(QueryParts(tables: own).isEmpty, "\(own)")
  }

  @Test func onlyWhatIsNamedIsNeeded() {
    #expect(QueryParts(tables: ["captures"]).isEmpty)
    #expect(QueryParts(tables: ["events", "json_each"]) == .events)
    #expect(QueryParts(tables: ["findings", "spans"]) == [.life, .spans])
  }

  @Test(arguments: [
    ("SELECT lunch FROM launches", "no such column: lunch", "line 1, column 8"),
    ("SELECT 1\nFROM traces\n  WHERE x", "no such column: x", "line 3, column 9"),
    ("SELEC 1", "syntax error", "line 1, column 1"),
    ("SELECT * FROM trace", "no such table: trace", "SQL is wrong"),
  ])
  func mistakesHaveAPlace(sql: String, words: String, place: String) throws {
    let error = try #require(Self.error(sql))
    #expect(error.kind == .sql)
    #expect(error.text.contains(words), "\(error.text)")
    #expect(error.text.contains(place), "\(error.text)")
  }

  @Test(arguments: [
    "DELETE FROM traces", "INSERT INTO traces (trace) VALUES (1)", "DROP VIEW launch_times",
    "CREATE TABLE x (y)", "CREATE TEMP VIEW x AS SELECT 1", "ATTACH 'x' AS y",
    "PRAGMA user_version",
    "PRAGMA query_only = 0", "BEGIN", "COMMIT", "VACUUM", "SELECT load_extension('x')",
    "UPDATE traces SET app = 1", "ANALYZE", "SAVEPOINT x", "PRAGMA writable_schema = 1",
    "SELECT * FROM pragma_journal_mode", "SELECT * FROM pragma_table_info('traces')",
    "SELECT count(*) FROM pragma_query_only", "SELECT fts3_tokenizer('simple')",
    "SELECT * FROM fts3tokenize", "SELECT * FROM dbstat", "SELECT count(*) FROM DBSTAT",
    "SELECT sql FROM sqlite_stmt", "UPDATE sqlite_master SET name = 'x'",
    "DELETE FROM sqlite_master", "INSERT INTO json_each VALUES (1)",
  ])
  func nothingIsChanged(sql: String) throws {
    let error = try #require(Self.error(sql), "\(sql) is allowed")
    #expect(error.kind == .sql, "\(error.text)")
  }

  @Test func oneQuestionAtATime() throws {
    let error = try #require(Self.error("SELECT 1;\nSELECT 2"))
    #expect(error.text.contains("a second statement begins at line 2, column 1"))
    #expect(Self.error("SELECT 1; -- and a comment\n;") == nil)
    for empty in ["", "  ", ";", "-- nothing"] {
      #expect(try #require(Self.error(empty)).text.contains("there is no SQL"))
    }
    #expect(try #require(Self.error("SELECT ?")).text.contains("parameters"))
    #expect(try #require(Self.error("SELECT 1\0")).text.contains("zero byte"))
  }

  @Test func theLengthOfAQuestionIsBounded() throws {
    let blanks = String(repeating: " ", count: Question.bytesMax - "SELECT 1".utf8.count)
    #expect(Self.error("SELECT 1" + blanks) == nil)
    #expect(try #require(Self.error("SELECT 1 " + blanks)).text.contains("longer than 1 MiB"))
  }

  @Test func everyTableAndViewCanBeAsked() throws {
    for name in QueryTable.all.map(\.name) + QueryView.all.map(\.name) {
      #expect(throws: Never.self, "\(name)") { try Question("SELECT * FROM \(name)") }
    }
    for view in QueryView.all {
      let columns = view.columns.map(\.name).joined(separator: ", ")
      #expect(throws: Never.self) { try Question("SELECT \(columns) FROM \(view.name)") }
    }
  }

  @Test func theSchemaSaysWhatEveryColumnIs() {
    let text = QuerySchema.text
    for table in QueryTable.all {
      #expect(text.contains("table \(table.name): "))
      for column in table.columns {
        #expect(text.contains("  \(column.name) "))
        if column.name.hasSuffix("_ns") {
          #expect(
            column.meaning.contains("ns") || column.meaning.contains("the same"), "\(column.name)")
        }
      }
    }
  }
}
