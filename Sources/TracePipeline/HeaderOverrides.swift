// Header fields that the caller knows and a capture lacks.

public import TraceModel

/// Fields given with `--header`.
public struct HeaderOverrides: Sendable {
  private var fields: [(field: HeaderField, value: HeaderValue)] = []

  public init() {}

  public var isEmpty: Bool { fields.isEmpty }

  /// What is wrong with a field given as text.
  public enum Refusal: Error, Hashable, Sendable {
    case noEqualsSign
    case unknownField(String)
    case wrongValue(HeaderField, String)
  }

  /// Adds a field given as `NAME=VALUE`; lists are separated by commas.
  public mutating func add(_ text: String) throws(Refusal) {
    guard let equals = text.firstIndex(of: "=") else { throw .noEqualsSign }
    let name = String(text[..<equals])
    let value = String(text[text.index(after: equals)...])
    guard let field = HeaderField.named(name) else { throw .unknownField(name) }
    guard let parsed = Self.parse(value, as: field.type) else { throw .wrongValue(field, value) }
    fields.removeAll { $0.field == field }
    fields.append((field, parsed))
  }

  private static func parse(_ text: String, as type: HeaderType) -> HeaderValue? {
    switch type {
    case .integer: return Int64(text).map { .integer($0) }
    case .string: return .string(text)
    case .boolean: return Bool(text).map { .boolean($0) }
    case .strings:
      var list = Substring(text)
      if list.hasPrefix("["), list.hasSuffix("]") { list = list.dropFirst().dropLast() }
      return .strings(list.split(separator: ",").map { String($0.trimmingSpaces) })
    }
  }

  /// The app that a capture without one is of.
  var appBundleID: String? {
    guard case .string(let text)? = fields.first(where: { $0.field == .appBundleID })?.value else {
      return nil
    }
    return text
  }

  /// Fills in what a header lacks. What it has stays, and a contradiction is remarked.
  func apply(to header: inout TraceHeader) -> [CaptureRemark] {
    var remarks: [CaptureRemark] = []
    for (field, value) in fields {
      guard let present = header[field] else {
        header[field] = value
        continue
      }
      if present != value {
        remarks.append(
          CaptureRemark(
            id: "TQ12",
            message: "the capture says \(field.name) is \(Self.shown(present)), and the command"
              + " line says \(Self.shown(value)); the capture's value is used"))
      }
    }
    return remarks
  }

  private static func shown(_ value: HeaderValue) -> String {
    switch value {
    case .integer(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .string(let text): "\"\(text)\""
    case .strings(let texts): "[\(texts.joined(separator: ","))]"
    case .json(let text): text
    }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
