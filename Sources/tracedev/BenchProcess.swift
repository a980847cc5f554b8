// Runs other programs for measurements, and finds or installs those that ours is compared with.
// This file must not know what is measured.

import ArgumentParser
import Foundation

/// Runs another program and measures what it takes.
enum BenchProcess {
  /// The seconds that a run's threads ran outside the system's kernel. Its output is thrown away.
  ///
  /// - Parameter withKernel: Whether the time inside the kernel counts, too.
  static func run(_ command: [String], withKernel: Bool = false) throws -> Double {
    let before = childSeconds(withKernel)
    try launch(command)
    return childSeconds(withKernel) - before
  }

  /// The seconds from start to end.
  static func elapsed(_ command: [String]) throws -> Double {
    let start = Date()
    try launch(command)
    return Date().timeIntervalSince(start)
  }

  /// The most memory that a run had at once, in KiB.
  static func peakKibibytes(_ command: [String]) throws -> Double {
    let text = try launch(["time", "-f", "%M", "--"] + command).errors
    guard let last = text.split(separator: "\n").last, let number = Double(last) else {
      throw ValidationError("'time' of Debian says nothing of memory: \(text)")
    }
    return number
  }

  /// What a run writes to standard output.
  static func output(_ command: [String], environment: [String: String] = [:]) throws -> String {
    try launch(command, environment: environment, keepsOutput: true).output
  }

  /// The CPU time of all programs that were run so far.
  private static func childSeconds(_ withKernel: Bool) -> Double {
    var usage = rusage()
    unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + (withKernel ? seconds(usage.ru_stime) : 0)
  }

  @discardableResult
  private static func launch(
    _ command: [String], environment: [String: String] = [:], keepsOutput: Bool = false
  ) throws -> (output: String, errors: String) {
    guard let name = command.first, let program = BenchPrograms.path(of: name) else {
      throw ValidationError("there is no program '\(command.first ?? "")' in PATH")
    }
    // Errors go to a file, so that both streams can't fill up while one of them is read.
    let errorFile = try BenchFolder.url().appendingPathComponent("errors")
    try Data().write(to: errorFile)
    defer { try? FileManager.default.removeItem(at: errorFile) }
    let process = Process()
    // Itself and not by way of another program, whose time would count, too.
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = Array(command.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errorFile)
    let pipe = Pipe()
    process.standardOutput = keepsOutput ? pipe : FileHandle.nullDevice
    try start(process)
    let output = try keepsOutput ? pipe.fileHandleForReading.readToEnd() ?? Data() : Data()
    process.waitUntilExit()
    ended()
    let errors = String(decoding: try Data(contentsOf: errorFile), as: UTF8.self)
    guard process.terminationStatus == 0, process.terminationReason == .exit else {
      throw ValidationError(
        "\(command.prefix(4).joined(separator: " ")) … ended with "
          + "\(process.terminationStatus): \(errors.suffix(500))")
    }
    return (String(decoding: output, as: UTF8.self), errors)
  }

  private static let lock = NSLock()
  /// The number of the process that runs.
  private nonisolated(unsafe) static var running: Int32?

  private static func start(_ process: Process) throws {
    lock.lock()
    defer { lock.unlock() }
    try process.run()
    unsafe running = process.processIdentifier
  }

  private static func ended() {
    lock.lock()
    defer { lock.unlock() }
    unsafe running = nil
  }

  /// Waits for the end of this process if a signal asked for it.
  static func waitIfStopped() {
    lock.lock()
    lock.unlock()
  }

  /// Ends the program that runs, and what it has started. No other is started from here on: the
  /// lock stays taken, and the thread that runs programs waits until this process ends.
  static func stop() {
    lock.lock()
    guard let number = unsafe running else { return }
    // A program that is started has a group of its own, to which no terminal's signals come.
    kill(-number, SIGTERM)
    kill(number, SIGTERM)
    for _ in 0..<100 where kill(number, 0) == 0 { usleep(10_000) }
    kill(-number, SIGKILL)
  }
}

/// The programs of Debian that the measurements use.
enum BenchPrograms {
  /// Programs, and the packages they are in.
  private static let packages = [
    ("zstd", "zstd"), ("babeltrace2", "babeltrace2"), ("jq", "jq"), ("time", "time"),
    ("gcc", "gcc"), ("strace", "strace"),
  ]

  /// Where a program is: at its path, or a name in one of the folders of `PATH`.
  static func path(of program: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let places =
      program.contains("/") ? [program] : path.split(separator: ":").map { "\($0)/\(program)" }
    return places.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func has(_ program: String) -> Bool { path(of: program) != nil }

  /// Why something can't be measured; nil if all these programs are there.
  static func missing(_ programs: String...) -> String? {
    let names = programs.filter { !has($0) }
    guard !names.isEmpty else { return nil }
    return "not measured: no \(names.joined(separator: ", ")) here (--install)"
  }

  private static var missingPackages: [String] {
    packages.filter { !has($0.0) }.map(\.1)
  }

  private static var installCommand: String {
    "apt-get update && apt-get install -y \(missingPackages.joined(separator: " "))"
  }

  /// Installs what is missing, or says how if this user may not.
  static func install() throws {
    guard !missingPackages.isEmpty else { return }
    guard has("apt-get"), getuid() == 0 else {
      say("not installed, as that needs root on Debian; run: \(installCommand)")
      return
    }
    say("installing: \(missingPackages.joined(separator: " "))")
    _ = try BenchProcess.output([
      "sh", "-c",
      "DEBIAN_FRONTEND=noninteractive; "
        + "export DEBIAN_FRONTEND; \(installCommand)",
    ])
  }

  /// Says which programs are missing, before anything is measured.
  static func tellMissing() {
    guard !missingPackages.isEmpty else { return }
    say("missing: \(missingPackages.joined(separator: " ")); --install installs them")
  }

  static func say(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
