// What the recorder asks of its own process: clocks, identity, threads, locks, forks.

import CTraceAtomics
import TraceModel

/// The clocks of the device and of this process, in nanoseconds.
public enum ProcessClocks {
  /// Goes on while the device sleeps. No system call.
  @inline(__always)
  public static func continuousNanoseconds() -> Int64 {
    SystemCalls.nanoseconds(of: SystemCalls.continuousClock)
  }
  /// Stands still while the device sleeps.
  public static func uptimeNanoseconds() -> Int64 {
    SystemCalls.nanoseconds(of: SystemCalls.uptimeClock)
  }
  /// Since 1970 in UTC.
  public static func wallNanoseconds() -> Int64 { SystemCalls.wallNanoseconds() }
  /// Processor time that all threads of this process have used.
  public static func processorNanoseconds() -> Int64 { SystemCalls.processNanoseconds() }
  /// The number of this process.
  public static func processNumber() -> Int32 { SystemCalls.processNumber() }
  /// The same number until the device starts again; 0 if the system doesn't tell.
  public static func bootNumber() -> UInt64 { lct_boot_number() }
  /// Whether a process lives, as far as this one may know.
  public static func isAlive(process number: Int32) -> Bool { lct_process_lives(number) != 0 }
  /// The name of the machine as the system has it, for example `iPhone15,2`.
  public static func machineName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    // The array is as long as it says, and a zero always stands at its end.
    unsafe name.withUnsafeMutableBufferPointer { buffer in
      if let start = buffer.baseAddress { unsafe lct_machine_name(start, buffer.count) }
    }
    return String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
  /// Waits, at most until a signal arrives.
  public static func sleep(milliseconds: Int32) { SystemCalls.sleep(milliseconds: milliseconds) }
}

/// A lock that holds a thread back. Never used where events are appended.
@safe public final class SystemLock: @unchecked Sendable {
  private let lock: UnsafeMutableRawPointer?

  public init() { unsafe lock = lct_lock_create() }

  deinit {
    // Made by the call that destroys it; nobody holds it once its last owner is gone.
    if let lock = unsafe lock { unsafe lct_lock_destroy(lock) }
  }

  public func withLock<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if let lock = unsafe lock { unsafe lct_lock(lock) }
    defer { if let lock = unsafe lock { unsafe lct_unlock(lock) } }
    return try body()
  }
}

/// Threads that run beside the app.
public enum BackgroundThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs a body on a thread of its own. False if the system has none to give.
  ///
  /// - Parameter stackBytes: The size of its stack; 0 for what the system thinks is enough.
  public static func start(
    stackBytes: Int = 0, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let work = unsafe Unmanaged.passRetained(Work(body))
    let number = unsafe lct_thread_start(
      { context in
        // Retained by the one who started the thread, for it alone.
        if let context = unsafe context {
          unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        }
      }, work.toOpaque(), max(0, stackBytes))
    if number != 0 { unsafe work.release() }
    return number == 0
  }
}

/// Makes a child process that was forked leave the files of its parent alone.
public enum ForkGuard {
  /// Words at once: recorders of one process.
  public static let wordsMax = 64

  // Written under the lock, read in a child that has one thread and can't lock: one aligned word
  // each, so it sees the old value or the new one.
  private nonisolated(unsafe) static let words =
    UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>.allocate(capacity: wordsMax)
  private static let lock = SystemLock()
  private static let isInstalled: Bool = {
    unsafe words.initialize(repeating: nil, count: wordsMax)
    return lct_at_fork { ForkGuard.childWasForked() } == 0
  }()

  /// Sets a word to its largest value in every child from now on. False if there is no room.
  public static func protect(_ word: UnsafeMutablePointer<UInt64>) -> Bool {
    guard isInstalled else { return false }
    return lock.withLock {
      for place in 0..<wordsMax where unsafe words[place] == nil {
        unsafe words[place] = unsafe word
        return true
      }
      return false
    }
  }

  public static func release(_ word: UnsafeMutablePointer<UInt64>) {
    lock.withLock {
      for place in 0..<wordsMax where unsafe words[place] == word { unsafe words[place] = nil }
    }
  }

  fileprivate static func childWasForked() {
    for place in 0..<wordsMax {
      if let word = unsafe words[place] { unsafe lct_store_ordered(word, .max) }
    }
  }
}
