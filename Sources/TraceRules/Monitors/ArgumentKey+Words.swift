// Keys as messages name them.

import TraceLifecycle
import TraceModel

extension ArgumentKey {
  /// The value as people read it; integers with their sign.
  var inWords: String {
    switch self {
    case .absent: "without a name"
    case .bits(let bits): "\(Int64(bitPattern: bits))"
    case .fraction(let bits): "\(Double(bitPattern: bits))"
    case .boolean(let value): "\(value)"
    case .text(let text): text
    }
  }
}
