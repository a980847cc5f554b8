// Arguments of simulated events, written as literals.

package import TraceModel

/// The value of an argument, which a literal may stand for.
package struct EventValue: Sendable, Hashable, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  package let value: ArgumentValue

  package init(stringLiteral text: String) { value = .string(text) }
  package init(integerLiteral number: Int64) { value = .integer(number) }
  package init(booleanLiteral isTrue: Bool) { value = .boolean(isTrue) }
  package init(_ value: ArgumentValue) { self.value = value }
  package init(_ text: String) { value = .string(text) }
  package init(_ number: Int64) { value = .integer(number) }
  package init(_ isTrue: Bool) { value = .boolean(isTrue) }

  /// The integer; nil if it is something else.
  package var integer: Int64? { if case .integer(let number) = value { number } else { nil } }
  package var text: String? { if case .string(let text) = value { text } else { nil } }
  package var isTrue: Bool { value == .boolean(true) }
}

/// The arguments of an event, in the order in which they are recorded.
package typealias EventArguments = KeyValuePairs<ArgumentName, EventValue>

extension KeyValuePairs where Key == ArgumentName, Value == EventValue {
  package subscript(name: ArgumentName) -> EventValue? { first { $0.key == name }?.value }
}

/// Durations of the simulation, in nanoseconds.
extension Int64 {
  package static func seconds(_ count: Int64) -> Int64 { count * 1_000_000_000 }
  package static func milliseconds(_ count: Int64) -> Int64 { count * 1_000_000 }
}
