// One pattern of a user: which log line means which event. This file must not know line formats.

public import TraceModel

/// Makes an event of a line of an app's own.
public struct CapturePattern: Sendable {
  /// An argument of the event, and how its text is read.
  public struct Argument: Sendable {
    public var name: ArgumentName
    public var reading: ValueReading
    public var template: ValueTemplate

    public init(name: ArgumentName, reading: ValueReading, template: ValueTemplate) {
      self.name = name
      self.reading = reading
      self.template = template
    }
  }

  /// For which apps a pattern is.
  public struct Apps: Sendable {
    /// As it is written in the configuration.
    public var pattern: String
    public var contains: @Sendable (_ bundleID: String) -> Bool

    public init(pattern: String, contains: @escaping @Sendable (_ bundleID: String) -> Bool) {
      self.pattern = pattern
      self.contains = contains
    }
  }

  /// The message, without what the log prints before it.
  public var message: LineGlob
  public var event: KindDescription
  public var phase: Phase
  public var arguments: [Argument] = []
  /// The thread's number, which may come from a field; nil for the thread of the line.
  public var thread: ValueTemplate?
  /// The name of the process whose lines they are; nil for any.
  public var process: LineGlob?
  /// Nil for all apps.
  public var apps: Apps?
  /// Whether the lines show everything of the event's namespace; nil to conclude it from what the
  /// other patterns show.
  public var coversNamespace: Bool?
  /// Where it is written, for messages: `.tracecheck.yml:4`.
  public var origin: String

  public init(message: LineGlob, event: KindDescription, phase: Phase, origin: String) {
    self.message = message
    self.event = event
    self.phase = phase
    self.origin = origin
  }

  /// Whether the pattern is for an app; one without a name is none that a section names.
  func isFor(app: String?) -> Bool {
    guard let apps else { return true }
    return app.map(apps.contains) ?? false
  }

  /// Callbacks run on the main thread, whoever logs them.
  var isCallback: Bool {
    event.shape == .span && (event.namespace == "delegate" || event.namespace == "scene")
  }
}
