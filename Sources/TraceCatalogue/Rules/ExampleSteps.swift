// The life-cycle steps that examples share, in the timeline notation. Times are relative, so
// that steps can be strung together.

public import TraceRules

/// Steps of examples. A trace without a header line has the header that ``header`` states.
enum Step {
  /// What an example says of its app where it says nothing itself.
  static let header =
    "header os_version=8.0 sdk_linked=8.0 multitasking_supported=true exits_on_suspend=false"
    + " background_modes=[] refresh_status=available app_kind=app coverage=[\"*\"]"

  /// A launch into the foreground; the app is active.
  static let launch = """
    +0s     proc.start into=foreground reason=user_icon
    +10ms   delegate.will_finish_launching for 20ms
    +50ms   delegate.did_finish_launching for 100ms
    +150ms  delegate.did_become_active for 1ms
    """

  /// A launch into the background.
  static let backgroundLaunch = """
    +0s     proc.start into=background reason=fetch
    +10ms   delegate.will_finish_launching for 20ms
    +50ms   delegate.did_finish_launching for 100ms
    """

  /// From active to inactive.
  static let resign = "+1s     delegate.will_resign_active for 1ms"

  /// From inactive to active.
  static let becomeActive = "+1s     delegate.did_become_active for 1ms"

  /// From active to the background.
  static let toBackground = """
    +1s     delegate.will_resign_active for 1ms
    +10ms   >delegate.did_enter_background
    +20ms   <delegate.did_enter_background
    """

  /// From the background to active.
  static let toForeground = """
    +1s     delegate.will_enter_foreground for 1ms
    +10ms   delegate.did_become_active for 1ms
    """

  /// From active to suspended.
  static let toSuspended = toBackground + "\n+1s     proc.suspend inferred=false"

  /// From suspended to running in the background.
  static let resumed = "+60s    proc.resume inferred=false reason=user_icon"

  /// The end of a complete recording.
  static let end = "+1s     trace.end reason=clean"
}

extension RuleExample {
  /// The trace as a file in the timeline notation, with a header.
  public var document: String {
    let hasHeader = timeline.split(separator: "\n").contains { $0.hasPrefix("header ") }
    return "timeline 1\n" + (hasHeader ? "" : Step.header + "\n") + timeline + "\n"
  }
}
