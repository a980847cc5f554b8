// Runs the program once in a folder of its own, within limits of time, memory and output.
// This file must not know what is expected of it.

import ArgumentParser
import Foundation

/// How an execution ended.
struct FuzzOutcome: Sendable {
  /// The exit code, or nil if a signal ended it.
  var exitCode: Int32?
  var signal: Int32 = 0
  var seconds = 0.0
  var peakBytes = 0
  /// It was ended because it stood still.
  var stoodStill = false
  var errors: [UInt8] = []
}

/// Starts the program and waits for its end.
struct FuzzProcess: Sendable {
  /// The program, by its whole path.
  var program: String

  /// Nothing of some hundred kilobytes takes longer on a processor.
  static let secondsMax = 20.0
  /// A command that waits for nothing doesn't stand still that long, even on a busy machine.
  private static let elapsedSecondsMax = 120.0
  /// What is measured at the end; the system's own limit guards the machine.
  static let memoryBytesMax = 1 << 30
  static let outputBytesMax = 1 << 30
  private static let addressKibibytesMax = 8 << 20
  private static let keptErrorBytes = 4_096

  /// A shell sets the limits: there is no other way to set them between start and program.
  private static let script = """
    cd "$1" || exit 125
    in=$2 program=$3; shift 3
    ulimit -c 0; ulimit -t \(Int(secondsMax)); ulimit -f \(outputBytesMax / 512)
    ulimit -v \(addressKibibytesMax) 2>/dev/null
    exec "$program" "$@" <"$in" >../output 2>../errors
    """

  /// Runs an execution whose files are in `files` below the folder; output and errors come beside.
  func run(_ execution: FuzzCase, in folder: String) -> FuzzOutcome {
    let start = ContinuousClock.now
    let head = [
      "sh", "-c", Self.script, "sh", folder + "/files", execution.input ?? "/dev/null", program,
    ]
    guard let number = spawn(head.map { Array($0.utf8) } + execution.arguments) else {
      return FuzzOutcome(exitCode: 125)
    }
    var outcome = FuzzOutcome()
    var status: Int32 = 0
    var usage = rusage()
    var pauseMicroseconds: UInt32 = 500
    while unsafe wait4(number, &status, WNOHANG, &usage) == 0 {
      if !outcome.stoodStill, ContinuousClock.now - start > .seconds(Self.elapsedSecondsMax) {
        outcome.stoodStill = true
        kill(number, SIGKILL)
      }
      usleep(pauseMicroseconds)
      pauseMicroseconds = min(pauseMicroseconds * 2, 8_000)
    }
    // The words of the status, which C tells apart by macros.
    outcome.signal = status & 0x7f
    outcome.exitCode = outcome.signal == 0 ? (status >> 8) & 0xff : nil
    outcome.seconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    #if canImport(Darwin)
      outcome.peakBytes = usage.ru_maxrss
    #else
      outcome.peakBytes = usage.ru_maxrss << 10
    #endif
    outcome.errors = FuzzFolder.read(folder + "/errors", bytesMax: Self.keptErrorBytes)
    return outcome
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }

  /// The environment is always the same. A trap is told by its signal: to walk the stack takes
  /// seconds.
  private static let environment = [
    "PATH=/usr/bin:/bin", "HOME=/nonexistent", "SWIFT_BACKTRACE=enable=no", "LC_ALL=C.UTF-8",
    "TZ=UTC",
  ]

  private func spawn(_ arguments: [[UInt8]]) -> pid_t? {
    var number: pid_t = 0
    let words = unsafe Self.pointers(arguments)
    let variables = unsafe Self.pointers(Self.environment.map { Array($0.utf8) })
    defer {
      let copies = unsafe words + variables
      for place in unsafe copies.indices { unsafe free(copies[place]) }
    }
    let result = unsafe posix_spawn(&number, "/bin/sh", nil, nil, words, variables)
    return result == 0 ? number : nil
  }

  private static func pointers(_ texts: [[UInt8]]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe texts.map { bytes in
      unsafe (bytes.filter { $0 != 0 } + [0]).withUnsafeBufferPointer { buffer in
        unsafe buffer.withMemoryRebound(to: CChar.self) { unsafe strdup($0.baseAddress!) }
      }
    } + [nil]
  }
}

/// The folders of executions.
enum FuzzFolder {
  /// Makes the folder of an execution anew, with its files.
  static func write(_ execution: FuzzCase, to folder: String) throws {
    let manager = FileManager.default
    try? manager.removeItem(atPath: folder)
    try manager.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
    for file in execution.files {
      let url = URL(fileURLWithPath: folder + "/files/" + file.path)
      if file.path.contains("/") {
        try manager.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      try Data(file.bytes).write(to: url)
    }
  }

  /// The beginning of a file; empty if there is none.
  static func read(_ path: String, bytesMax: Int) -> [UInt8] {
    guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? handle.close() }
    return [UInt8]((try? handle.read(upToCount: bytesMax)) ?? Data())
  }

  /// The size of an ordinary file; nil if there is none.
  static func size(_ path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular else {
      return nil
    }
    return (attributes[.size] as? NSNumber)?.intValue
  }
}

/// What the program says when nothing is wrong.
struct FuzzAnswers {
  var process: FuzzProcess
  var folder: String

  private static let answerBytesMax = 64 << 20

  /// What a command prints, or writes to a file beside the ones it is given.
  func answer(_ arguments: [String], _ files: [FuzzFile] = [], writtenTo path: String? = nil) throws
    -> [UInt8]
  {
    let execution = execution(arguments, files)
    let outcome = try run(execution)
    guard outcome.exitCode == 0 || outcome.exitCode == 1 else {
      let errors = String(decoding: outcome.errors, as: UTF8.self)
      throw ValidationError("\(execution.shortText()) fails: \(errors)")
    }
    let place = path.map { "/files/" + $0 } ?? "/output"
    return FuzzFolder.read(folder + place, bytesMax: Self.answerBytesMax)
  }

  /// What a command says that ends with an error.
  func errors(_ arguments: [String]) throws -> String {
    String(decoding: try run(execution(arguments, [])).errors, as: UTF8.self)
  }

  private func execution(_ arguments: [String], _ files: [FuzzFile]) -> FuzzCase {
    let groups = arguments.dropFirst().map { [Array($0.utf8)] }
    return FuzzCase(command: Array(arguments.prefix(1)), groups: groups, files: files)
  }

  private func run(_ execution: FuzzCase) throws -> FuzzOutcome {
    try FuzzFolder.write(execution, to: folder)
    return process.run(execution, in: folder)
  }
}
