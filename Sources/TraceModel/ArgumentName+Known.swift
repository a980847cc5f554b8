// The argument names of the vocabulary. This file must not know which kinds carry them.
//
// A name is numbered by its place in `knownTexts`, from 1, which is part of the binary format: a
// new name goes to the end of both lists, and no name is ever moved, renamed or removed.

extension ArgumentName {
  /// The text of every known name, by number; the first has number 1.
  static let knownTexts: [String] = [
    "token",
    "is_invalid",
    "name",
    "has_expiration_handler",
    "timer",
    "context",
    "kind",
    "submit_id",
    "id",
    "class",
    "interval_s",
    "op",
    "task",
    "session",
    "type",
    "socket",
    "bytes",
    "x",
    "y",
    "queue",
    "critical",
    "work",
    "text",
    "label",
    "completion_id",
    "pid",
    "launch_id",
    "into",
    "reason",
    "signal",
    "cause",
    "inferred",
    "continuous_ns",
    "uptime_ns",
    "wall_ns",
    "count",
    "first_ns",
    "last_ns",
    "thread",
    "kinds",
    "old_wall_ns",
    "new_wall_ns",
    "is_main",
    "argc",
    "principal_class",
    "delegate_class",
    "code",
    "by",
    "namespace",
    "description",
    "allowance_s",
    "elapsed_s",
    "app_cpu_s",
    "thermal_state",
    "visibility",
    "role",
    "evidence",
    "gap_ns",
    "dirty_bytes",
    "cpu_ns",
    "window_ns",
    "from",
    "target",
    "state",
    "outcome",
    "shown",
    "passcode_set",
    "level",
    "content_available",
    "has_alert",
    "has_sound",
    "has_badge",
    "status",
    "limit_s",
    "option_keys",
    "application_state",
    "result",
    "scheme",
    "source_app",
    "value",
    "seconds",
    "guarded",
    "key",
    "selector",
    "refused",
    "protects_token",
    "repeats",
    "query",
    "store",
    "ok",
    "route",
    "subject",
    "security",
    "api",
    "fps",
    "buffer",
    "gpu_assertion",
    "error_domain",
    "error_code",
    "what",
    "for_snapshot",
    "view",
    "choice_in_defaults",
    "queued",
    "coalesced_count",
    "object",
    "fire_wall_ns",
    "repeat_interval",
    "sound_name",
    "sound_in_bundle",
    "sound_format",
    "to",
    "category",
    "stream",
    "audible",
    "phase",
    "service",
    "accuracy",
    "timeout_s",
    "accepted",
    "interface",
    "incoming",
    "accessory",
    "peer",
    "issue",
    "handle",
    "path",
    "protection",
    "container",
    "errno",
    "lock",
    "resource",
    "request",
    "identifier",
    "sends_launch_events",
    "discretionary",
    "config_hash",
    "cache",
    "scene",
    "earliest_begin_wall_ns",
    "success",
    "uuid",
    "domain",
    "duration_s",
    "window",
    "thermal_level",
    "total_cpu_percent",
    "crossed",
  ]
}

extension ArgumentName {
  public static let token = ArgumentName(rawValue: 1)
  public static let isInvalid = ArgumentName(rawValue: 2)
  public static let name = ArgumentName(rawValue: 3)
  public static let hasExpirationHandler = ArgumentName(rawValue: 4)
  public static let timer = ArgumentName(rawValue: 5)
  public static let context = ArgumentName(rawValue: 6)
  public static let kind = ArgumentName(rawValue: 7)
  public static let submitId = ArgumentName(rawValue: 8)
  public static let id = ArgumentName(rawValue: 9)
  public static let `class` = ArgumentName(rawValue: 10)
  public static let intervalS = ArgumentName(rawValue: 11)
  public static let op = ArgumentName(rawValue: 12)
  public static let task = ArgumentName(rawValue: 13)
  public static let session = ArgumentName(rawValue: 14)
  public static let type = ArgumentName(rawValue: 15)
  public static let socket = ArgumentName(rawValue: 16)
  public static let bytes = ArgumentName(rawValue: 17)
  public static let x = ArgumentName(rawValue: 18)
  public static let y = ArgumentName(rawValue: 19)
  public static let queue = ArgumentName(rawValue: 20)
  public static let critical = ArgumentName(rawValue: 21)
  public static let work = ArgumentName(rawValue: 22)
  public static let text = ArgumentName(rawValue: 23)
  public static let label = ArgumentName(rawValue: 24)
  public static let completionId = ArgumentName(rawValue: 25)
  public static let pid = ArgumentName(rawValue: 26)
  public static let launchId = ArgumentName(rawValue: 27)
  public static let into = ArgumentName(rawValue: 28)
  public static let reason = ArgumentName(rawValue: 29)
  public static let signal = ArgumentName(rawValue: 30)
  public static let cause = ArgumentName(rawValue: 31)
  public static let inferred = ArgumentName(rawValue: 32)
  public static let continuousNs = ArgumentName(rawValue: 33)
  public static let uptimeNs = ArgumentName(rawValue: 34)
  public static let wallNs = ArgumentName(rawValue: 35)
  public static let count = ArgumentName(rawValue: 36)
  public static let firstNs = ArgumentName(rawValue: 37)
  public static let lastNs = ArgumentName(rawValue: 38)
  public static let thread = ArgumentName(rawValue: 39)
  public static let kinds = ArgumentName(rawValue: 40)
  public static let oldWallNs = ArgumentName(rawValue: 41)
  public static let newWallNs = ArgumentName(rawValue: 42)
  public static let isMain = ArgumentName(rawValue: 43)
  public static let argc = ArgumentName(rawValue: 44)
  public static let principalClass = ArgumentName(rawValue: 45)
  public static let delegateClass = ArgumentName(rawValue: 46)
  public static let code = ArgumentName(rawValue: 47)
  public static let by = ArgumentName(rawValue: 48)
  public static let namespace = ArgumentName(rawValue: 49)
  public static let description = ArgumentName(rawValue: 50)
  public static let allowanceS = ArgumentName(rawValue: 51)
  public static let elapsedS = ArgumentName(rawValue: 52)
  public static let appCpuS = ArgumentName(rawValue: 53)
  public static let thermalState = ArgumentName(rawValue: 54)
  public static let visibility = ArgumentName(rawValue: 55)
  public static let role = ArgumentName(rawValue: 56)
  public static let evidence = ArgumentName(rawValue: 57)
  public static let gapNs = ArgumentName(rawValue: 58)
  public static let dirtyBytes = ArgumentName(rawValue: 59)
  public static let cpuNs = ArgumentName(rawValue: 60)
  public static let windowNs = ArgumentName(rawValue: 61)
  public static let from = ArgumentName(rawValue: 62)
  public static let target = ArgumentName(rawValue: 63)
  public static let state = ArgumentName(rawValue: 64)
  public static let outcome = ArgumentName(rawValue: 65)
  public static let shown = ArgumentName(rawValue: 66)
  public static let passcodeSet = ArgumentName(rawValue: 67)
  public static let level = ArgumentName(rawValue: 68)
  public static let contentAvailable = ArgumentName(rawValue: 69)
  public static let hasAlert = ArgumentName(rawValue: 70)
  public static let hasSound = ArgumentName(rawValue: 71)
  public static let hasBadge = ArgumentName(rawValue: 72)
  public static let status = ArgumentName(rawValue: 73)
  public static let limitS = ArgumentName(rawValue: 74)
  public static let optionKeys = ArgumentName(rawValue: 75)
  public static let applicationState = ArgumentName(rawValue: 76)
  public static let result = ArgumentName(rawValue: 77)
  public static let scheme = ArgumentName(rawValue: 78)
  public static let sourceApp = ArgumentName(rawValue: 79)
  public static let value = ArgumentName(rawValue: 80)
  public static let seconds = ArgumentName(rawValue: 81)
  public static let guarded = ArgumentName(rawValue: 82)
  public static let key = ArgumentName(rawValue: 83)
  public static let selector = ArgumentName(rawValue: 84)
  public static let refused = ArgumentName(rawValue: 85)
  public static let protectsToken = ArgumentName(rawValue: 86)
  public static let repeats = ArgumentName(rawValue: 87)
  public static let query = ArgumentName(rawValue: 88)
  public static let store = ArgumentName(rawValue: 89)
  public static let ok = ArgumentName(rawValue: 90)
  public static let route = ArgumentName(rawValue: 91)
  public static let subject = ArgumentName(rawValue: 92)
  public static let security = ArgumentName(rawValue: 93)
  public static let api = ArgumentName(rawValue: 94)
  public static let fps = ArgumentName(rawValue: 95)
  public static let buffer = ArgumentName(rawValue: 96)
  public static let gpuAssertion = ArgumentName(rawValue: 97)
  public static let errorDomain = ArgumentName(rawValue: 98)
  public static let errorCode = ArgumentName(rawValue: 99)
  public static let what = ArgumentName(rawValue: 100)
  public static let forSnapshot = ArgumentName(rawValue: 101)
  public static let view = ArgumentName(rawValue: 102)
  public static let choiceInDefaults = ArgumentName(rawValue: 103)
  public static let queued = ArgumentName(rawValue: 104)
  public static let coalescedCount = ArgumentName(rawValue: 105)
  public static let object = ArgumentName(rawValue: 106)
  public static let fireWallNs = ArgumentName(rawValue: 107)
  public static let repeatInterval = ArgumentName(rawValue: 108)
  public static let soundName = ArgumentName(rawValue: 109)
  public static let soundInBundle = ArgumentName(rawValue: 110)
  public static let soundFormat = ArgumentName(rawValue: 111)
  public static let to = ArgumentName(rawValue: 112)
  public static let category = ArgumentName(rawValue: 113)
  public static let stream = ArgumentName(rawValue: 114)
  public static let audible = ArgumentName(rawValue: 115)
  public static let phase = ArgumentName(rawValue: 116)
  public static let service = ArgumentName(rawValue: 117)
  public static let accuracy = ArgumentName(rawValue: 118)
  public static let timeoutS = ArgumentName(rawValue: 119)
  public static let accepted = ArgumentName(rawValue: 120)
  public static let interface = ArgumentName(rawValue: 121)
  public static let incoming = ArgumentName(rawValue: 122)
  public static let accessory = ArgumentName(rawValue: 123)
  public static let peer = ArgumentName(rawValue: 124)
  public static let issue = ArgumentName(rawValue: 125)
  public static let handle = ArgumentName(rawValue: 126)
  public static let path = ArgumentName(rawValue: 127)
  public static let protection = ArgumentName(rawValue: 128)
  public static let container = ArgumentName(rawValue: 129)
  public static let errno = ArgumentName(rawValue: 130)
  public static let lock = ArgumentName(rawValue: 131)
  public static let resource = ArgumentName(rawValue: 132)
  public static let request = ArgumentName(rawValue: 133)
  public static let identifier = ArgumentName(rawValue: 134)
  public static let sendsLaunchEvents = ArgumentName(rawValue: 135)
  public static let discretionary = ArgumentName(rawValue: 136)
  public static let configHash = ArgumentName(rawValue: 137)
  public static let cache = ArgumentName(rawValue: 138)
  public static let scene = ArgumentName(rawValue: 139)
  public static let earliestBeginWallNs = ArgumentName(rawValue: 140)
  public static let success = ArgumentName(rawValue: 141)
  public static let uuid = ArgumentName(rawValue: 142)
  public static let domain = ArgumentName(rawValue: 143)
  public static let durationS = ArgumentName(rawValue: 144)
  public static let window = ArgumentName(rawValue: 145)
  public static let thermalLevel = ArgumentName(rawValue: 146)
  public static let totalCpuPercent = ArgumentName(rawValue: 147)
  /// Of the return of any span: the span was closed by the return of another, and how long it
  /// lasted isn't known.
  public static let crossed = ArgumentName(rawValue: 148)
}
