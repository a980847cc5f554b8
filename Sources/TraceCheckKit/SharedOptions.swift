// Options that several commands share, and how their texts become values.

public import ArgumentParser
import TraceConfiguration
import TraceExport
import TraceIO
import TraceModel
import TracePipeline

/// How captures are read.
struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format of the input, instead of recognising it by content.", valueName: "format"))
  var from: String?

  @Option(
    name: .customLong("header"),
    help: ArgumentHelp(
      "A header field that the capture lacks, for example os_version=8.1. Repeatable.",
      valueName: "field=value"))
  var headerFields: [String] = []

  @Flag(help: "Exit with 0 or 1 although an input was unreadable or damaged.")
  var allowDamaged = false

  func format() throws(UsageError) -> CaptureFormat? {
    guard let from else { return nil }
    guard let format = CaptureFormats.named(from) else {
      throw UsageError(unknown: "capture format", from, among: CaptureFormats.all.map(\.name))
    }
    return format
  }

  func overrides() throws(UsageError) -> HeaderOverrides {
    var overrides = HeaderOverrides()
    for text in headerFields {
      do throws(HeaderOverrides.Refusal) {
        try overrides.add(text)
      } catch {
        throw UsageError(refusedHeader: error, text)
      }
    }
    return overrides
  }
}

extension UsageError {
  fileprivate init(refusedHeader refusal: HeaderOverrides.Refusal, _ text: String) {
    let shown = PrintableText.printable(text, scalarsMax: 80)
    switch refusal {
    case .noEqualsSign:
      self.init("--header takes FIELD=VALUE, for example os_version=8.1, and not '\(shown)'")
    case .unknownField(let name):
      self.init(unknown: "header field", name, among: HeaderField.allCases.map(\.name))
    case .wrongValue(let field, let value):
      let expected =
        switch field.type {
        case .integer: "an integer"
        case .boolean: "true or false"
        case .string: "a text"
        case .strings: "a list such as audio,fetch"
        }
      self.init(
        "the header field \(field.name) is \(expected), and not"
          + " '\(PrintableText.printable(value, scalarsMax: 80))'")
    }
  }
}

/// The forms of what a command prints about the tool itself.
enum PrintFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// When to use colours.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  /// Whether to colour what goes to a stream.
  func usesColor(isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      // Set and not empty, as no-color.org has it.
      let isRefused = !(ProcessEnvironment.variable("NO_COLOR") ?? "").isEmpty
      return isTerminal && !isRefused && ProcessEnvironment.variable("TERM") != "dumb"
    }
  }
}

extension FailureLevel: ExpressibleByArgument {
  init(_ level: FailOn) {
    self =
      switch level {
      case .error: .error
      case .warning: .warning
      case .note: .note
      case .never: .never
      }
  }
}

/// Writes all of a text to standard output.
func printOutput(_ bytes: [UInt8]) throws(FileError) {
  var output = OutputStream.standardOutput
  try output.write(bytes)
}

/// Writes problems of inputs to standard error. If even that fails there is nobody left to tell.
func printProblems(_ bytes: [UInt8]) {
  var errors = OutputStream.standardError
  try? errors.write(LogCommands.brokenLines(bytes))
}
