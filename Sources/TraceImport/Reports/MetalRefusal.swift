// Metal's words for work that the system refuses as done in the background, and the event they
// become. This file must not know where the words stand.

import TraceModel

/// A command buffer that was refused because the app was in the background.
enum MetalRefusal {
  static let text = "Insufficient Permission (to submit GPU work from background)"
  private static let textBytes = bytes(text)

  static func isTold(in text: Span<UInt8>) -> Bool { text.find(textBytes, from: 0) != nil }

  /// Adds the arguments of a `metal.complete`.
  static func append(to assembler: inout BatchAssembler) {
    assembler.add(.status, .string("error"))
    assembler.add(.errorDomain, .string("IOGPU"))
    assembler.add(.errorCode, .integer(6))
  }
}
