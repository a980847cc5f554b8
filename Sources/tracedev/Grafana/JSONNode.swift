// JSON that is written the same way every time: keys sorted, two spaces, a line for each value.

/// A value of JSON.
enum JSONNode: ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  case null
  case boolean(Bool)
  /// As it is printed.
  case number(String)
  case text(String)
  case array([JSONNode])
  case object([String: JSONNode])

  init(nilLiteral: ()) { self = .null }
  init(booleanLiteral value: Bool) { self = .boolean(value) }
  init(integerLiteral value: Int) { self = .number("\(value)") }
  init(floatLiteral value: Double) { self = .number("\(value)") }
  init(stringLiteral value: String) { self = .text(value) }
  init(arrayLiteral elements: JSONNode...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSONNode)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }

  /// The object with more keys.
  func adding(_ others: [String: JSONNode]) -> JSONNode {
    guard case .object(let own) = self else { return self }
    return .object(own.merging(others) { _, new in new })
  }

  /// The whole document, with a line feed at its end.
  var document: String { printed("") + "\n" }

  private func printed(_ indent: String) -> String {
    switch self {
    case .null: return "null"
    case .boolean(let value): return value ? "true" : "false"
    case .number(let text): return text
    case .text(let text): return Self.quoted(text)
    case .array(let elements):
      if elements.isEmpty { return "[]" }
      let lines = elements.map { "\(indent)  \($0.printed(indent + "  "))" }
      return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      let lines = members.sorted { $0.key < $1.key }.map { key, value in
        "\(indent)  \(Self.quoted(key)): \(value.printed(indent + "  "))"
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
