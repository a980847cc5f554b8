// The header of a trace, read from the running app.

#if canImport(UIKit)
  public import TraceModel
  import UIKit

  extension TraceHeader {
    /// What the running app says of itself, its system and its device. Fields that can't be known
    /// stay absent.
    ///
    /// - Parameter coverage: The namespaces of which the app records every event, for example
    ///   `["proc", "delegate", "bgtask"]`. Rules that need others then keep silent: what isn't
    ///   recorded there proves nothing.
    @MainActor
    public static func runningApp(coverage: [String]) -> TraceHeader {
      let application = UIApplication.shared
      var header = TraceHeader()
      header[.coverage] = .strings(coverage)
      let bundle = Bundle.main
      let information = bundle.infoDictionary ?? [:]
      header[.appBundleID] = bundle.bundleIdentifier.map { .string($0) }
      header[.appVersion] =
        (information["CFBundleShortVersionString"] as? String).map { .string($0) }
      header[.osVersion] = .string(UIDevice.current.systemVersion)
      header[.deviceModel] = .string(TraceRecorder.machineName)
      header[.multitaskingSupported] = .boolean(UIDevice.current.isMultitaskingSupported)
      header[.exitsOnSuspend] =
        (information["UIApplicationExitsOnSuspend"] as? Bool).map { .boolean($0) }
      header[.backgroundModes] = .strings(information["UIBackgroundModes"] as? [String] ?? [])
      header[.sceneManifest] = .boolean(information["UIApplicationSceneManifest"] != nil)
      header[.permittedTaskIdentifiers] =
        (information["BGTaskSchedulerPermittedIdentifiers"] as? [String]).map { .strings($0) }
      header[.mainStoryboard] =
        (information["UIMainStoryboardFile"] as? String).map { .string($0) }
      header[.mainNib] = (information["NSMainNibFile"] as? String).map { .string($0) }
      if let sdk = information["DTPlatformVersion"] as? String { header[.sdkLinked] = .string(sdk) }
      header[.refreshStatus] = .string("\(application.backgroundRefreshStatus.recorded.text)")
      #if targetEnvironment(simulator)
        header[.simulator] = .boolean(true)
      #else
        header[.simulator] = .boolean(false)
      #endif
      return header
    }
  }
#endif
