// The few things about its own process that the program asks for.

import TraceModel

/// Clock, environment variables, signals and the end of this process.
public enum ProcessEnvironment {
  /// Nanoseconds of a clock that only goes forward; its zero means nothing.
  public static func monotonicNanoseconds() -> Int64 { SystemCalls.monotonicNanoseconds() }

  /// Nanoseconds since 1970 in UTC, by the system's calendar clock.
  public static func nanosecondsSince1970() -> Int64 { SystemCalls.wallNanoseconds() }

  /// Seconds since 1970 in UTC, by the system's calendar clock.
  public static func secondsSince1970() -> Int64 { SystemCalls.secondsSince1970() }

  /// The value of an environment variable; nil if it isn't set.
  public static func variable(_ name: String) -> String? { SystemCalls.environment(name) }

  /// The absolute path of the folder that the process runs in; nil if it can't be told.
  public static func workingFolder() -> String? { SystemCalls.workingFolder() }

  /// Makes writing to a pipe without a reader an error instead of a signal.
  public static func ignoreBrokenPipes() { SystemCalls.ignoreBrokenPipes() }

  public static func exit(_ code: Int32) -> Never { SystemCalls.exit(code) }
}
