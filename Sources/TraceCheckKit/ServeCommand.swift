// `serve`: watches a directory of captures and shows what is found in them.

import ArgumentParser
import Foundation
import TraceConfiguration
import TraceExport
import TraceIO
import TraceModel
import TracePipeline
import TraceServe

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Watches a directory of captures and shows what is found in them.",
    discussion: """
      Captures that arrive, grow or are replaced are checked once each. The first page lists them; \
      /metrics is for Prometheus, /timeline/ID shows one trace, /api/traces is for programs, \
      /healthz for supervisors. It listens on this machine only, unless told otherwise, and asks \
      nobody who they are: put a proxy with a login before it where others can reach it.

      With --remote-write the metrics are also sent to a receiver of Prometheus remote write 1.0 \
      at an interval, and once more at the end. A receiver that can't be reached is tried again; \
      what waits for it is replaced by newer totals, which say the same and more.

      Examples:
        tracecheck serve captures/
        tracecheck serve captures/ --listen 127.0.0.1:0 --state /var/lib/tracecheck
      """)

  @Argument(help: ArgumentHelp("The directory with the captures.", valueName: "dir"))
  var directory: String

  @Option(
    help: ArgumentHelp(
      "Where to listen, an address in numbers; port 0 takes any free port.",
      valueName: "host:port"))
  var listen = "127.0.0.1:9477"

  @Option(
    help: ArgumentHelp(
      "Another name under which the server may be addressed, or * for any. Repeatable.",
      valueName: "name"))
  var allowHost: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keep results in this directory over restarts, so that counters never fall.",
      valueName: "dir"))
  var state: String?

  @OptionGroup(title: "Remote write options") var remote: RemoteWriteOptions

  @Option(
    help: ArgumentHelp(
      "How often metrics are sent, from 1s to 1h. (default: 15s)", valueName: "duration"))
  var remoteWriteInterval: String?

  @OptionGroup(title: "Rule options") var rules: RuleOptions

  func run() throws {
    guard DirectoryListing.kind(of: directory) == .directory else {
      throw UsageError(
        "'\(PrintableText.printable(directory, scalarsMax: 200))' is no directory; name the one"
          + " that holds the captures")
    }
    let (configuration, files) = try rules.effectiveConfiguration(failOn: nil)
    configuration.printExpiryWarnings()
    var settings = ServerSettings(directory: directory) {
      var run = configuration.run()
      run.measuring = .totals
      return run
    }
    (settings.host, settings.port) = try address()
    settings.allowedHosts = allowHost
    settings.remoteWrite = try remoteWrite()
    settings.stateDirectory = try stateDirectory()
    settings.toolVersion = TraceCheck.version
    settings.terms = terms(files, configuration)
    Interrupt.catchNext()
    let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
    let shown = PrintableText.printable(directory, scalarsMax: 200)
    do throws(ServerFailure) {
      try CaptureServer.run(
        settings,
        started: { port in
          try? printOutput(Array("serving \(shown) at http://\(host):\(port)/\n".utf8))
        },
        warn: { text in
          printProblems(Array("warning: \(PrintableText.printable(text))\n".utf8))
        })
    } catch {
      throw UsageError("\(error.message); \(error.advice)")
    }
  }

  private func remoteWrite() throws(UsageError) -> RemoteWriteSettings? {
    let interval = try RemoteWriteOptions.duration(
      remoteWriteInterval ?? "15s", of: "--remote-write-interval", 1...3_600)
    guard let target = try remote.target() else {
      if remoteWriteInterval != nil {
        throw UsageError("--remote-write-interval is for --remote-write URL, which isn't given")
      }
      return nil
    }
    var settings = RemoteWriteSettings(target)
    settings.labels = try remote.labels()
    settings.intervalNanoseconds = interval
    return settings
  }

  /// Everything that decides what is found in a capture.
  private func terms(_ files: [String], _ configuration: EffectiveConfiguration) -> String {
    var parts = [TraceCheck.version, rules.profile ?? "", rules.watchdog ?? ""]
    for list in [rules.only, rules.skip, rules.thresholds, rules.severities] {
      parts.append("\(list)")
    }
    for file in files {
      let content = FileManager.default.contents(atPath: file) ?? Data()
      parts.append(String(decoding: content, as: UTF8.self))
    }
    // A suppression that has expired since brings its findings back.
    let suppressions = configuration.configuration.suppressions
    parts.append("\(suppressions.count { $0.isExpired(today: configuration.today) })")
    return "\(parts)"
  }

  /// The state must not be found among the captures.
  private func stateDirectory() throws -> String? {
    guard let state else { return nil }
    let (inner, outer) = (absolute(state), absolute(directory))
    if inner == outer || inner.hasPrefix(outer + "/") {
      throw UsageError("the directory of --state lies in the one that is served; put it elsewhere")
    }
    return state
  }

  private func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }

  private func address() throws -> (String, UInt16) {
    let shown = PrintableText.printable(listen, scalarsMax: 80)
    guard let colon = listen.lastIndex(of: ":"),
      let port = UInt16(listen[listen.index(after: colon)...])
    else {
      throw UsageError(
        "--listen takes HOST:PORT, for example 127.0.0.1:9477 or [::1]:0, and not '\(shown)'")
    }
    var host = String(listen[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if host == "localhost" { host = "127.0.0.1" }
    guard !host.isEmpty else {
      throw UsageError("--listen needs an address before the colon, for example 127.0.0.1:9477")
    }
    return (host, port)
  }
}
