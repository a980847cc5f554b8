// `metrics`: captures as numbers for Prometheus.

import ArgumentParser
import TraceConfiguration
import TraceExport
import TraceIO
import TraceModel
import TracePipeline
import TraceServe

struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Prints what captures hold as metrics for Prometheus.",
    discussion: """
      Findings, durations with a limit, states and terminations of all captures, added up. The \
      exit status is 0 also where there are findings.

      With --timestamps every number is printed at the time it had, for backfill: a capture needs \
      a wall-clock anchor for that (wall_ns of trace.start or trace.clock_sync), and must be over \
      three hours old. A trace that can't be placed is left out, told on standard error, and makes \
      the exit status 3.

      With --remote-write the numbers go to a receiver of Prometheus remote write 1.0 instead of \
      standard output: totals at the time of sending, or with --timestamps each at its own time, \
      which Prometheus takes for about the last hour only, and VictoriaMetrics always. A request \
      that fails is sent again until the time of --remote-write-timeout is over; one that the \
      receiver refuses isn't. What became of the samples is told on standard error, and the exit \
      status is 3 unless all were taken. Only http is spoken: put an agent before a receiver that \
      is somewhere else.

      Examples:
        tracecheck metrics captures/
        tracecheck metrics captures/ --textfile /var/lib/node_exporter/tracecheck.prom
        tracecheck metrics captures/ | curl --data-binary @- http://gateway:9091/metrics/job/ci
        tracecheck metrics captures/ --timestamps > x.om
        promtool tsdb create-blocks-from openmetrics x.om blocks/
        tracecheck metrics captures/ --remote-write http://127.0.0.1:9090/api/v1/write
      """)

  @OptionGroup var capturePaths: CapturePaths
  @OptionGroup(title: "Input options") var input: InputOptions
  @OptionGroup(title: "Rule options") var rules: RuleOptions

  @Option(
    help: ArgumentHelp(
      "text (0.0.4), or openmetrics with units and exemplars. (default: text; openmetrics with"
        + " --timestamps)", valueName: "format"))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Write to this file, which appears whole or not at all, for node_exporter's textfile"
        + " collector.", valueName: "file"))
  var textfile: String?

  @Flag(help: "Print every number at the time it had, to be made into blocks by promtool.")
  var timestamps = false

  @Option(
    help: ArgumentHelp(
      "Series with names from captures that are told apart; the others are called 'other'.",
      valueName: "number"))
  var maxSeries = MetricSet.defaultSeriesMax

  @OptionGroup(title: "Remote write options") var remote: RemoteWriteOptions

  @Option(
    help: ArgumentHelp(
      "How long sending may take, with all that is sent again, from 1s to 24h. (default: 60s)",
      valueName: "duration"))
  var remoteWriteTimeout: String?

  private static let maxSeriesMax = 1_000_000

  func run() throws {
    let format = try chosenFormat()
    guard (0...Self.maxSeriesMax).contains(maxSeries) else {
      throw UsageError("--max-series takes a number from 0 to \(Self.maxSeriesMax)")
    }
    let sending = try sending()
    let inputs = try capturePaths.inputs()
    let (configuration, files) = try rules.effectiveConfiguration(failOn: nil)
    var run = configuration.run()
    run.format = try input.format()
    run.overrides = try input.overrides()
    run.measuring = timestamps ? .timed : .totals
    var output = try MetricsOutput(
      textfile: textfile,
      inputs: inputs.pathsNotToOverwrite + capturePaths.filesFrom + files
        + [remote.remoteWriteCredentials].compactMap { $0 })
    configuration.printExpiryWarnings()
    Interrupt.catchNext()
    let isWhole =
      timestamps
      ? try backfill(run, inputs, sending, &output)
      : try total(run, inputs, format, sending, &output)
    try output.commit()
    try sending?.finish()
    throw CommandExit(code: isWhole || input.allowDamaged ? .done : .damagedInput)
  }

  /// Where metrics are sent; nil if they are printed.
  private func sending() throws(UsageError) -> MetricsSending? {
    let target = try remote.target()
    let timeout = try RemoteWriteOptions.duration(
      remoteWriteTimeout ?? "60s", of: "--remote-write-timeout", 1...86_400)
    guard let target else {
      if remoteWriteTimeout != nil {
        throw UsageError("--remote-write-timeout is for --remote-write URL, which isn't given")
      }
      return nil
    }
    if format != nil {
      throw UsageError("--remote-write has a format of its own; leave --format away")
    }
    return MetricsSending(target, labels: try remote.labels(), timeoutNanoseconds: timeout)
  }

  private func chosenFormat() throws(UsageError) -> MetricFormat {
    var chosen = timestamps ? MetricFormat.openMetrics : .text
    if let format {
      guard let known = MetricFormat(rawValue: format) else {
        throw UsageError(
          unknown: "metrics format", format, among: MetricFormat.allCases.map(\.rawValue))
      }
      chosen = known
    }
    if timestamps, chosen != .openMetrics {
      throw UsageError(
        "--timestamps is for promtool, which reads openmetrics only; leave --format away")
    }
    if textfile != nil, timestamps {
      throw UsageError(
        "the textfile collector refuses timestamps; write --timestamps to standard output")
    }
    if textfile == "-" {
      throw UsageError("--textfile takes the name of a file; standard output needs no option")
    }
    if textfile != nil, chosen != .text {
      throw UsageError("the textfile collector reads --format text only")
    }
    return chosen
  }

  /// Adds everything up; false if an input was unreadable or damaged.
  private func total(
    _ run: CheckRun, _ inputs: CaptureInputs, _ format: MetricFormat, _ sending: MetricsSending?,
    _ output: inout MetricsOutput
  ) throws -> Bool {
    var metrics = MetricSet(seriesMax: maxSeries)
    var hasFailure = false
    var start = ProcessEnvironment.monotonicNanoseconds()
    let isWhole = try check(run, inputs) { capture in
      hasFailure = hasFailure || capture.failure != nil
      metrics.add(capture)
      let now = ProcessEnvironment.monotonicNanoseconds()
      if capture.copyOf == nil { metrics.addCheck(durationNanoseconds: now - start) }
      start = now
    }
    let end = ProcessEnvironment.secondsSince1970()
    let success = hasFailure ? textfile.flatMap(EarlierTextfile.lastSuccessSeconds) : end
    let made = MetricRun(
      version: TraceCheck.version, endSeconds: end, lastSuccessSeconds: success)
    if let sending { sending.send(metrics, made) }
    if sending == nil || textfile != nil { try output.write(metrics.text(format, run: made)) }
    return isWhole
  }

  /// Puts everything at its time; false if something was left out.
  private func backfill(
    _ run: CheckRun, _ inputs: CaptureInputs, _ sending: MetricsSending?,
    _ output: inout MetricsOutput
  ) throws -> Bool {
    var backfill = Backfill(
      nowSeconds: ProcessEnvironment.secondsSince1970(), seriesMax: maxSeries,
      for: sending == nil ? .blocks : .remoteWrite)
    var hasRefusal = false
    let isWhole = try check(run, inputs) { capture in
      for text in backfill.add(capture) {
        hasRefusal = true
        let failure = CaptureFailure("\(sending == nil ? "not backfilled" : "not sent"): \(text)")
        printProblems(
          ProblemText.lines(of: JudgedCapture(path: capture.path, failure: failure)))
      }
    }
    if let sending {
      sending.send(backfill)
    } else {
      try backfill.write { try output.write($0) }
    }
    return isWhole && !hasRefusal
  }

  /// Checks the inputs and tells their problems; false if one was unreadable or damaged.
  private func check(
    _ run: CheckRun, _ inputs: CaptureInputs, take: (JudgedCapture) -> Void
  ) throws -> Bool {
    let progress = Progress(startNanoseconds: ProcessEnvironment.monotonicNanoseconds())
    defer { progress.clear() }
    var isWhole = true
    try run.check(
      inputs, observer: CheckRun.Observer(progress: { progress.add(events: $0) })
    ) { capture in
      progress.clear()
      progress.addCapture()
      printProblems(ProblemText.lines(of: capture))
      isWhole = isWhole && capture.failure == nil && !capture.isDamaged
      take(capture)
    }
    return isWhole
  }
}

/// Where the metrics go.
struct MetricsOutput: ~Copyable {
  private var file: OutputFile?
  private var stream = OutputStream.standardOutput

  /// - Parameter inputs: Files that must not be written over.
  init(textfile: String?, inputs: [String]) throws {
    var places = OutputPlaces(inputs: inputs)
    guard let textfile else { return }
    try places.add(textfile)
    file = try OutputFile(path: textfile)
  }

  mutating func write(_ bytes: [UInt8]) throws(FileError) {
    if file == nil { try stream.write(bytes) } else { try file?.write(bytes) }
  }

  mutating func commit() throws(FileError) {
    if let file = file.take() { try file.commit() }
  }
}

/// What the textfile that is replaced said: a failing run must not make the last success unknown.
enum EarlierTextfile {
  /// A file of this many bytes holds more series than a collector takes.
  private static let bytesMax = 64 << 20

  static func lastSuccessSeconds(_ path: String) -> Int64? {
    var bytes: [UInt8] = []
    do throws(FileError) {
      var file = try InputFile(path: path)
      if file.isLive { return nil }
      reading: while bytes.count <= bytesMax {
        switch try file.read(into: &bytes, limit: 65_536) {
        case .end: break reading
        case .bytes, .timeout, .interrupted: continue
        }
      }
    } catch {
      return nil
    }
    let name = Array("\(MetricFamily.lastSuccess.name) ".utf8)
    let line = bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: name) }
    return line.flatMap { Int64(String(decoding: $0.dropFirst(name.count), as: UTF8.self)) }
  }
}
