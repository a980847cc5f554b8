// Why the server can't listen, in plain words instead of those of the sockets.

import FlyingSocks
import Foundation
import TraceIO

extension HTTPListener {
  /// One sentence without a final dot.
  ///
  /// - Parameter error: What beginning to listen, or listening, has thrown.
  static func reason(_ error: any Error) -> String {
    guard let error = error as? SocketError else { return error.localizedDescription }
    switch error {
    case .failed(let call, _, _) where call.hasPrefix("inet_pton"):
      // The call tells nothing more.
      return "it is no address in numbers"
    case .failed(_, let number, _):
      return ListeningProblem.text(errorNumber: number)
    default:
      return error.localizedDescription
    }
  }
}
