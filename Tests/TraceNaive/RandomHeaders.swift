// Random headers that a rule's tests of the header tell apart.

import TraceLifecycle
import TraceModel
import TraceRules

extension RandomLifeMaker {
  mutating func header() -> TraceHeader {
    var header = TraceHeader()
    for _ in 0..<4 {
      header = TraceHeader()
      fill(&header)
      // Nearly always a profile that the rule is for.
      let profile = ProfileSelection(header: header).profile
      if rule.profiles.contains(profile) || random.chance(5) { break }
    }
    return header
  }

  private mutating func fill(_ header: inout TraceHeader) {
    let systems = ["3.2", "4.3", "5.1", "6.0", "7.0", "8.1", "9.3", "12.0", "13.2", "15.0", "17.0"]
    if !random.chance(6) { header[.osVersion] = .string(random.pick(systems)) }
    if random.chance(40) {
      header[.sdkLinked] = .string(random.pick(["4.0", "4.0", "7.0", "8.0", "13.0", "17.0"]))
    }
    if random.chance(40) { header[.sceneManifest] = .boolean(random.chance(30)) }
    if random.chance(60) {
      let modes = ["audio", "location", "voip", "fetch", "remote-notification", "processing"]
      header[.backgroundModes] = .strings(modes.filter { _ in random.chance(40) })
    }
    if random.chance(10) {
      header[.refreshStatus] = .string(random.pick(["available", "denied", "restricted"]))
    }
    if random.chance(6) { header[.debuggerAttached] = .boolean(random.chance(70)) }
    if random.chance(4) { header[.simulator] = .boolean(random.chance(70)) }
    if random.chance(5) { header[.timestampResolutionNanoseconds] = .integer(60_000_000) }
    if random.chance(4) { header[.clockKind] = .string("uptime") }
    if random.chance(6) {
      let namespaces = Set(Vocabulary.kinds.map(\.namespace)).sorted()
      header[.coverage] = .strings(namespaces.filter { _ in !random.chance(15) })
    }
    if let profile = rule.profiles.randomElement(using: &random) { select(profile, &header) }
    for test in harvest.headerTests where !random.chance(15) { satisfy(test, &header) }
  }

  private mutating func select(_ profile: Profile, _ header: inout TraceHeader) {
    switch profile {
    case .os3: header[.osVersion] = .string("3.2")
    case .sdk3: header[.sdkLinked] = .string("3.0")
    case .nomt: header[.multitaskingSupported] = .boolean(false)
    case .optout:
      header[.osVersion] = .string(random.pick(["4.3", "8.1", "12.0"]))
      header[.exitsOnSuspend] = .boolean(true)
    case .ios4: header[.osVersion] = .string("4.3")
    case .ios5: header[.osVersion] = .string(random.pick(["5.1", "6.0"]))
    case .ios7: header[.osVersion] = .string("7.0")
    case .ios8: header[.osVersion] = .string(random.pick(["8.1", "9.3", "12.0"]))
    case .ios13: header[.osVersion] = .string(random.pick(["13.2", "15.0", "17.0"]))
    case .scene:
      header[.osVersion] = .string(random.pick(["13.2", "15.0", "17.0"]))
      header[.sceneManifest] = .boolean(true)
    }
  }

  /// Mostly makes the header pass a test, else fail it.
  private mutating func satisfy(_ test: HeaderTest, _ header: inout TraceHeader) {
    let isMeant = random.chance(70)
    switch test {
    case .isTrue(let field): header[field] = .boolean(isMeant)
    case .isFalse(let field): header[field] = .boolean(!isMeant)
    case .isText(let field, let texts):
      header[field] = .string(isMeant ? texts.randomElement(using: &random) ?? "" : "other")
    case .has(let field, let text):
      let others = (header.strings(field) ?? []).filter { $0 != text }
      header[field] = .strings(isMeant ? others + [text] : others)
    case .isSet(let field), .declares(let field): declare(field, isMeant, &header)
    case .system(let major, let minor):
      header[.osVersion] = .string(isMeant ? "\(major).\(minor)" : "\(max(3, major - 1)).9")
    case .sdk(let major, let minor):
      header[.sdkLinked] = .string(isMeant ? "\(major).\(minor)" : "\(max(3, major - 1)).9")
    case .profile: break
    case .hasUnknownMode:
      let modes = header.strings(.backgroundModes) ?? []
      header[.backgroundModes] = .strings(isMeant ? modes + ["teleport"] : modes)
    case .not(let inner): satisfy(inner, &header)
    case .all(let tests), .any(let tests): for test in tests { satisfy(test, &header) }
    }
  }

  private mutating func declare(
    _ field: HeaderField, _ isMeant: Bool, _ header: inout TraceHeader
  ) {
    guard isMeant else {
      header[field] = nil
      return
    }
    guard header[field] == nil else { return }
    switch field.type {
    case .integer: header[field] = .integer(1)
    case .boolean: header[field] = .boolean(random.chance(50))
    case .string: header[field] = .string(random.pick(["a", "8.0", "none"]))
    case .strings: header[field] = .strings(random.chance(70) ? ["a", "audio"] : [])
    }
  }
}
