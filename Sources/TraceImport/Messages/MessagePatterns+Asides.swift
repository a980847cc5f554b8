// More of the table of messages: what Swift prints of a crash, and what the system does for apps.
// This file must not know line formats; it sees messages only.

import TraceModel

extension MessagePattern {
  /// The patterns of this file.
  static let asides: [MessagePattern] = swiftCrashes + told

  /// What Swift's runtime prints of a fault. Apps print "Fatal error" of their own: without the
  /// place in the source it isn't believed, nor with other words behind it.
  private static let swiftCrashes: [MessagePattern] =
    [
      MessagePattern(
        .logger, "Fatal error: ", .exit, exit: ExitRecord(cause: "crash"),
        .explanation(after: ""), .presence(of: ": file "), .presence(of: ", line ")),
      // A program that was built for release names no place.
      MessagePattern(
        .logger, "Fatal error: Unexpectedly found nil while ", .exit,
        exit: ExitRecord(cause: "crash", explanation: "Unexpectedly found nil")),
    ]
    + ["Fatal error", "Assertion failed", "Precondition failed"].map { (words: String) in
      MessagePattern(
        .logger, " \(words)", .exit, exit: ExitRecord(cause: "crash", explanation: words),
        isBehindLocation: true, .explanation(after: " \(words): "))
    }

  /// What the system does for apps. It says that a process is one, and nothing of what it did.
  private static let told: [MessagePattern] = [
    MessagePattern(.named, "Received trusted open application request for ", .launchTold),
    MessagePattern(.named, "Executing suspended-activation immediately: ", .launchTold),
    MessagePattern(.named, "Submitted job with label: UIKitApplication:", .launchTold),
    MessagePattern(.named, "Deleted job with label: UIKitApplication:", .launchTold),
    MessagePattern(
      .leadingTarget, " setpriority success for resource GPU to PRIO_DARWIN_GPU_", .rightsTold),
    MessagePattern(.leadingTarget, " Set Darwin GPU to ", .rightsTold),
    MessagePattern(.named, "Setting up BG permission check timer for ", .rightsTold),
    MessagePattern(.named, "Sending background permission expiration warning", .rightsTold),
    MessagePattern(.named, "Assertions for process will expire soon: ", .rightsTold),
  ]
}
