// Which fields a trace header has: one row per field. Every reader and writer loops over it.

/// What a header field holds.
public enum HeaderType: String, Hashable, Sendable {
  case integer
  case boolean
  case string
  case strings
}

/// A field of the trace header. The raw value is the field's number in the binary format and
/// never changes; new fields are added at the end.
public enum HeaderField: Int, CaseIterable, Hashable, Sendable {
  case formatVersion = 1
  case endianness, clockKind, tickNumer, tickDenom
  case traceID, appBundleID, appVersion, recorderVersion
  case osVersion, osBuild, sdkLinked, deviceModel
  case multitaskingSupported, exitsOnSuspend, backgroundModes, refreshStatus, appKind
  case sceneManifest, hasSettingsBundle, usesViewControllers, hasCellularRadio, passcodeEnabled
  case mainStoryboard, mainNib, usesICloud, usesLocalCachesOfLocale, permittedTaskIdentifiers
  case coverage, debuggerAttached, simulator, timestampResolutionNanoseconds, logLevels

  /// The field's name in text forms.
  public var name: String { description.name }
  public var type: HeaderType { description.type }

  /// The field with this name in text forms; nil if there is none.
  public static func named(_ name: String) -> HeaderField? { byName[name] }

  private static let byName: [String: HeaderField] = {
    var fields: [String: HeaderField] = [:]
    for field in allCases { fields[field.name] = field }
    return fields
  }()

  private var description: (name: String, type: HeaderType) {
    switch self {
    case .formatVersion: ("format_version", .string)
    case .endianness: ("endianness", .string)
    case .clockKind: ("clock_kind", .string)
    case .tickNumer: ("tick_numer", .integer)
    case .tickDenom: ("tick_denom", .integer)
    case .traceID: ("trace_id", .string)
    case .appBundleID: ("app_bundle_id", .string)
    case .appVersion: ("app_version", .string)
    case .recorderVersion: ("recorder_version", .string)
    case .osVersion: ("os_version", .string)
    case .osBuild: ("os_build", .string)
    case .sdkLinked: ("sdk_linked", .string)
    case .deviceModel: ("device_model", .string)
    case .multitaskingSupported: ("multitasking_supported", .boolean)
    case .exitsOnSuspend: ("exits_on_suspend", .boolean)
    case .backgroundModes: ("background_modes", .strings)
    case .refreshStatus: ("refresh_status", .string)
    case .appKind: ("app_kind", .string)
    case .sceneManifest: ("scene_manifest", .boolean)
    case .hasSettingsBundle: ("has_settings_bundle", .boolean)
    case .usesViewControllers: ("uses_view_controllers", .boolean)
    case .hasCellularRadio: ("has_cellular_radio", .boolean)
    case .passcodeEnabled: ("passcode_enabled", .boolean)
    case .mainStoryboard: ("main_storyboard", .string)
    case .mainNib: ("main_nib", .string)
    case .usesICloud: ("uses_icloud", .boolean)
    case .usesLocalCachesOfLocale: ("uses_local_caches_of_locale", .boolean)
    case .permittedTaskIdentifiers: ("permitted_task_identifiers", .strings)
    case .coverage: ("coverage", .strings)
    case .debuggerAttached: ("debugger_attached", .boolean)
    case .simulator: ("simulator", .boolean)
    case .timestampResolutionNanoseconds: ("timestamp_resolution_ns", .integer)
    case .logLevels: ("log_levels", .strings)
    }
  }
}

/// The value of a header field.
public enum HeaderValue: Hashable, Sendable {
  case integer(Int64)
  case boolean(Bool)
  case string(String)
  case strings([String])
  /// A value of another type than the field's, or of an unknown field, as JSON text without
  /// white space. It is kept and written back, and no rule reads it.
  case json(String)
}
