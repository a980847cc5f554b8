// The folder of one run of `bench` or `fuzz`: nobody can guess its name or write to it, and it goes
// when the run ends, by a signal, too. This file must not know what is put there.

import ArgumentParser
import Dispatch
import Foundation

/// The folder with all files of a run.
enum BenchFolder {
  private static let made: Result<URL, any Error> = Result { try make() }
  private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []

  /// The folder, made when it is first asked for.
  static func url() throws -> URL { try made.get() }

  /// Removes the folder and what is in it.
  static func remove() {
    if case .success(let folder) = made { try? FileManager.default.removeItem(at: folder) }
  }

  private static func make() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tracedev-bench-\(UUID().uuidString)")
    removeAtSignals(folder)
    // Never a folder that is there already, and closed to others from the start.
    guard unsafe mkdir(folder.path, 0o700) == 0 else {
      throw ValidationError("can't make the folder \(folder.path); TMPDIR names another place")
    }
    return folder
  }

  private static func removeAtSignals(_ folder: URL) {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let old = signal(number, SIG_IGN)
      let isIgnored = unsafe unsafeBitCast(old, to: Int.self) == 1
      // Who ignores a signal, as nohup does, wants the run to go on.
      if isIgnored { continue }
      // A handler that does nothing: the programs that are run would inherit an ignored signal.
      signal(number) { _ in }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { end(by: number, folder) }
      source.resume()
      unsafe sources.append(source)
    }
  }

  /// Ends this process as the signal would have done at once.
  private static func end(by number: Int32, _ folder: URL) {
    BenchProcess.stop()
    // The main thread may still be writing a file there.
    for _ in 0..<100 where FileManager.default.fileExists(atPath: folder.path) {
      try? FileManager.default.removeItem(at: folder)
      usleep(10_000)
    }
    signal(number, SIG_DFL)
    var numbers = sigset_t()
    unsafe sigemptyset(&numbers)
    unsafe sigaddset(&numbers, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
    raise(number)
    _exit(128 + number)
  }
}
