// What the runner of a job would take for a command in what a program prints.
// This file must not know who prints, nor what.

/// Finds the signs that make a command of a text that is printed.
///
/// GitHub obeys a line that begins with `::`, behind blanks of any kind, and `##[` anywhere in a
/// line; Azure Pipelines obeys `##vso[` anywhere in a line. Whoever writes a capture could set
/// variables of the job, or hide what it says.
public struct LogCommands {
  /// Whether nothing but blanks was read of the line.
  private var isStart: Bool
  private var last: Unicode.Scalar = " "

  /// - Parameter beginsLine: Whether the text may be the first one of a line.
  public init(beginsLine: Bool = true) { isStart = beginsLine }

  /// Whether a character must be spelt out, so that no command begins with it.
  ///
  /// - Parameters:
  ///   - scalar: The next character of the text.
  ///   - rest: What follows it.
  public mutating func takes(
    _ scalar: Unicode.Scalar, before rest: Substring.UnicodeScalarView
  ) -> Bool {
    defer {
      isStart = isStart && scalar.properties.isWhitespace
      last = scalar
    }
    switch scalar {
    case ":": return isStart && rest.first == ":"
    case "#": return last == "#" && Self.opens(rest)
    default: return false
    }
  }

  /// Whether this stands behind two number signs in a command.
  private static func opens(_ rest: Substring.UnicodeScalarView) -> Bool {
    if rest.first == "[" { return true }
    return String(Substring(rest.prefix(4))).lowercased() == "vso["
  }

  /// The text with the sign that makes a command of it spelt out.
  public static func broken(_ text: String) -> String {
    var commands = LogCommands()
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if commands.takes(scalar, before: rest) {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whole lines of text with the signs that make commands of them spelt out.
  public static func brokenLines(_ bytes: [UInt8]) -> [UInt8] {
    // Most output has no two of these signs one behind the other.
    guard zip(bytes, bytes.dropFirst()).contains(where: { $0 == $1 && signs.contains($0) }) else {
      return bytes
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return Array(
      lines.map { Array(broken(String(decoding: $0, as: UTF8.self)).utf8) }
        .joined(separator: [UInt8(ascii: "\n")]))
  }

  private static let signs: [UInt8] = Array("#:".utf8)
}
