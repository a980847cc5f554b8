// Which arguments a test asks for.

import TraceModel

extension FieldTest {
  /// The arguments that the test asks for.
  var names: Set<ArgumentName> {
    switch self {
    case .isText(let name, _), .isTrue(let name), .isFalse(let name), .isPresent(let name),
      .compare(let name, _, _), .matches(let name, _), .isInHeader(let name, _),
      .isNotInHeader(let name, _):
      [name]
    case .not(let test): test.names
    case .all(let tests), .any(let tests): tests.reduce(into: []) { $0.formUnion($1.names) }
    }
  }
}

extension FieldTest {
  /// The arguments without which an event doesn't pass.
  var namesNeeded: Set<ArgumentName> {
    switch self {
    case .not: []
    case .all(let tests): tests.reduce(into: []) { $0.formUnion($1.namesNeeded) }
    case .any(let tests):
      tests.dropFirst().reduce(tests.first?.namesNeeded ?? []) { $0.intersection($1.namesNeeded) }
    default: names
    }
  }
}

extension KeyField {
  var argument: ArgumentName? {
    if case .argument(let name) = self { name } else { nil }
  }
}
