// The options of a command that sends metrics.

import ArgumentParser
import TraceExport
import TraceIO
import TraceModel
import TraceNotation
import TraceServe

/// Where metrics are sent, and under which labels.
struct RemoteWriteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Send the metrics to this receiver of Prometheus remote write, for example"
        + " http://127.0.0.1:9090/api/v1/write. NAME:PASSWORD@ before the host logs in"
        + " at a receiver on this machine, and like all of a command line is seen by others on this machine: see"
        + " --remote-write-credentials.",
      valueName: "url"))
  var remoteWrite: String?

  @Option(
    help: ArgumentHelp(
      "A file that says what logs in at the receiver, in one line: NAME:PASSWORD, or a token"
        + " alone, which is sent as a bearer token. It is read once, at the start. The receiver is"
        + " then on this machine.",
      valueName: "file"))
  var remoteWriteCredentials: String?

  @Option(
    help: ArgumentHelp(
      "A label for all series that are sent, for example instance=mac-3: several senders to one"
        + " receiver need one each. Repeatable.", valueName: "name=value"))
  var remoteWriteLabel: [String] = []

  /// The receiver; nil if nothing is to be sent.
  func target() throws(UsageError) -> RemoteTarget? {
    guard let remoteWrite else {
      if !remoteWriteLabel.isEmpty {
        throw UsageError("--remote-write-label is for --remote-write URL, which isn't given")
      }
      if remoteWriteCredentials != nil {
        throw UsageError("--remote-write-credentials is for --remote-write URL, which isn't given")
      }
      return nil
    }
    let credentials = try credentials()
    do throws(RemoteTarget.Refusal) {
      return try RemoteTarget(remoteWrite, credentials: credentials)
    } catch {
      // The address isn't repeated: it may hold a password.
      throw UsageError("--remote-write: \(error.text)")
    }
  }

  /// What the file says; nil if there is none. No message repeats anything of it.
  private func credentials() throws(UsageError) -> RemoteCredentials? {
    guard let path = remoteWriteCredentials else { return nil }
    let option = "--remote-write-credentials"
    if path.isEmpty { throw UsageError("\(option) names no file") }
    if path == "-" { throw UsageError("\(option) takes a file, and not standard input") }
    let shown = PrintableText.printable(path, scalarsMax: 200)
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try RuleFileLoader.bytes(of: path, max: RemoteCredentials.bytesMax)
    } catch {
      let advice = error.advice.isEmpty ? "" : "; \(error.advice)"
      throw UsageError("\(option): \(shown): \(error.message)\(advice)")
    }
    do throws(RemoteTarget.Refusal) {
      return try RemoteCredentials(file: bytes)
    } catch {
      throw UsageError("\(option): \(shown) can't be used: \(error.text)")
    }
  }

  func labels() throws(UsageError) -> RemoteLabels {
    var labels = RemoteLabels()
    for text in remoteWriteLabel {
      do throws(RemoteLabels.Refusal) {
        try labels.add(text)
      } catch {
        throw UsageError("--remote-write-label: \(error.text)")
      }
    }
    return labels
  }

  /// A duration within bounds, in nanoseconds.
  static func duration(
    _ text: String, of option: String, _ bounds: ClosedRange<Int64>
  ) throws(UsageError) -> Int64 {
    let seconds = 1_000_000_000 as Int64
    guard let nanoseconds = try? DurationText.nanoseconds(text),
      bounds.lowerBound * seconds <= nanoseconds, nanoseconds <= bounds.upperBound * seconds
    else {
      throw UsageError(
        "\(option) takes a duration from \(bounds.lowerBound)s to \(bounds.upperBound)s, for"
          + " example 30s, and not '\(PrintableText.printable(text, scalarsMax: 80))'")
    }
    return nanoseconds
  }
}
