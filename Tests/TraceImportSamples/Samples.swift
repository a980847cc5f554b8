// Captures written in the grammars of the formats, for several tests.

/// A Console.app line.
package func console(_ time: String, _ process: String, _ message: String) -> String {
  "default\t\(time)+0200\t\(process)\t\(message)\n"
}

package enum Samples {
  /// A launch with tasks of the app and of UIKit, an interruption, and a task that is never ended.
  package static let consoleLaunch =
    console(
      "09:15:00.000100", "Notes",
      "Deactivation reason added: 10; deactivation reasons: 0 -> 1024; animating application lifecycle event: 0"
    )
    + console(
      "09:15:00.010000", "Notes",
      "Created background task <_UIBackgroundTaskInfo: 0x10a000000>: taskID = 1, taskName = Launch Background Task for Coalescing, creationTime = 4000 (elapsed = 0)."
    )
    + console(
      "09:15:00.020000", "Notes",
      "Will add backgroundTask with taskName: save draft, expirationHandler: <__NSMallocBlock__: 0x10b000000>"
    )
    + console(
      "09:15:00.020010", "Notes",
      "Creating new assertion because there is no existing background assertion.")
    + console(
      "09:15:00.020100", "Notes",
      "Created background task <_UIBackgroundTaskInfo: 0x10a000040>: taskID = 2, taskName = save draft, creationTime = 4000 (elapsed = 0)."
    )
    + console("09:15:00.030000", "Notes", "layout pass {\n\tdepth = 3;\n\twidth = 8;\n}")
    + console(
      "09:15:00.040000", "Notes", "Ending background task with UIBackgroundTaskIdentifier: 1")
    + console(
      "09:15:00.040020", "Notes",
      "Ending task with identifier 1 and description: <_UIBackgroundTaskInfo: 0x10a000000>: taskID = 1, taskName = Launch Background Task for Coalescing, creationTime = 4000 (elapsed = 0), _expireHandler: (null)"
    )
    + console(
      "09:15:00.050000", "Notes",
      "Deactivation reason removed: 10; deactivation reasons: 1024 -> 0; animating application lifecycle event: 0"
    )
    + console(
      "09:15:01.050000", "Notes",
      "Will add backgroundTask with taskName: upload, expirationHandler: (null)")
    + console(
      "09:15:01.050100", "Notes",
      "Created background task <_UIBackgroundTaskInfo: 0x10a000080>: taskID = 3, taskName = upload, creationTime = 4001 (elapsed = 0)."
    )
    + console(
      "09:15:01.150000", "Notes", "Ending background task with UIBackgroundTaskIdentifier: 3")
    + console(
      "09:15:01.150040", "Notes",
      "Ending task with identifier 3 and description: <_UIBackgroundTaskInfo: 0x10a000080>: taskID = 3, taskName = upload, creationTime = 4001 (elapsed = 0), _expireHandler: (null)"
    )

  package static let consoleLaunchTimeline = """
    header app_bundle_id=Notes coverage=[bgtask] timestamp_resolution_ns=1000 log_levels=[default,info]
    0s trace.start reason=attach
    0.0099s bgtask.begin token=1 name="Launch Background Task for Coalescing" by=uikit
    0.02s bgtask.begin token=2 name="save draft" has_expiration_handler=true
    0.0399s bgtask.end token=1
    0.0499s delegate.did_become_active
    1.05s bgtask.begin token=3 name=upload has_expiration_handler=false
    1.1499s bgtask.end token=3

    """

  package static let compact = """
    Timestamp               Ty Process[PID:TID]
    2026-03-04 23:59:59.900 Df Field Notes[412:1a2b] (UIKitCore) [com.apple.UIKit:BackgroundTask] Created background task <_UIBackgroundTaskInfo: 0x600002>: taskID = 4, taskName = sync, creationTime = 90 (elapsed = 0).
    2026-03-05 00:00:00.100 Df Field Notes[412:1a2b] [com.apple.UIKit:BackgroundTask] Ending background task with UIBackgroundTaskIdentifier: 4
    2026-03-05 00:00:00.200 I  Field Notes[412:1a2b] (Foundation) something else
    2026-03-05 00:00:02.000 Df runningboardd[31:7] (RunningBoard) [com.apple.runningboard:ttl] [app<com.example.notes(0A1B)>:412] Suspending task.
    2026-03-05 00:00:05.000 Df runningboardd[31:7] (RunningBoard) [com.apple.runningboard:ttl] [app<com.example.notes(0A1B)>:412] Resuming task.
    2026-03-05 00:00:09.000 Df runningboardd[31:7] (RunningBoard) [com.apple.runningboard:process] [app<com.example.notes(0A1B)>:412] Process exited: <RBSProcessExitContext| specific, status:<RBSProcessExitStatus| domain:signal(2) code:SIGSEGV(11)>>.

    """

  package static let compactTimeline = """
    header app_bundle_id=com.example.notes coverage=[bgtask,proc] timestamp_resolution_ns=1000000 log_levels=[default,info]
    0s trace.start reason=attach
    0s @6699 bgtask.begin token=4 name=sync
    0.2s @6699 bgtask.end token=4
    2.1s @0 proc.suspend inferred=false evidence=os_log
    5.1s @0 proc.resume inferred=false
    9.1s @0 proc.kill signal=11 cause=crash namespace=SIGNAL
    # capture: the app crashed (signal 11); a crash is no violation of the life cycle

    """

  package static let xcode = """
    objc[700]: Class A is implemented in both /a/CoreSimulator/b and /c
    2026-03-04 10:00:00.500000+0100 Notes[700:9001] [Network] connected
    flutter: AppLifecycleState.resumed
    a line that the app prints
    2026-03-04 10:00:01.500000+0100 Notes[700:9002] Can't end BackgroundTask: no background task exists with identifier 12 (0xc), or it may have already been ended. Break in UIApplicationEndBackgroundTaskError() to debug.
    2026-03-04 10:00:02.000000+0100 Notes[700:9003] Execution of the command buffer was aborted due to an error during execution. Insufficient Permission (to submit GPU work from background) (00000006:kIOGPUCommandBufferCallbackErrorBackgroundExecutionNotPermitted)
    2026-03-04 10:00:02.000400+0100 Notes[700:9003] Execution of the command buffer was aborted due to an error during execution. Insufficient Permission (to submit GPU work from background) (00000006:kIOGPUCommandBufferCallbackErrorBackgroundExecutionNotPermitted)
    flutter: AppLifecycleState.inactive
    flutter: AppLifecycleState.hidden
    flutter: AppLifecycleState.paused
    Message from debugger: Terminated due to signal 9

    """

  package static let xcodeTimeline = """
    header app_bundle_id=Notes coverage=[bgtask,metal] debugger_attached=true simulator=true timestamp_resolution_ns=1000 log_levels=[default]
    0s trace.start reason=attach
    0s delegate.did_become_active
    1s @9002 bgtask.end token=12 refused=true
    1.5s @9003 metal.complete status=error error_domain=IOGPU error_code=6
    1.5004s @9003 metal.complete status=error error_domain=IOGPU error_code=6
    1.5004s delegate.will_resign_active
    1.5004s delegate.did_enter_background

    """
}
