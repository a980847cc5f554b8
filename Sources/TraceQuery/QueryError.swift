// What goes wrong with the database or with a question to it, in words for who asked.

import GRDB

/// Why a question has no answer, or a database can't be used.
public struct QueryError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The SQL is wrong, or asks for what it may not.
    case sql
    /// The database can't be opened, read or written, or isn't ours.
    case database
    /// The user asked for the end.
    case interrupted
  }

  public var kind: Kind
  /// One sentence without a final dot.
  public var message: String
  /// What the reader of the message can do; empty if nothing helps.
  public var advice: String

  public init(_ kind: Kind, _ message: String, advice: String = "") {
    self.kind = kind
    self.message = message
    self.advice = advice
  }

  /// Message and advice in one line.
  public var text: String { advice.isEmpty ? message : "\(message); \(advice)" }

  /// An error of SQLite while the database itself is read or written.
  ///
  /// - Parameter name: What the database is called.
  init(code: Int32, _ words: String, in name: String) {
    switch ResultCode(rawValue: code & 0xFF) {
    case .SQLITE_INTERRUPT: self.init(.interrupted, "it was interrupted")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(
        .database, "another process is using the index \(name)",
        advice: "try again when it is done")
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      self.init(
        .database, "\(name) is no index, or a damaged one: \(words)",
        advice: "name another file with --db, or remove this one")
    case .SQLITE_FULL, .SQLITE_IOERR:
      self.init(
        .database, "\(name) can't be read or written: \(words)",
        advice: "free some space, or use another file")
    case .SQLITE_CANTOPEN:
      self.init(
        .database, "\(name) can't be opened: \(words)",
        advice: "check the spelling of the path, and who may use it")
    case .SQLITE_READONLY:
      self.init(
        .database, "\(name) can't be written: \(words)", advice: "check who may write to it")
    default: self.init(.database, "\(name) can't be used: \(words)")
    }
  }

  /// An error of GRDB.
  init(_ error: any Error, in name: String) {
    switch error {
    case let error as QueryError: self = error
    case let error as DatabaseError:
      self.init(
        code: error.resultCode.rawValue, error.message ?? "\(error.resultCode)", in: name)
    default: self.init(.database, "\(name) can't be used: \(error)")
    }
  }
}
