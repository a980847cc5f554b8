// Which lines are about which process: names, process ids and bundles are brought together.
// This file must not know what happened to the processes.

import TraceModel

/// The processes of a capture that have life-cycle lines.
///
/// A log names a process in three ways: its own lines by name (and process id, where the format
/// has it), daemons by bundle and process id or by bundle alone. Without a process id in its own
/// lines an app is tied to a bundle only by a monitor's line that it logs of itself.
struct ProcessDirectory: Sendable {
  struct Entry: Sendable {
    var name: String?
    var bundle: String?
    var pid: Int64?
    /// By the first task, begun again, a new process of the same name is told.
    var hasBegunFirstTask = false
    /// The place of the first of several processes that follow each other under one name.
    var firstPlace: Int?
    /// When a line told of its end first.
    var endNanoseconds: Int64?
    /// Whether it turned out to be one of Apple's apps.
    var isSystem = false
    var isDebugged = false
    var isSimulated = false
    /// What its facts show that the capture holds.
    var hasTasks = false
    var hasRefusals = false
    /// Bits of the sources of lines about suspensions, and of those that told of one.
    var sources: UInt64 = 0
    var suspensionSources: UInt64 = 0
    /// Whether the place is free for another process.
    var isFree = false

    mutating func merge(_ other: Entry) {
      isDebugged = isDebugged || other.isDebugged
      isSystem = isSystem || other.isSystem
      isSimulated = isSimulated || other.isSimulated
      hasTasks = hasTasks || other.hasTasks
      hasRefusals = hasRefusals || other.hasRefusals
      sources |= other.sources
      suspensionSources |= other.suspensionSources
    }

    /// The surest source of lines about suspensions; 0 if there is none.
    var surestSource: UInt64 { sources == 0 ? 0 : UInt64(63 - sources.leadingZeroBitCount) }

    /// Whether suspensions are told by the system, so that silence means there was none. Lines of
    /// states that say "running" from beginning to end tell of no suspension.
    var hasSuspensions: Bool {
      let source = surestSource
      return source == SuspensionSource.runningBoard.rawValue
        || suspensionSources & (1 << source) != 0
    }
  }

  private(set) var entries: [Entry] = []
  /// Whether a process was left out for want of room.
  private(set) var isFull = false
  /// Grows with everything that is learned of a process.
  private(set) var version = 0

  private var freePlaces: [Int] = []
  private var resolved: (version: Int, roots: [Int], entries: [Entry])?

  private var byPid: [Int64: Int] = [:]
  private var byName: [String: Int] = [:]
  private var byBundle: [String: Int] = [:]
  private var reporters: [String: Reporter] = [:]

  /// What a process without a known id logged of the state of one.
  private struct Reporter {
    var pid: Int64
    var bundle: String
    var isAmbiguous = false
  }

  /// Processes of the system that log UIKit's lines and are no apps.
  private static let systemProcesses: Set<String> = [
    "SpringBoard", "backboardd", "runningboardd", "assertiond", "launchd", "kernel", "InputUI",
    "CarPlay", "PineBoard", "chronod", "druid", "linkd", "useractivityd",
    "ScreenshotServicesService", "Preferences", "MobileSafari", "SafariViewService", "MobileMail",
    "MailCompositionService", "MobileSMS", "MessagesViewService", "MobileNotes", "MobileCal",
    "MobilePhone", "InCallService", "MobileSlideShow", "MobileTimer", "AppStore",
    "StoreKitUIService",
  ]
  /// Ids of Apple's apps that daemons named, so that their own lines are none of a third party's.
  private var systemPIDs: Set<Int64> = []

  static func isSystem(bundle: String) -> Bool { bundle.hasPrefix("com.apple.") }

  /// The place of the process that logged a line; nil if it is none of an app.
  mutating func logger(name: String, pid: Int64?) -> Int? {
    guard !Self.systemProcesses.contains(name) else { return nil }
    if let pid {
      if systemPIDs.contains(pid) { return nil }
      if let index = byPid[pid], isName(name, of: index) {
        // A name that is cut off is no better one.
        if let known = entries[index].name, ProcessName.isCut(name, of: known) { return index }
        if entries[index].name != name { rename(index, name) }
        return index
      }
    } else if let index = byName[name] {
      return index
    }
    guard let index = add(Entry(name: name, pid: pid)) else { return nil }
    if pid == nil { entries[index].pid = unclaimedReport(by: name) }
    version += 1
    return index
  }

  /// Whether a name is that of a process, or that and what was taken for the name of the device
  /// until a line without one came.
  private func isName(_ name: String, of index: Int) -> Bool {
    guard let known = entries[index].name, known != name else { return true }
    return !known.isEmpty && name.hasSuffix(" " + known) || ProcessName.isCut(known, of: name)
      || ProcessName.isCut(name, of: known)
  }

  private mutating func rename(_ index: Int, _ name: String) {
    if let known = entries[index].name {
      if byName[known] == index { byName[known] = nil }
      byName[name] = index
    }
    entries[index].name = name
    version += 1
  }

  /// The process id that a name has reported, if no process of that name has it yet. It isn't
  /// registered: until the end of the capture the report may turn out to be about another.
  private func unclaimedReport(by name: String) -> Int64? {
    guard let reporter = reporters[name],
      !entries.contains(where: { $0.name == name && $0.pid == reporter.pid })
    else { return nil }
    return reporter.pid
  }

  /// The process of bare lines: the last one that logged, or one without a name.
  mutating func anonymous() -> Int? {
    if let index = byName[""] { return index }
    return add(Entry(name: ""))
  }

  /// Gives the process of bare lines its name, once a line shows it.
  mutating func nameAnonymous(_ name: String, pid: Int64?) {
    guard let index = byName[""], !Self.systemProcesses.contains(name) else { return }
    byName[""] = nil
    version += 1
    entries[index].name = name
    entries[index].pid = pid
    register(index)
  }

  /// The place of the process that a daemon's line is about; nil if it is no app of third parties.
  mutating func target(bundle: String?, pid: Int64?) -> Int? {
    if let bundle, Self.isSystem(bundle: bundle) {
      if let pid { markSystem(pid) }
      return nil
    }
    if let pid {
      if bundle != nil, !systemPIDs.isEmpty { systemPIDs.remove(pid) }
      if let index = byPid[pid],
        bundle == nil || entries[index].bundle == nil || entries[index].bundle == bundle
      {
        if let bundle, entries[index].bundle == nil || byBundle[bundle] != index {
          entries[index].bundle = bundle
          byBundle[bundle] = index
          version += 1
        }
        return index
      }
      return add(Entry(bundle: bundle, pid: pid))
    }
    guard let bundle else { return nil }
    return byBundle[bundle] ?? add(Entry(bundle: bundle))
  }

  private mutating func markSystem(_ pid: Int64) {
    if let index = byPid[pid] {
      // Of a third party's app: the id is used again.
      guard entries[index].bundle == nil else { return }
      if !entries[index].isSystem { version += 1 }
      entries[index].isSystem = true
    }
    if systemPIDs.count < ImportLimits.reportersMax { systemPIDs.insert(pid) }
  }

  /// The place of a process that other lines have shown to be an app's; nil for any other.
  func known(pid: Int64?, name: String) -> Int? {
    if let pid, let index = byPid[pid] {
      // Daemons cut names off, and an id may be used again.
      let known = entries[index].name ?? name
      return known.hasPrefix(name) || name.hasPrefix(known) ? index : nil
    }
    guard let index = byName[name], !name.isEmpty else { return nil }
    return entries[index].pid == nil || entries[index].pid == pid ? index : nil
  }

  /// Notes that a process without a known id logged a state of another, or of itself.
  mutating func report(by name: String, pid: Int64?, of reportedPid: Int64, bundle: String) {
    guard !Self.systemProcesses.contains(name) else { return }
    if let pid {
      if pid == reportedPid, let index = byPid[pid], entries[index].name == name,
        entries[index].bundle != bundle
      {
        version += 1
        entries[index].bundle = bundle
        byBundle[bundle] = index
      }
      return
    }
    if let index = byName[name], entries[index].pid == nil { version += 1 }
    if var reporter = reporters[name] {
      if reporter.bundle == bundle, reporter.pid == reportedPid { return claim(name, reportedPid) }
      version += 1
      if reporter.bundle != bundle {
        reporter.isAmbiguous = true
      } else if reporter.pid != reportedPid {
        // Another process id of the same app: its lines belong to another process from here on.
        if let index = byName[name], entries[index].pid != nil { byName[name] = nil }
        reporter.pid = reportedPid
      }
      reporters[name] = reporter
    } else if reporters.count < ImportLimits.reportersMax {
      version += 1
      reporters[name] = Reporter(pid: reportedPid, bundle: bundle)
    }
    claim(name, reportedPid)
  }

  private mutating func claim(_ name: String, _ pid: Int64) {
    if let index = byName[name], entries[index].pid == nil { entries[index].pid = pid }
  }

  /// Begins a new process of a name; `pid` is nil in a log that gives no ids of it.
  mutating func renew(_ index: Int, pid: Int64?) -> Int? {
    guard let name = entries[index].name else { return index }
    var entry = Entry(name: name)
    if let pid { (entry.pid, entry.bundle) = (pid, entries[index].bundle) }
    entry.firstPlace = firstPlace(index)
    return add(entry)
  }

  /// The place of the first of the processes that follow each other under the name of one.
  func firstPlace(_ index: Int) -> Int { entries[index].firstPlace ?? index }

  /// Whether a line told of the end of a process before a time.
  func hasEnded(_ index: Int, before nanoseconds: Int64) -> Bool {
    let entry = entries[index]
    if let end = entry.endNanoseconds { return end < nanoseconds }
    // A daemon's lines count as those of another process until the end of a log without ids.
    guard let pid = entry.pid, let name = entry.name, let reporter = reporters[name],
      reporter.pid == pid, !reporter.isAmbiguous
    else { return false }
    return entries.contains { other in
      other.name == nil && other.pid == pid && other.bundle == reporter.bundle
        && other.endNanoseconds.map { $0 < nanoseconds } ?? false
    }
  }

  mutating func markBegunFirstTask(_ index: Int) { entries[index].hasBegunFirstTask = true }

  mutating func markDebugged(_ index: Int) {
    if !entries[index].isDebugged { version += 1 }
    entries[index].isDebugged = true
  }

  mutating func markSimulated(_ index: Int) {
    if !entries[index].isSimulated { version += 1 }
    entries[index].isSimulated = true
  }

  /// Remembers what a fact shows of what the capture holds.
  mutating func note(_ fact: Fact) {
    let index = Int(fact.process)
    let before = entries[index]
    switch fact.kind {
    case .taskBegun, .taskEndCalled, .taskEndAccepted, .taskEndRefused, .taskHandlerCalled,
      .taskOverdue:
      entries[index].hasTasks = true
    case .metalRefused: entries[index].hasRefusals = true
    case .exit where fact.exit.first?.isMetalRefusal == true: entries[index].hasRefusals = true
    case .exit where !fact.isPrinted:
      entries[index].endNanoseconds = before.endNanoseconds ?? fact.timeNanoseconds
    case .suspension, .processState:
      let source = fact.suspensionSource
      guard (1...SuspensionSource.runningBoard.rawValue).contains(source) else { return }
      entries[index].sources |= 1 << source
      if fact.isSuspension { entries[index].suspensionSources |= 1 << source }
    default: return
    }
    let now = entries[index]
    if now.hasTasks != before.hasTasks || now.hasRefusals != before.hasRefusals
      || now.sources != before.sources || now.suspensionSources != before.suspensionSources
    {
      version += 1
    }
  }

  /// Whether another process has no place.
  var hasNoRoom: Bool {
    entries.count >= ImportLimits.processesMax && freePlaces.isEmpty
  }

  /// Frees the place of a process of which nothing more is expected.
  mutating func retire(_ index: Int) {
    byPid = byPid.filter { $0.value != index }
    byName = byName.filter { $0.value != index }
    byBundle = byBundle.filter { $0.value != index }
    entries[index] = Entry(isFree: true)
    freePlaces.append(index)
    version += 1
  }

  /// For each process the place of the process that it turned out to be, as far as the lines up to
  /// now tell.
  mutating func roots() -> [Int] {
    resolve()
    return resolved?.roots ?? []
  }

  /// What is known of a process, with what is known of those that turned out to be it.
  mutating func merged(_ root: Int) -> Entry {
    resolve()
    guard let resolved else { return entries[root] }
    var entry = resolved.entries[root]
    for index in entries.indices where index != root && resolved.roots[index] == root {
      entry.merge(entries[index])
    }
    return entry
  }

  /// Names are tied to bundles by lines that a process logs of itself; a process that reports
  /// several apps is a monitor and none of them.
  private mutating func resolve() {
    if resolved?.version == version { return }
    var entries = entries
    var roots = Array(entries.indices)
    for index in entries.indices {
      guard let name = entries[index].name, let reporter = reporters[name] else { continue }
      guard !reporter.isAmbiguous else {
        entries[index].pid = nil
        continue
      }
      entries[index].bundle = reporter.bundle
      guard let pid = entries[index].pid else { continue }
      for other in entries.indices
      where other != index && entries[other].name == nil
        && isSame(
          entries[other], pid: pid, bundle: reporter.bundle, isLatest: byName[name] == index)
      {
        roots[other] = index
      }
    }
    Self.foldNameless(entries, &roots)
    resolved = (version, roots, entries)
  }

  /// Lines that give a bundle alone are about its process, if the capture shows but one.
  private static func foldNameless(_ entries: [Entry], _ roots: inout [Int]) {
    for index in entries.indices where roots[index] == index {
      let entry = entries[index]
      guard entry.pid == nil, entry.name == nil, let bundle = entry.bundle else { continue }
      let others = Set(
        entries.indices.filter { $0 != index && entries[$0].bundle == bundle }.map { roots[$0] })
      if others.count == 1, let other = others.first, other != index { roots[index] = other }
    }
  }

  /// Whether daemons' lines about a process are about the one with this id and bundle. Lines
  /// without an id are about the latest process of the bundle.
  private func isSame(_ entry: Entry, pid: Int64, bundle: String, isLatest: Bool) -> Bool {
    if let known = entry.pid { return known == pid && (entry.bundle ?? bundle) == bundle }
    return isLatest && entry.bundle == bundle
  }

  private mutating func add(_ entry: Entry) -> Int? {
    guard !hasNoRoom else {
      isFull = true
      return nil
    }
    version += 1
    guard let place = freePlaces.popLast() else {
      entries.append(entry)
      register(entries.count - 1)
      return entries.count - 1
    }
    entries[place] = entry
    register(place)
    return place
  }

  private mutating func register(_ index: Int) {
    let entry = entries[index]
    if let pid = entry.pid { byPid[pid] = index }
    if let name = entry.name { byName[name] = index }
    if let bundle = entry.bundle { byBundle[bundle] = index }
  }
}
