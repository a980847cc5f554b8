// What an app declares before it runs: its modes, and what else the header of a trace says.

package import TraceModel

/// What is known of an app without running it.
package struct AppDeclaration: Sendable {
  package var kind = "app"
  package var modes: [String] = []
  package var refreshStatus = "available"
  package var taskIdentifiers: [String] = []
  /// Fields that are said besides the usual ones, or instead of them.
  package var otherFields: [HeaderField: HeaderValue] = [:]

  package init() {}

  package mutating func declare(mode: String) {
    if !modes.contains(mode) { modes.append(mode) }
  }

  /// The header of a trace of this app on a system.
  package func header(on traits: SystemTraits) -> TraceHeader {
    var header = TraceHeader()
    header[.clockKind] = .string("continuous")
    header[.appBundleID] = .string("com.example.simulated")
    header[.appVersion] = .string("1.0")
    header[.osVersion] = .string(traits.osVersion)
    header[.sdkLinked] = .string(traits.sdkVersion)
    header[.deviceModel] = .string(traits.deviceModel)
    header[.multitaskingSupported] = .boolean(traits.profile != .nomt && traits.profile != .os3)
    header[.exitsOnSuspend] = .boolean(traits.profile == .optout)
    header[.backgroundModes] = .strings(modes)
    header[.appKind] = .string(kind)
    header[.coverage] = .strings(["*"])
    if traits.hasFetch { header[.refreshStatus] = .string(refreshStatus) }
    if traits.hasScenes { header[.sceneManifest] = .boolean(true) }
    if traits.hasTaskScheduler { header[.permittedTaskIdentifiers] = .strings(taskIdentifiers) }
    for field in HeaderField.allCases {
      if let value = otherFields[field] { header[field] = value }
    }
    return header
  }
}
