// What is wrong with an execution, whatever its input was. This file must not know how it was run.

import Foundation

/// A promise that an execution broke.
struct FuzzFailure: Sendable {
  /// In few words; two failures of one kind are taken for the same.
  var kind: String
  var detail = ""
}

/// Judges executions.
enum FuzzVerdict {
  /// Documented exit codes, and those of single commands.
  private static let exitCodes: Set<Int32> = [0, 1, 2, 3]
  private static let ownExitCodes: [String: Set<Int32>] = ["gate": [4]]

  /// What a runtime says when it gives up. No input says it.
  private static let runtimeTexts = [
    "Fatal error:", "Swift runtime failure", "Simultaneous accesses", "AddressSanitizer",
    "terminate called", "malloc(", "free():", "double free", "*** Signal", "Program crashed",
  ]

  /// As much as is read: the fuzzer's own memory counts as that of what it starts.
  private static let readBytesMax = 4 << 20

  static func failure(_ execution: FuzzCase, _ outcome: FuzzOutcome, in folder: String)
    -> FuzzFailure?
  {
    if outcome.stoodStill { return FuzzFailure(kind: "stands still") }
    if outcome.seconds >= FuzzProcess.secondsMax {
      return FuzzFailure(kind: "time", detail: "\(outcome.seconds) s")
    }
    if outcome.signal == SIGXFSZ {
      return FuzzFailure(kind: "output", detail: "more than \(FuzzProcess.outputBytesMax) bytes")
    }
    let errors = String(decoding: outcome.errors, as: UTF8.self)
    guard let code = outcome.exitCode else {
      return FuzzFailure(kind: "signal \(outcome.signal)", detail: firstLine(errors))
    }
    if outcome.peakBytes > FuzzProcess.memoryBytesMax {
      return FuzzFailure(kind: "memory", detail: "\(outcome.peakBytes >> 20) MiB")
    }
    if let text = runtimeTexts.first(where: errors.contains) {
      return FuzzFailure(kind: "runtime text", detail: text)
    }
    if !exitCodes.contains(code), ownExitCodes[execution.command[0]]?.contains(code) != true {
      return FuzzFailure(kind: "exit code \(code)", detail: firstLine(errors))
    }
    return code == 2 ? nil : notJSON(execution, code, folder)
  }

  private static func firstLine(_ text: String) -> String { String(text.prefix { $0 != "\n" }) }

  // MARK: JSON

  private static let documentForms: Set = ["json", "sarif", "gitlab"]
  private static let lineForms: Set = ["jsonl", "ndjson"]

  /// Output that claims to be JSON and isn't.
  private static func notJSON(_ execution: FuzzCase, _ code: Int32, _ folder: String)
    -> FuzzFailure?
  {
    let claims = JSONClaims(execution)
    for (path, form) in claims.files {
      if let mistake = mistake(in: folder + "/files/" + path, form, orText: true) {
        return FuzzFailure(kind: "\(form) that can't be read", detail: "in \(path): \(mistake)")
      }
    }
    guard let form = claims.output else { return nil }
    // A flag may ask for something else than what the command usually prints.
    let orText = claims.hasFlags || code == 3
    if let mistake = mistake(in: folder + "/output", form, orText: orText) {
      return FuzzFailure(
        kind: "\(form) that can't be read", detail: "on standard output: \(mistake)")
    }
    return nil
  }

  private static func mistake(in path: String, _ form: String, orText: Bool) -> String? {
    guard let size = FuzzFolder.size(path), size <= readBytesMax else { return nil }
    let bytes = FuzzFolder.read(path, bytesMax: size)
    if orText, bytes.first != UInt8(ascii: "{"), bytes.first != UInt8(ascii: "[") { return nil }
    if documentForms.contains(form) { return FuzzJSON.mistake(in: bytes) }
    for (number, line) in bytes.split(separator: 10).enumerated() {
      if let mistake = FuzzJSON.mistake(in: Array(line)) { return "line \(number + 1): \(mistake)" }
    }
    return nil
  }

  /// Where a command line says that JSON will be.
  private struct JSONClaims {
    private(set) var files: [(path: String, form: String)] = []
    private(set) var output: String?
    private(set) var hasFlags = false

    init(_ execution: FuzzCase) {
      var forms: [String] = []
      var destination: String?
      for group in execution.groups {
        let words = group.map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 2 else {
          if words.count == 1, words[0].hasPrefix("-"), words[0] != "-" { hasFlags = true }
          continue
        }
        if words[0] == "-o" || words[0] == "--output" { destination = words[1] }
        guard ["--format", "--report", "--to"].contains(words[0]) else { continue }
        let parts = words[1].split(separator: "=", maxSplits: 1).map(String.init)
        if parts.count == 2 {
          if isJSON(parts[0]) { files.append((parts[1], parts[0])) }
        } else if words[0] != "--to" {
          forms.append(words[1])
        }
      }
      if let destination, destination != "-" {
        let end = String(destination.split(separator: ".").last ?? "")
        if execution.extensionDecides, isJSON(end), forms.isEmpty {
          files.append((destination, end))
        }
      } else if destination == nil, forms.count == 1, isJSON(forms[0]) {
        output = forms[0]
      }
    }

    private func isJSON(_ form: String) -> Bool {
      documentForms.contains(form) || lineForms.contains(form)
    }
  }
}
