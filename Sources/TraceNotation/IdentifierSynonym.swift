// The name `id`, which people write for the identifier that a kind is about.

import TraceModel

/// For kinds without an argument `id`: the argument that `id` stands for on input.
enum IdentifierSynonym {
  /// The argument's number by the kind's number; 0 where `id` is just `id`.
  static let argumentByKind: [UInt16] = {
    var arguments: [UInt16] = [0]
    for description in Vocabulary.kinds {
      let names = description.arguments.map(\.name)
      // The operation is no identifier: what follows it may be one.
      let subject = names.first { $0 != .op }
      let isSynonym = subject.map { identifiers.contains($0) } ?? false
      arguments.append(isSynonym && !names.contains(.id) ? subject?.rawValue ?? 0 : 0)
    }
    return arguments
  }()

  private static let identifiers: [ArgumentName] = [
    .timer, .queue, .socket, .store, .name, .context, .task, .session, .query,
  ]

  /// The argument that `id` stands for in events of a kind; nil where it is just `id`.
  static func argument(of kind: EventKind) -> ArgumentName? {
    let index = Int(kind.rawValue)
    guard index < argumentByKind.count, argumentByKind[index] != 0 else { return nil }
    return ArgumentName(rawValue: argumentByKind[index])
  }
}
