// The index of the specification, typed from its sections C.1 and F.2 and compared with the
// catalogue: id, slug, severity, thresholds and profiles of every rule.
//
// A threshold that only says “none” or “once” isn't listed: such a rule may have no number.

import Testing
import TraceCatalogue
import TraceLifecycle
import TraceRules

/// A row of the index.
struct SpecifiedRule: CustomTestStringConvertible, Sendable {
  struct Threshold: Hashable, Sendable {
    /// Nanoseconds for times, bytes for sizes, else the number as it is.
    var value: Int64
    /// Nil where the index leaves it open.
    var basis: RuleParameter.Basis?
  }

  var id: String
  var slug: String
  var severity: Severity
  var thresholds: Set<Threshold>
  var profiles: Set<Profile>

  var testDescription: String { id }
}

extension SpecifiedRule {
  /// Reads `id slug severity | profiles | thresholds`; the thresholds may be missing.
  init?(_ line: Substring) {
    let cells = line.split(separator: "|").map { $0.split(separator: " ") }
    guard (2...3).contains(cells.count), cells[0].count == 3,
      let severity = Severity(rawValue: String(cells[0][2])),
      let profiles = Self.profiles(cells[1])
    else { return nil }
    var thresholds: Set<Threshold> = []
    for word in cells.count == 3 ? cells[2] : [] {
      guard let threshold = Threshold(word) else { return nil }
      thresholds.insert(threshold)
    }
    self.init(
      id: String(cells[0][0]), slug: String(cells[0][1]), severity: severity,
      thresholds: thresholds, profiles: profiles)
  }

  private static func profiles(_ words: [Substring]) -> Set<Profile>? {
    let groups: [Substring: [Profile]] = [
      "all": Profile.allCases, "ios4+": Profile.ios4Plus, "ios5+": Profile.ios5Plus,
      "ios7+": Profile.ios7Plus, "ios4-8": Profile.ios4ToIOS8,
    ]
    var profiles: Set<Profile> = []
    for word in words {
      if word.hasPrefix("-"), let profile = Profile(rawValue: String(word.dropFirst())) {
        profiles.remove(profile)
      } else if let group = groups[word] ?? Profile(rawValue: String(word)).map({ [$0] }) {
        profiles.formUnion(group)
      } else {
        return nil
      }
    }
    return profiles
  }
}

extension SpecifiedRule.Threshold {
  /// Reads a number with its unit and its basis: `5s:doc`, `8MiB:tool`, `30:open`.
  init?(_ word: Substring) {
    let parts = word.split(separator: ":")
    guard parts.count == 2 else { return nil }
    let units: [Substring: Int64] = [
      "": 1, "ms": 1_000_000, "s": 1_000_000_000, "MiB": 1_048_576,
    ]
    let digits = parts[0].prefix { $0.isNumber }
    guard let number = Int64(digits), let unit = units[parts[0].dropFirst(digits.count)] else {
      return nil
    }
    value = number * unit
    switch parts[1] {
    case "doc": basis = .documented
    case "tool": basis = .toolDefault
    case "open": basis = nil
    default: return nil
    }
  }

  /// Whether a parameter of the catalogue is this threshold.
  func isMet(by parameter: RuleParameter) -> Bool {
    let scale: Int64 = parameter.unit == .seconds ? 1_000_000_000 : 1
    return parameter.value * scale == value && (basis == nil || basis == parameter.basis)
  }
}

struct SpecificationTableTests {
  static let rows = SpecifiedRule.table.split(separator: "\n").compactMap { SpecifiedRule($0) }

  @Test func everyLineIsReadable() {
    #expect(Self.rows.count == SpecifiedRule.table.split(separator: "\n").count)
    #expect(Self.rows.count { $0.id.hasPrefix("LC") } == 139)
    #expect(Self.rows.count { $0.id.hasPrefix("LM") } == 20)
  }

  @Test func countsAreThoseOfTheIndex() {
    let listed = Self.rows.filter { $0.id.hasPrefix("LC") }
    #expect(listed.count { $0.severity == .error } == 15)
    #expect(listed.count { $0.severity == .warning } == 76)
    #expect(listed.count { $0.severity == .note } == 48)
  }

  @Test func catalogueHasTheseRules() {
    #expect(Set(Catalogue.all.map(\.id)) == Set(Self.rows.map(\.id)))
  }

  @Test(arguments: SpecificationTableTests.rows)
  func ruleIsAsSpecified(_ row: SpecifiedRule) throws {
    let rule = try #require(Catalogue.all.first { $0.id == row.id })
    #expect(rule.slug == row.slug)
    #expect(rule.severity == row.severity)
    #expect(Set(rule.profiles) == row.profiles)
    #expect(Set(rule.profiles).count == rule.profiles.count, "no profile twice")
    for threshold in row.thresholds {
      #expect(rule.parameters.contains { threshold.isMet(by: $0) }, "\(threshold)")
    }
  }
}

extension SpecifiedRule {
  static let table = """
    LC001 background-task/unbalanced error | ios4+ nomt optout
    LC002 suspension/work-after-suspension error | ios4+ | 5s:tool
    LC003 watchdog/did-enter-background-over-5s error | ios4+ nomt sdk3 optout | 5s:doc
    LC004 graphics/gl-in-background error | ios4+ nomt optout
    LC101 background-task/no-expiration-handler warning | ios4+
    LC102 background-task/expired-not-ended error | ios4+ | 5s:tool
    LC103 background-task/expiration-handler-slow warning | ios4+ | 1s:tool
    LC104 background-task/new-work-in-expiration-handler warning | ios4+
    LC105 background-task/over-budget warning | ios4+ | 600s:open 180s:open 30s:open
    LC106 background-task/begun-after-work warning | ios4+
    LC107 background-task/begun-in-will-terminate warning | all
    LC108 background-task/ended-late note | ios4+ | 1s:tool
    LC109 background-task/refused-not-handled warning | ios4+ nomt
    LC110 background-task/critical-work-unprotected warning | ios4+
    LC111 background-task/token-not-unique warning | ios4+
    LC112 background-task/used-in-accessory-wake note | ios5+
    LC201 suspension/shared-resource-held error | ios4+
    LC202 suspension/bonjour-active warning | ios4+
    LC203 suspension/listening-socket-open warning | ios4+
    LC204 suspension/file-lock-held error | ios4+
    LC205 suspension/killed-with-unsaved-data error | ios4+
    LC206 suspension/long-background-run note | ios4+ | 30s:tool
    LC207 suspension/heavy-cpu-in-background warning | ios4+ | 80:tool 60s:tool
    LC301 launch/over-5s error | all | 5s:doc
    LC302 launch/sync-network-on-main warning | all
    LC303 launch/delegate-heavy note | all | 1s:tool
    LC304 launch/background-launch-does-ui-work note | ios4+
    LC305 launch/launch-options-not-checked note | all
    LC306 termination/will-terminate-over-5s error | all | 5s:doc
    LC307 watchdog/network-wait-on-main warning | all
    LC308 watchdog/lengthy-work-on-main warning | all | 1s:tool
    LC309 watchdog/did-enter-background-slow note | ios4+ | 1s:tool 5s:open
    LC310 watchdog/keep-alive-handler-over-30s error | ios4-8 | 30s:doc
    LC311 watchdog/accessory-wake-over-10s warning | ios5+ | 10s:doc
    LC401 graphics/gl-unfinished-at-background error | ios4+
    LC403 graphics/gl-draw-during-entry warning | ios4+
    LC404 graphics/gl-before-active warning | ios4+ os3
    LC405 graphics/frame-rate-not-throttled warning | all | 30:tool 2s:tool
    LC406 graphics/gl-while-locked warning | ios4
    LC407 graphics/frame-rate-not-restored note | all | 1s:tool
    LC501 transition/illegal warning | all
    LC502 delegate-order/become-active-after-launch warning | ios4+ os3 -scene
    LC503 delegate-order/background-without-resign warning | ios4+ -scene
    LC504 delegate-order/foreground-without-background warning | ios4+ -scene
    LC505 delegate-order/become-active-after-foreground warning | ios4+ -scene | 1s:tool
    LC506 delegate-order/callback-off-main error | all
    LC507 delegate-order/callback-while-suspended warning | ios4+
    LC508 transition/launch-state-mismatch warning | ios4+ -scene
    LC509 transition/touch-while-not-active warning | all
    LC510 transition/deactivated-by-banner note | ios5+
    LC511 transition/opt-out-app-kept-alive warning | optout
    LC512 transition/purchase-sent-to-background note | ios4-8
    LC513 transition/lock-sequence note | ios4+ -scene | 10s:tool
    LC514 termination/will-terminate-while-suspended warning | ios4+
    LC515 termination/will-terminate-missing note | all
    LC516 termination/self-exit warning | all
    LC517 transition/relaunch-after-force-quit note | ios4+
    LC518 transition/background-launch-before-first-unlock note | ios4+
    LC519 transition/no-multitasking-app-kept-alive warning | os3 sdk3 nomt | 10s:tool
    LC520 delegate-order/nested-lifecycle-span warning | all
    LC521 transition/state-query-mismatch note | ios4+ -scene
    LC522 transition/phone-call-outcome note | all
    LC541 inactive/timer-running warning | all | 500ms:tool
    LC542 inactive/metadata-query-running warning | all
    LC543 inactive/new-task-started warning | all
    LC544 inactive/movie-playing warning | all
    LC545 inactive/game-not-paused warning | all
    LC546 inactive/queue-running warning | all
    LC547 inactive/not-reversed note | all | 1s:tool
    LC548 inactive/game-auto-resumed warning | all
    LC549 delegate-order/foreground-not-undone note | ios4+ | 1s:tool
    LC601 background-mode/undeclared warning | ios4+
    LC602 background-mode/silent-audio warning | ios4+ | 10s:tool
    LC603 background-mode/extraneous-work warning | ios4+ | 500ms:tool
    LC604 background-mode/audio-session-not-configured warning | ios4+
    LC605 background-mode/audio-interruption-unhandled note | ios4+ | 2s:tool
    LC606 background-mode/voip-socket-not-tagged warning | ios4-8
    LC607 background-mode/voip-no-keep-alive warning | ios4-8
    LC608 background-mode/voip-without-audio warning | ios4+
    LC609 background-mode/keep-alive-below-600s warning | ios4-8 | 600s:doc
    LC610 background-mode/keep-alive-late note | ios4-8
    LC611 background-mode/voip-connection-not-recreated warning | ios4-8 | 30s:tool
    LC612 background-mode/voip-audio-session-held note | ios4+ | 10s:tool
    LC613 background-mode/completion-missing error | ios7+ | 30s:doc
    LC614 background-mode/completion-called-twice warning | ios7+
    LC615 background-mode/fetch-result-inaccurate note | ios7+
    LC616 background-mode/completion-late note | ios7+ | 1s:tool
    LC617 background-mode/push-wake-without-content-available note | ios7+
    LC618 background-mode/continuous-location-costly note | ios4+ | 600s:tool
    LC619 background-mode/location-not-restarted-after-relaunch warning | ios4+
    LC620 background-mode/significant-change-unavailable note | ios4+
    LC621 background-mode/bluetooth-without-session warning | ios5+
    LC622 background-mode/refresh-denied-work warning | ios7+
    LC623 background-mode/suspended-while-in-service note | ios4+
    LC624 background-mode/newsstand-no-download note | ios5 ios7 ios8
    LC625 background-mode/mode-unknown-to-os note | all
    LC626 background-mode/permission-missing warning | ios7+
    LC627 background-mode/keep-alive-timeout-short note | ios4-8 | 600s:open 900s:tool
    LC628 background-mode/voip-no-audio-session warning | ios4+
    LC701 resource/protected-file-open-at-lock warning | all
    LC702 resource/protected-file-access-while-locked error | all
    LC703 resource/protected-file-not-reopened note | all
    LC704 networking/socket-not-reestablished warning | ios4+ | 10s:tool
    LC705 resource/accessory-disconnect-unobserved warning | ios4+
    LC706 resource/accessory-session-not-closed warning | ios4+ | 1s:tool
    LC707 networking/download-not-system-managed note | ios7+
    LC708 networking/background-session-no-launch-events warning | ios7+
    LC709 networking/background-session-not-discretionary note | ios7+
    LC710 networking/background-session-not-recreated warning | ios7+
    LC711 networking/transfers-cancelled-by-force-quit note | ios7+
    LC801 notification/local-limit warning | ios4+ | 128:doc
    LC802 notification/sound-not-in-bundle warning | ios4+
    LC803 notification/sound-format warning | ios4+
    LC804 notification/local-delivered-to-wrong-target note | ios4+
    LC805 notification/queued-handler-slow note | ios4+ | 250ms:tool 1s:tool
    LC806 notification/queued-not-coalesced note | ios4+
    LC807 notification/queued-after-touch note | ios4+
    LC808 notification/queued-off-main warning | ios4+
    LC809 notification/settings-not-observed warning | all
    LC810 notification/settings-not-reloaded note | all | 2s:tool
    LC811 notification/security-change-no-reauth warning | all
    LC812 notification/locale-not-refreshed note | all | 2s:tool
    LC813 notification/icloud-not-updated note | ios5+ | 2s:tool
    LC814 notification/icloud-prompted-again warning | all
    LC815 notification/status-bar-not-observed note | all
    LC816 notification/voip-call-without-alert note | ios4-8 | 5s:tool
    LC821 ui/update-in-background warning | ios4+
    LC822 ui/alert-open-at-background warning | ios4+
    LC823 privacy/sensitive-view-in-snapshot warning | ios4+
    LC841 memory/cache-held-in-background warning | ios4+ | 8MiB:tool
    LC842 memory/footprint-not-reduced note | ios4+ | 10:tool 50MiB:tool
    LC843 memory/warning-ignored warning | all | 30s:tool
    LC851 data/unsaved-at-background warning | ios4+
    LC852 data/saved-only-at-termination warning | ios4+
    LC853 data/no-state-preservation note | ios5 ios7+ -scene
    LC854 data/not-restored note | ios4+
    LC861 config/multitasking-not-checked note | os3 sdk3 nomt
    LC862 config/opt-out note | optout ios13 scene
    LC863 config/two-main-interfaces warning | all
    LM01 bgsched/registered-late error | ios4+
    LM02 bgsched/not-completed error | ios4+ | 30s:tool
    LM03 bgsched/no-expiration-handler warning | ios4+ | 1s:tool
    LM04 bgsched/too-many-pending warning | ios4+ | 1:doc 10:doc
    LM05 bgsched/identifier-not-permitted warning | ios4+
    LM06 bgsched/run-before-earliest note | ios4+
    LM07 background-task/open-over-30s note | ios13 scene | 30s:tool
    LM08 background-task/handler-off-main note | ios4+
    LM09 graphics/metal-in-background warning | ios4+
    LM10 graphics/metal-unfinished-at-background warning | ios4+ | 100ms:tool
    LM11 suspension/locked-file error | ios4+
    LM12 pushkit/call-not-reported error | ios4+
    LM13 voip/resumed-too-often warning | ios4+ | 15:tool 300s:tool
    LM14 watchdog/real-allowance error | ios13 scene | 20s:tool 10s:tool
    LM15 scene/illegal-transition warning | ios4+
    LM16 scene/app-delegate-call-in-scene-app note | scene
    LM17 notification/local-limit-64 note | ios4+ | 64:tool
    LM18 background-mode/remote-notification-over-30s error | ios4+ | 30s:doc
    LM19 networking/background-session-late error | ios4+
    LM20 import/unexplained-exit note | ios4+
    """
}
