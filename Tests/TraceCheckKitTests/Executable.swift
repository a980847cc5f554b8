// Finds and runs the built program, so that exit codes are proven on the real thing.

import Foundation
import Testing

/// The built executable.
enum Executable {
  /// Its path: `TRACECHECK_EXECUTABLE`, or beside the test bundle; nil if it wasn't built.
  static let path: String? = {
    if let path = ProcessInfo.processInfo.environment["TRACECHECK_EXECUTABLE"] { return path }
    let bundle = URL(fileURLWithPath: CommandLine.arguments.first ?? "")
    var folder = bundle.deletingLastPathComponent()
    // On macOS the bundle is a folder with the program some levels down.
    for _ in 0..<4 {
      let candidate = folder.appendingPathComponent("tracecheck").path
      let type = try? FileManager.default.attributesOfItem(atPath: candidate)[.type]
      if type as? FileAttributeType == .typeRegular {
        return candidate
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  /// Whether tests of the executable run. On a CI machine a missing one is a failure.
  static var isExpected: Bool {
    path != nil || ProcessInfo.processInfo.environment["CI"] == "true"
  }

  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs the program to its end.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(path, "tracecheck isn't built"))
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let folder = NSTemporaryDirectory() + "tracecheck-run-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // Files instead of pipes: nobody has to read while the program writes.
    for name in ["out", "err"] {
      try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    try Data(input.utf8).write(to: URL(fileURLWithPath: "\(folder)/in"))
    process.standardInput = FileHandle(forReadingAtPath: "\(folder)/in")
    process.standardOutput = FileHandle(forWritingAtPath: "\(folder)/out")
    process.standardError = FileHandle(forWritingAtPath: "\(folder)/err")
    try process.run()
    process.waitUntilExit()
    func text(_ name: String) throws -> String {
      String(
        decoding: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")), as: UTF8.self)
    }
    return Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : -1,
      output: try text("out"), errors: try text("err"))
  }
}
