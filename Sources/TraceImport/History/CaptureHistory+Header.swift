// What a capture tells of a process, as far as it has been read.

import TraceModel

extension CaptureHistory {
  /// Namespaces that the system's lines may turn out to cover.
  private static let systemCoverage = ["bgtask", "proc", "metal"]

  /// The app of a process: its bundle, or the name of the process.
  func app(of entry: ProcessDirectory.Entry) -> String? {
    entry.bundle ?? entry.name.flatMap { $0.isEmpty ? nil : $0 } ?? log.patterns.fallbackApp
  }

  /// The header of a process. It has no trace id: name and process id are the same in every
  /// capture of a running app, and captures of one id are taken for copies of each other.
  ///
  /// - Parameter plan: The events of the process up to now.
  mutating func header(_ root: Int, _ plan: HistoryPlan) -> TraceHeader {
    let entry = log.directory.merged(root)
    var header = TraceHeader()
    let name = entry.name.flatMap { $0.isEmpty ? nil : $0 }
    if let bundle = entry.bundle ?? name { header[.appBundleID] = .string(bundle) }
    header.origin = TraceOrigin(
      processID: entry.pid, processName: name, wallClock: circumstances.wallClock)
    header.origin.setBacksNanoseconds = plan.setBacksNanoseconds
    var coverage: [String] = []
    if entry.hasTasks { coverage.append("bgtask") }
    if entry.hasSuspensions { coverage.append("proc") }
    if entry.hasRefusals { coverage.append("metal") }
    let app = app(of: entry)
    for namespace in plan.mappedNamespaces.sorted()
    where !coverage.contains(namespace)
      && log.patterns.reasonNotCovering(namespace, app: app) == nil
    {
      coverage.append(namespace)
    }
    header[.coverage] = .strings(coverage)
    header.openCoverage = openCoverage(entry, app)
    if entry.isDebugged { header[.debuggerAttached] = .boolean(true) }
    if entry.isSimulated || circumstances.isOfSimulator { header[.simulator] = .boolean(true) }
    if let resolution = circumstances.resolutionNanoseconds {
      header[.timestampResolutionNanoseconds] = .integer(resolution)
    }
    header[.logLevels] = .strings(logLevels)
    return header
  }

  /// Namespaces that lines may turn out to cover. Those of patterns that don't tell all of them are
  /// none, but which patterns count depends on an app whose bundle may not be known yet.
  private func openCoverage(_ entry: ProcessDirectory.Entry, _ app: String?) -> [String] {
    let patterns = log.patterns
    let mayBeOther = entry.bundle == nil && patterns.all.contains { $0.apps != nil }
    let own = patterns.all.filter {
      $0.event.kind != .traceMarker && (mayBeOther || $0.isFor(app: app))
    }
    var open = Self.systemCoverage
    for namespace in Set(own.map(\.event.namespace)).sorted()
    where !open.contains(namespace)
      && (mayBeOther || patterns.reasonNotCovering(namespace, app: app) == nil)
    {
      open.append(namespace)
    }
    return open
  }

  /// The levels that the capture holds. Rules read "info" as "UIKit's own lines about background
  /// tasks are here": where tasks are concerned, only lines of both kinds prove that.
  private var logLevels: [String] {
    var names = circumstances.levelNames.isEmpty ? ["default"] : circumstances.levelNames
    guard log.hasTaskFacts else { return names }
    let isWhole = log.hasTaskBegins && log.hasTaskEnds
    if !isWhole { names.removeAll { $0 == "info" } }
    if isWhole, !names.contains("info") { names.append("info") }
    return names
  }
}
