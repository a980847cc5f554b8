// One execution: a command line and the files that it finds. This file must not know how it is run.

/// A file of an execution.
struct FuzzFile: Sendable, Equatable {
  /// Relative to the folder in which the command runs.
  var path: String
  var bytes: [UInt8]
}

/// A command line and the files beside it.
///
/// Arguments are bytes, as they needn't be UTF-8. An option stays together with its value, so that
/// both go when an execution is made smaller.
struct FuzzCase: Sendable, Equatable {
  var command: [String]
  var groups: [[[UInt8]]] = []
  var files: [FuzzFile] = []
  /// The file that is standard input; none for nothing.
  var input: String?
  /// Whether the end of the output's name says what is written.
  var extensionDecides = false

  var arguments: [[UInt8]] { command.map { Array($0.utf8) } + groups.flatMap { $0 } }

  /// The command line for a shell that knows `$'…'`.
  func shellText(_ program: String) -> String {
    let words = [program] + arguments.map(Self.quoted)
    let source = input.map { Self.quoted(Array($0.utf8)) } ?? "/dev/null"
    return words.joined(separator: " ") + " <" + source
  }

  private static func quoted(_ bytes: [UInt8]) -> String {
    let signs = Array("-_./=:,+@%".utf8)
    let isPlain = bytes.allSatisfy {
      (48...57).contains($0) || (97...122).contains($0 | 32) || signs.contains($0)
    }
    if isPlain, !bytes.isEmpty { return String(decoding: bytes, as: UTF8.self) }
    var text = "$'"
    for byte in bytes {
      if byte == 39 || byte == 92 {
        text += "\\" + String(UnicodeScalar(byte))
      } else if (32..<127).contains(byte) {
        text += String(UnicodeScalar(byte))
      } else {
        let digits = String(byte, radix: 16)
        text += "\\x" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return text + "'"
  }

  /// The command line for people, on one line of bounded length.
  func shortText(lengthMax: Int = 240) -> String {
    let text = shellText("tracecheck")
    return text.count <= lengthMax ? text : text.prefix(lengthMax) + "…"
  }
}
