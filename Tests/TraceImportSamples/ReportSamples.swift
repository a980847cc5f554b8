// Reports in the formats of the system, made up for the tests.

import TraceImport
package import TraceModel

/// A report, its format, and what it becomes.
package struct ReportSample: Sendable, CustomStringConvertible {
  package var name: String
  package var format: CaptureFormat
  package var text: String
  package var timeline: String

  package var description: String { name }
}

package enum ReportSamples {
  package static let all = [
    watchdogText, oldThermal, organizerText, headerAndText, crashJSON, processorTime, diskWrites,
    stackshot, jetsam, metrics, diagnostics,
  ]

  package static let watchdogText = ReportSample(
    name: "watchdog as text", format: .crashText,
    text: """
      Incident Identifier: 0A0A0A0A-0000-4000-8000-000000000001
      Hardware Model:      iPhone12,1
      Process:             Field Notes [412]
      Path:                /private/var/Field Notes.app/Field Notes
      Identifier:          com.example.notes
      Version:             31 (2.4.1)
      Role:                Background

      Date/Time:           2026-03-04 10:00:30.5000 +0100
      Launch Time:         2026-03-04 10:00:00.2500 +0100
      OS Version:          iPhone OS 16.1 (20B82)

      Exception Type:  EXC_CRASH (SIGKILL)
      Exception Codes: 0x0000000000000000, 0x0000000000000000
      Termination Reason: FRONTBOARD 2343432205
      <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog transgression: [app<com.example.notes>:412] exhausted real (wall clock) time allowance of 10.00 seconds
      ProcessVisibility: Background
      ProcessState: Running
      WatchdogEvent: scene-update
      WatchdogVisibility: Background
      WatchdogCPUStatistics: (
      "Elapsed total CPU time (seconds): 18.250 (user 12.000, system 6.250), 91% CPU",
      "Elapsed application CPU time (seconds): 0.125, 1% CPU"
      )
      ThermalInfo: (
      "Thermal Level:      0",
      "Thermal State:      nominal"
      ) reportType:CrashLog maxTerminationResistance:Interactive>

      Triggered by Thread:  0

      Thread 0 name:  Dispatch queue: com.apple.main-thread
      Thread 0 Crashed:
      0   libsystem_kernel.dylib  0x00000001 semaphore_wait_trap + 8
      1   Field Notes             0x00000002 main + 4

      Binary Images:

      """,
    timeline: """
      header trace_id=0A0A0A0A-0000-4000-8000-000000000001 app_bundle_id=com.example.notes app_version=2.4.1 os_version=16.1 os_build=20B82 device_model=iPhone12,1 coverage=[proc] timestamp_resolution_ns=100000
      0s @0 trace.start reason=attach
      30.25s @0 proc.kill cause=watchdog code=2343432205 namespace=FRONTBOARD description="scene-update watchdog transgression: [app<com.example.notes>:412] exhausted real (wall clock) time allowance of 10.00 seconds" allowance_s=10.0 app_cpu_s=0.125 total_cpu_percent=91.0 thermal_state=nominal visibility=background role=Background thermal_level=0
      # capture: the system ended the app: it did not update its scene in time, which includes moving to the background (FRONTBOARD 0x8badf00d); scene-update was too slow, 10 s were allowed, the app used 0.125 s of processor time of 18.25 s in all, other processes left it little time to run (certainty of blame: low)

      """)

  package static let oldThermal = ReportSample(
    name: "text without a head", format: .crashText,
    text: """
      Exception Type:  00000020
      Exception Codes: 0x00000000c00010ff
      Highlighted Thread:  0

      Application Specific Information:
      Notes was in front

      Thermal Level:       12

      Thread 0 name:  Dispatch queue: com.apple.main-thread
      Thread 0:
      0   libsystem_kernel.dylib          0x30000000 mach_msg_trap + 20

      """,
    timeline: """
      header coverage=[proc]
      0s @0 trace.start reason=attach
      0s @0 proc.kill cause=thermal code=3221229823
      # capture: the system ended the app: it had to stop because the device was too hot (0xc00010ff); this alone says nothing of how the app follows the life cycle

      """)

  package static let organizerText = ReportSample(
    name: "export of TestFlight", format: .crashText,
    text: """
      Incident Identifier: 0A0A0A0A-0000-4000-8000-000000000002
      Distributor ID:      com.apple.TestFlight
      Hardware Model:      iPhone15,2
      Process:             Notes [77]
      Identifier:          com.example.notes
      Version:             2.5 (40)
      Role:                Foreground

      Date/Time:           2026-03-04 10:00:02.0000 +0100
      Launch Time:         2026-03-04 10:00:01.0000 +0100
      OS Version:          iPhone OS 26.1 (23B1)

      Exception Type:  EXC_CRASH (SIGABRT)
      Exception Codes: 0x0000000000000000, 0x0000000000000000
      Termination Reason: SIGNAL 6 Abort trap: 6
      Terminating Process: Notes [77]

      Triggered by Thread:  0

      Thread 0 Crashed:
      0   libsystem_kernel.dylib  0x00000001 __pthread_kill + 8

      """,
    timeline: """
      header trace_id=0A0A0A0A-0000-4000-8000-000000000002 app_bundle_id=com.example.notes app_version=2.5 os_version=26.1 os_build=23B1 device_model=iPhone15,2 coverage=[proc] timestamp_resolution_ns=100000
      0s @0 trace.start reason=attach
      1s @0 proc.kill signal=6 cause=crash namespace=SIGNAL description="Abort trap: 6" role=Foreground
      # capture: the app crashed (signal 6); a crash is no violation of the life cycle

      """)

  package static let headerAndText = ReportSample(
    name: "header line and text", format: .crashText,
    text: """
      {"app_name":"Notes","timestamp":"2026-03-04 10:00:30.00 +0100","app_version":"2.4","bundleID":"com.example.notes","bug_type":"109","os_version":"iPhone OS 11.2 (15C1)","incident_id":"0A0A0A0A-0000-4000-8000-000000000003","name":"Notes"}
      Process:             Notes [412]
      Identifier:          com.example.notes
      Date/Time:           2026-03-04 10:00:30.5000 +0100
      OS Version:          iPhone OS 11.2 (15C1)

      Exception Type:  EXC_CRASH (SIGKILL)
      Exception Note:  EXC_CORPSE_NOTIFY
      Termination Reason: Namespace SPRINGBOARD, Code 0xdead10cc
      Triggered by Thread:  0

      Thread 0 Crashed:
      0   libsystem_kernel.dylib  0x00000001 __ulock_wait + 8

      """,
    timeline: """
      header trace_id=0A0A0A0A-0000-4000-8000-000000000003 app_bundle_id=com.example.notes app_version=2.4 os_version=11.2 os_build=15C1 coverage=[proc] timestamp_resolution_ns=100000
      0s @0 trace.start reason=attach
      0s @0 proc.kill cause=file_lock code=3735883980 namespace=SPRINGBOARD
      # capture: the system ended the app: it held a lock on a file or a database while it was suspended (SPRINGBOARD 0xdead10cc)

      """)

  package static let crashJSON = ReportSample(
    name: "two JSON values", format: .crashJSON,
    text: """
      {"app_name":"Notes","timestamp":"2026-03-04 10:00:30.00 +0100","app_version":"2.4","bug_type":"309","os_version":"iPhone OS 17.0 (21A1)","incident_id":"0A0A0A0A-0000-4000-8000-000000000004","name":"Notes"}
      {
        "captureTime" : "2026-03-04 10:00:25.0000 +0100",
        "procLaunch" : "2026-03-04 10:00:05.0000 +0100",
        "procRole" : "Foreground",
        "pid" : 412,
        "modelCode" : "iPhone14,5",
        "osVersion" : { "train" : "iPhone OS 17.0", "build" : "21A1", "isEmbedded" : true },
        "bundleInfo" : {"CFBundleShortVersionString":"2.4","CFBundleVersion":"31","CFBundleIdentifier":"com.example.notes"},
        "procName" : "Notes",
        "exception" : {"codes":"0x0000000000000000, 0x0000000000000000","rawCodes":[0,0],"type":"EXC_CRASH","signal":"SIGKILL"},
        "termination" : {"flags":6,"code":2343432205,"namespace":"FRONTBOARD","reasons":["<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:process-launch watchdog transgression: app<com.example.notes>:412 exhausted real (wall clock) time allowance of 20.00 seconds","ProcessVisibility: Foreground","WatchdogEvent: process-launch","WatchdogCPUStatistics: (","\\"Elapsed total CPU time (seconds): 40.000 (user 20.000, system 20.000), 100% CPU\\",","\\"Elapsed application CPU time (seconds): 1.000, 2% CPU\\"",")","ThermalInfo: (","\\"Thermal Level: 40\\",","\\"Thermal State: serious\\"",") reportType:CrashLog maxTerminationResistance:Interactive>"]},
        "faultingThread" : 0,
        "threads" : [{"triggered":true,"id":1,"frames":[{"imageOffset":8,"symbol":"mach_msg2_trap","imageIndex":0}]}],
        "usedImages" : []
      }

      """,
    timeline: """
      header trace_id=0A0A0A0A-0000-4000-8000-000000000004 app_bundle_id=com.example.notes app_version=2.4 os_version=17.0 os_build=21A1 device_model=iPhone14,5 coverage=[proc] timestamp_resolution_ns=100000
      0s @0 trace.start reason=attach
      20s @0 proc.kill cause=watchdog code=2343432205 namespace=FRONTBOARD description="process-launch watchdog transgression: app<com.example.notes>:412 exhausted real (wall clock) time allowance of 20.00 seconds" allowance_s=20.0 app_cpu_s=1.0 total_cpu_percent=100.0 thermal_state=serious visibility=foreground role=Foreground thermal_level=40
      # capture: the system ended the app: it took too long to launch (FRONTBOARD 0x8badf00d); process-launch was too slow, 20 s were allowed, the app used 1 s of processor time of 40 s in all, the hot device left it little time to run (certainty of blame: low)

      """)

  package static let processorTime = ReportSample(
    name: "processor time", format: .resourceReport,
    text: """
      {"app_name":"Notes","timestamp":"2026-03-04 10:00:30.00 +0100","app_version":"2.4","bundleID":"com.example.notes","bug_type":"206","os_version":"iPhone OS 12.1 (16B1)","incident_id":"0A0A0A0A-0000-4000-8000-000000000005","name":"Notes"}
      Date/Time:       2026-03-04 10:00:00.000000 +0100
      OS Version:      iPhone OS 12.1 (Build 16B1)

      Command:         Notes
      Version:         2.4 (31)
      PID:             412

      Event:           cpu usage
      Action taken:    Process killed
      CPU:             50 seconds cpu time over 55 seconds, exceeding limit of 80% cpu
      CPU limit:       48s
      Limit duration:  60s
      CPU used:        50s
      Duration:        55.25s

      Hardware model:  iPhone10,1

      Powerstats for:  Notes [412]
      Primary state:   9 samples Non-Frontmost App, User mode
        9 ??? (Notes + 16)

      """,
    timeline: """
      header trace_id=0A0A0A0A-0000-4000-8000-000000000005 app_bundle_id=com.example.notes app_version=2.4 os_version=12.1 os_build=16B1 device_model=iPhone10,1 coverage=[proc]
      0s @0 trace.start reason=attach
      0s @0 proc.kill cause=cpu_limit description="50 seconds cpu time over 55 seconds, exceeding limit of 80% cpu" allowance_s=48.0 elapsed_s=55.25 app_cpu_s=50.0 visibility=background
      # capture: cpu usage: 50 seconds cpu time over 55 seconds, exceeding limit of 80% cpu; action taken: Process killed
      # capture: the system ended the app: it used too much processor time

      """)

  package static let diskWrites = ReportSample(
    name: "disk writes", format: .resourceReport,
    text: """
      OS Version:       iPhone OS 15.0 (Build 19A1)
      Command:          Notes
      Event:            disk writes
      Action taken:     none
      Writes:           1100.00 MB of file backed memory dirtied over 900 seconds

      """,
    timeline: """
      header app_bundle_id=Notes os_version=15.0 os_build=19A1 coverage=[]
      0s @0 trace.start reason=attach
      # capture: disk writes: 1100.00 MB of file backed memory dirtied over 900 seconds; action taken: none, so nothing was ended

      """)

  package static let stackshot = ReportSample(
    name: "stackshot", format: .stackshot,
    text: """
      {"os_version":"iPhone OS 8.0 (12A1)","bug_type":"188"}
      Kernel version:      Darwin Kernel Version 14.0.0
      Exception Code:      0xbaaaaaad
      Reason:              the buttons were pressed

      """,
    timeline: """
      header os_version=8.0 os_build=12A1 coverage=[]
      0s @0 trace.start reason=attach
      # capture: a snapshot of all processes; nothing was ended

      """)

  package static let jetsam = ReportSample(
    name: "jetsam", format: .jetsamEvent,
    text: """
      {"bug_type":"298","timestamp":"2026-03-04 10:00:30.00 +0100","os_version":"iPhone OS 16.1 (20B82)","incident_id":"0A0A0A0A-0000-4000-8000-000000000006"}
      {
        "product" : "iPhone12,1",
        "largestProcess" : "Notes",
        "processes" : [
        { "uuid" : "a", "states" : ["daemon", "idle"], "rpages" : 200, "pid" : 50, "name" : "exampled" },
        { "states" : ["frontmost", "resume"], "rpages" : 81920, "reason" : "per-process-limit", "pid" : 412, "name" : "Notes", "physicalPages" : {"internal":[1,2]} },
        { "states" : ["suspended", "idle"], "rpages" : 640, "reason" : "vm-pageshortage", "pid" : 413, "name" : "Mail" }
        ],
        "memoryStatus" : { "memoryPages" : {"active":1}, "pageSize" : 16384 }
      }

      """,
    timeline: """
      header trace_id=0A0A0A0A-0000-4000-8000-000000000006-412 app_bundle_id=Notes os_version=16.1 os_build=20B82 device_model=iPhone12,1 coverage=[proc]
      0s @0 trace.start reason=attach
      0s @0 proc.footprint bytes=1342177280
      0s @0 proc.kill cause=jetsam namespace=JETSAM description=per-process-limit visibility=foreground role="frontmost,resume"
      header trace_id=0A0A0A0A-0000-4000-8000-000000000006-413 app_bundle_id=Mail os_version=16.1 os_build=20B82 device_model=iPhone12,1 coverage=[proc]
      0s @0 trace.start reason=attach
      0s @0 proc.footprint bytes=10485760
      0s @0 proc.kill cause=jetsam namespace=JETSAM description=vm-pageshortage visibility=background role="suspended,idle"
      # capture: Notes with 1280 MiB was ended: it exceeded its own limit of memory (per-process-limit); states: frontmost, resume
      # capture: Mail with 10 MiB was ended: the device had too little memory (vm-pageshortage); states: suspended, idle; that is normal for a suspended app

      """)

  package static let metrics = ReportSample(
    name: "metric payload", format: .metricPayload,
    text: """
      {
        "timeStampBegin" : "2026-03-03 23:00:00 +0000",
        "timeStampEnd" : "2026-03-04 23:00:00 +0000",
        "appVersion" : "2.4",
        "metaData" : { "regionFormat" : "DE", "osVersion" : "iPhone OS 16.1 (20B82)", "deviceType" : "iPhone12,1", "bundleIdentifier" : "com.example.notes" },
        "applicationTimeMetrics" : { "cumulativeForegroundTime" : "2.717 Sek.", "cumulativeBackgroundTime" : "1,5 Sek." },
        "applicationExitMetrics" : {
          "foregroundExitData" : { "cumulativeNormalAppExitCount" : 2 },
          "backgroundExitData" : {
            "cumulativeAppWatchdogExitCount" : 3,
            "cumulativeSuspendedWithLockedFileExitCount" : 0
          }
        }
      }

      """,
    timeline: """
      header trace_id="2026-03-03 23:00:00 +0000/2026-03-04 23:00:00 +0000" app_bundle_id=com.example.notes app_version=2.4 os_version=16.1 os_build=20B82 device_model=iPhone12,1 coverage=[exit]
      0s @0 trace.start reason=attach
      0s @0 exit.import category=cumulativeNormalAppExitCount count=2 visibility=foreground window="2026-03-03 23:00:00 +0000/2026-03-04 23:00:00 +0000"
      0s @0 exit.import category=cumulativeAppWatchdogExitCount count=3 visibility=background window="2026-03-03 23:00:00 +0000/2026-03-04 23:00:00 +0000"
      # capture: exits that the system counted: foreground NormalApp 2, background AppWatchdog 3
      # capture: run time in the window: ForegroundTime 2717 s, BackgroundTime 1.5 s

      """)

  package static let diagnostics = ReportSample(
    name: "diagnostic payload", format: .metricPayload,
    text: """
      {
        "timeStampBegin" : "2026-03-03 23:00:00 +0000",
        "timeStampEnd" : "2026-03-04 23:00:00 +0000",
        "crashDiagnostics" : [
          {
            "callStackTree" : { "callStacks" : [ { "callStackRootFrames" : [ { "subFrames" : [ { } ] } ] } ] },
            "diagnosticMetaData" : { "appVersion" : "2.4", "osVersion" : "iPhone OS 16.1 (20B82)", "deviceType" : "iPhone12,1", "bundleIdentifier" : "com.example.notes", "signal" : 9, "exceptionType" : 10, "terminationReason" : "RUNNINGBOARD 0xdead10cc" }
          }
        ],
        "hangDiagnostics" : [
          { "diagnosticMetaData" : { "appVersion" : "2.4", "regionFormat" : "US", "hangDuration" : "4 secs." } }
        ]
      }

      """,
    timeline: """
      header trace_id="2026-03-03 23:00:00 +0000/2026-03-04 23:00:00 +0000" app_version=2.4 coverage=[]
      0s @0 trace.start reason=attach
      header trace_id="2026-03-03 23:00:00 +0000/2026-03-04 23:00:00 +0000 1" app_bundle_id=com.example.notes app_version=2.4 os_version=16.1 os_build=20B82 device_model=iPhone12,1 coverage=[proc]
      0s @0 trace.start reason=attach
      0s @0 proc.kill cause=file_lock code=3735883980 namespace=RUNNINGBOARD
      # capture: hang of 4 s: the main thread did not answer the user
      # capture: the system ended the app: it held a lock on a file or a database while it was suspended (RUNNINGBOARD 0xdead10cc)

      """)
}
