// A text of any value that is the same for equal values and differs for others.

/// Writes values out with all their parts; the elements of sets in a fixed order.
enum CanonicalDump {
  static func text(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .set:
      return "{" + mirror.children.map { text($0.value) }.sorted().joined(separator: ",") + "}"
    case .collection:
      return "[" + mirror.children.map { text($0.value) }.joined(separator: ",") + "]"
    case .optional: return mirror.children.first.map { "some(\(text($0.value)))" } ?? "nil"
    case .enum where mirror.children.isEmpty: return ".\(value)"
    case .struct, .enum, .tuple, .class:
      let parts = mirror.children.map { "\($0.label ?? "")=\(text($0.value))" }
      return "\(mirror.subjectType)(\(parts.joined(separator: ";")))"
    default: return mirror.children.isEmpty ? "\(value)" : "?"
    }
  }
}
