// Refuses to write a file over an input of the same call, or over another of its outputs.

import TraceExport
import TraceIO
import TracePipeline

/// The files that a call reads and writes.
struct OutputPlaces {
  private var inputs: [FileIdentity: String] = [:]
  private var outputs: [FileIdentity: String] = [:]

  /// - Parameter inputs: Paths that are read; those that are no regular files don't matter.
  init(inputs paths: [String]) {
    for path in paths {
      if let identity = FileIdentity(path: path) { inputs[identity] = path }
    }
  }

  /// Adds a file to be written.
  mutating func add(_ path: String) throws(UsageError) {
    let shown = PrintableText.printable(path)
    if path.isEmpty { throw UsageError("the name of a file to write is empty") }
    guard let identity = FileIdentity(path: path) else { return }
    if let input = inputs[identity] {
      throw UsageError(
        "\(shown) is to be written, and it is also the input \(PrintableText.printable(input));"
          + " name another file")
    }
    if let other = outputs.updateValue(path, forKey: identity) {
      let alias = other == path ? "" : ", also as \(PrintableText.printable(other))"
      throw UsageError(
        "\(shown) is to be written twice\(alias); name another file for one of them")
    }
  }
}
