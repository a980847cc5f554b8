// What makes two calls of an app the same one, whatever numbers the system gave them.
// This file must not know when calls happen.

import TraceModel

/// What an app can't help about a call: what it does to which named thing, and whether the main
/// thread does it.
struct CallIdentity: Hashable {
  var kind: EventKind
  var phase: Phase
  /// Empty where the call is about nothing that has a name.
  var name: String
  var isOnMain: Bool

  /// The same call, on any thread.
  var onAnyThread: CallIdentity {
    var identity = self
    identity.isOnMain = true
    return identity
  }

  /// A span that is open, by its thread and kind.
  private struct OpenSpan: Hashable {
    var thread: Int64
    var kind: EventKind
  }

  /// The identities of the calls of a process, in their order.
  static func all(of calls: [RecordedEvent]) -> [CallIdentity] {
    var taskNames: [ArgumentValue: String] = [:]
    var openNames: [OpenSpan: [String]] = [:]
    return calls.map { call in
      var name = givenName(of: call)
      switch call.kind {
      case .bgtaskBegin:
        if let token = call.value(.token) { taskNames[token] = name }
      case .bgtaskEnd:
        // A token is a number that the system gives, and its task has a name.
        name = call.value(.token).flatMap { taskNames[$0] } ?? ""
      default: break
      }
      let span = OpenSpan(thread: call.thread, kind: call.kind)
      switch call.phase {
      case .enter: openNames[span, default: []].append(name)
      // Few say again at the end what it is the end of.
      case .return: name = openNames[span]?.popLast() ?? name
      case .instant: break
      }
      return CallIdentity(
        kind: call.kind, phase: call.phase, name: name, isOnMain: call.thread == 1)
    }
  }

  /// Arguments that name what a call is about.
  private static let namingArguments: Set<String> = [
    "accessory", "cache", "completion_id", "context", "handle", "id", "identifier", "issue", "key",
    "label", "lock", "name", "op", "path", "peer", "queue", "resource", "scene", "service",
    "session", "socket", "store", "stream", "subject", "timer",
  ]

  private static func givenName(of call: RecordedEvent) -> String {
    let parts = call.arguments.compactMap { argument -> (name: String, text: String)? in
      guard namingArguments.contains(argument.name) else { return nil }
      switch argument.value {
      case .string(let text): return (argument.name, withoutNumbers(text))
      // The number of a completion handler comes from the recording; others count what was made.
      case .integer(let number) where argument.name == "completion_id":
        return (argument.name, String(number))
      default: return nil
      }
    }
    return parts.sorted { $0.name < $1.name }.map { "\($0.name)=\($0.text)" }
      .joined(separator: "\u{0}")
  }

  /// Names often hold a number that counts, or one that is drawn.
  private static func withoutNumbers(_ text: String) -> String {
    let isDrawn =
      text.utf8.count >= drawnBytesMin
      && text.unicodeScalars.allSatisfy { $0 == "-" || $0.properties.isASCIIHexDigit }
    if isDrawn { return "" }
    return text.filter { !($0.isASCII && $0.isNumber) }
  }

  /// A UUID has 36 bytes, and hashes have 16 and more.
  private static let drawnBytesMin = 16
}
