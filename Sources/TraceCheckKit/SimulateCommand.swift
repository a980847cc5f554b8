// `simulate`: a simulated system runs an app model, and what happens becomes a trace.

import ArgumentParser
import TraceExport
import TraceIO
import TraceModel
import TracePipeline
import TraceSimulator

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Runs an app model on a simulated system, and writes what happens as a trace.",
    discussion: """
      The seed decides what the options leave open: the system, the app and its user. The same \
      options and version give the same bytes on every machine. An app is well behaved unless \
      --fault plants a fault.

      A scenario is a text with a step per line, a wait and what happens then:
        profile ios8
        app documents, downloads
        0s open
        3s touch 5
        2s interruption phone_call accepted 20s
        10min open

      Examples:
        tracecheck simulate --seed 7 -o - --to timeline
        tracecheck simulate --scenario call.scenario --profile ios13 -o call.lctrace
        tracecheck simulate --count 1000 --to ndjson -o captures/
        tracecheck simulate --fault task-ended-twice -o - | tracecheck check -
      """)

  @Option(help: ArgumentHelp("What happens, step by step.", valueName: "file"))
  var scenario: String?

  @Option(help: ArgumentHelp("Decides everything that isn't said otherwise.", valueName: "n"))
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "The system: \(SystemProfile.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "name"))
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "What the app does: \(AppPartName.allCases.map(\.rawValue).joined(separator: ", ")); a list,"
        + " or none. What a system has nothing for is left out.",
      valueName: "parts"))
  var app: String?

  @Option(
    help: ArgumentHelp(
      "A fault to plant, with a session of its own; --list-faults names them.",
      valueName: "name"))
  var fault: String?

  @Option(help: ArgumentHelp("How many sessions, with the seeds that follow.", valueName: "n"))
  var count: Int?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, or - for standard output; with --count a directory, in which each trace"
        + " appears when it is complete.",
      valueName: "out"))
  var output: String?

  @Option(help: .traceFormat)
  var to: String?

  @Flag(help: "Print the session as a scenario, and write no trace.")
  var showScenario = false

  @Flag(help: "Print the faults that can be planted, each with its rule.")
  var listFaults = false

  func run() throws {
    if listFaults { return try printOutput(Array(Self.faultList.utf8)) }
    let sessions = try self.sessions()
    if showScenario {
      guard count == nil else {
        throw UsageError("--show-scenario prints one session; leave --count out")
      }
      let session = try sessions(seed ?? 1)
      return try printOutput(Array(ScenarioText.text(of: session.scenario).utf8))
    }
    guard let output else {
      throw UsageError("simulate needs a file to write: name it with -o, - for standard output")
    }
    Interrupt.catchNext()
    if let count { return try writeSeveral(count, into: output, sessions) }
    let format = try TraceTarget.format(to, output: output, usual: output == "-" ? "lctrace" : nil)
    var places = OutputPlaces(inputs: scenario.map { [$0] } ?? [])
    if output != "-" { try places.add(output) }
    try write(try sessions(seed ?? 1), to: output, format)
  }

  /// What makes the session of a seed.
  private func sessions() throws -> (UInt64) throws -> Simulation {
    if let fault {
      guard let planted = Fault.all.first(where: { $0.name == fault }) else {
        throw UsageError(unknown: "fault", fault, among: Fault.all.map(\.name))
      }
      guard scenario == nil, profile == nil, app == nil, seed == nil, count == nil else {
        throw UsageError(
          "a fault has a session of its own; give --fault without --scenario, --profile, --app,"
            + " --seed and --count")
      }
      return { _ in try Simulation(fault: planted) }
    }
    let (profile, parts) = (try chosenProfile(), try chosenParts())
    let scenario = try self.scenario.map(Self.read)
    return { seed in
      Simulation(seed: seed, profile: profile, parts: parts, scenario: scenario)
    }
  }

  private func chosenProfile() throws(UsageError) -> SystemProfile? {
    guard let profile else { return nil }
    guard let chosen = SystemProfile(rawValue: profile) else {
      throw UsageError(
        unknown: "profile", profile, among: SystemProfile.allCases.map(\.rawValue))
    }
    return chosen
  }

  private func chosenParts() throws(UsageError) -> [AppPartName]? {
    guard let app else { return nil }
    if app == "none" { return [] }
    var parts: [AppPartName] = []
    for name in app.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard let part = AppPartName(rawValue: name) else {
        throw UsageError(
          unknown: "part of an app", name, among: AppPartName.allCases.map(\.rawValue))
      }
      parts.append(part)
    }
    return parts
  }

  private static func read(_ path: String) throws -> Scenario {
    let bytes = try RuleFileLoader.bytes(of: path, max: ScenarioText.bytesMax)
    do throws(ScenarioError) {
      return try ScenarioText.parse(String(decoding: bytes, as: UTF8.self))
    } catch {
      let name = path == "-" ? "standard input" : path
      throw UsageError(
        PrintableText.printable("\(name):\(error.line): \(error.message)", scalarsMax: 2_000))
    }
  }

  // MARK: Writing

  private static let sessionsMax = 1_000_000

  private func writeSeveral(
    _ count: Int, into directory: String, _ sessions: (UInt64) throws -> Simulation
  ) throws {
    guard (1...Self.sessionsMax).contains(count) else {
      throw UsageError("--count takes a number from 1 to \(Self.sessionsMax), and not \(count)")
    }
    guard DirectoryListing.kind(of: directory) == .directory else {
      throw UsageError(
        "'\(PrintableText.printable(directory, scalarsMax: 200))' is no directory; with --count -o"
          + " names one that exists")
    }
    let format = try TraceTarget.format(to, output: directory, usual: "lctrace")
    let folder = directory.hasSuffix("/") ? directory : directory + "/"
    for number in 0..<count {
      if Interrupt.isRaised { throw CaptureFailure.interrupted }
      let session = try sessions((seed ?? 1) &+ UInt64(number))
      let name = "\(session.profile.rawValue)-\(session.seed).\(format.name)"
      try write(session, to: folder + name, format)
    }
  }

  private func write(
    _ session: Simulation, to path: String, _ format: CaptureFormat
  ) throws {
    var sink = WriterSink(writer: try TraceWriter(path: path, format: format))
    try session.run(into: &sink)
  }

  private static var faultList: String {
    Fault.all.map { "\($0.name)  \($0.rule)  \($0.summary)\n" }.joined()
  }
}

/// Writes a trace that somebody makes, until the user asks for the end: then nothing of it stays.
struct WriterSink: TraceSink {
  let writer: TraceWriter

  func begin(_ header: TraceHeader) throws(CaptureFailure) { try writer.begin(header) }

  func consume(_ batch: EventBatch) throws(CaptureFailure) {
    if Interrupt.isRaised { throw .interrupted }
    try writer.consume(batch)
  }

  func end() throws(CaptureFailure) {
    if Interrupt.isRaised { throw .interrupted }
    try writer.finish()
  }
}
