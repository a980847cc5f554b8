// Tells why an app ended: one paragraph for each end, and no more than the capture shows.
// This file must not know how captures are read.

import TraceCatalogue
import TraceExport
import TraceLifecycle
import TraceModel
import TraceRules

/// Paragraphs about the ends in one trace.
struct WhyStory {
  /// What the capture is called, and where its lines stand.
  let capture: JudgedCapture
  /// Where the trace is one of several: its number, from 1.
  let traceNumber: Int?
  let judgement: Judgement
  let endings: [Ending]

  /// What an end is in a finding that it proves; in others it only bounds a time.
  private static let rolesOfProof: Set<String> = ["offender", "kill"]

  /// Processes that show apps and are none.
  private static let shells: Set<String> = ["SpringBoard", "backboardd"]

  /// What is shown of the system's own words.
  private static let wordsMax = 160

  /// The paragraph of an end, in one line.
  func paragraph(_ ending: Ending) -> String {
    let known = explanation(ending)
    let finding = finding(ending, known)
    return [
      what(ending, known), evidence(ending),
      rule(ending, known, finding), doing(ending),
      certainty(ending, known, finding), next(ending, known, finding),
    ].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// What an end means, and the rule whose finding explains it.
  func account(of ending: Ending) -> (meaning: String?, rule: String?) {
    let known = explanation(ending)
    return (known?.meaning, finding(ending, known)?.rule)
  }

  private func explanation(_ ending: Ending) -> EndingExplanation? {
    switch ending.kind {
    case .counted: EndingExplanation(category: ending.text("category") ?? "")
    case .exit: nil
    case .kill: killExplanation(ending)
    }
  }

  private func killExplanation(_ ending: Ending) -> EndingExplanation? {
    var known = EndingExplanation(
      cause: ending.text("cause"), code: ending.number("code"),
      namespace: ending.text("namespace"), description: ending.text("description"),
      visibility: ending.text("visibility"))
    // No rule is about processes that are no apps.
    let name = judgement.header.string(.appBundleID)
    if states(ending).contains("daemon") || name.map(Self.shells.contains) == true {
      known?.rules = []
    }
    return known
  }

  /// The words of a list of processes for what one was doing.
  private func states(_ ending: Ending) -> [String] {
    guard ending.kind == .kill, ending.text("cause") == "jetsam", let role = ending.text("role")
    else { return [] }
    return role.split(separator: ",").map { PrintableText.printable(String($0), scalarsMax: 80) }
  }

  // MARK: What ended the app

  private var app: String {
    let header = judgement.header
    guard let name = header.string(.appBundleID) else { return "The app" }
    let version = header.string(.appVersion).map { " \($0)" } ?? ""
    return PrintableText.printable(name + version, scalarsMax: Self.wordsMax)
  }

  private func what(_ ending: Ending, _ known: EndingExplanation?) -> String {
    switch ending.kind {
    case .counted:
      let count = ending.number("count") ?? 1
      let category = PrintableText.printable(ending.text("category") ?? "no name", scalarsMax: 80)
      let times = count == 1 ? "1 exit" : "\(count) exits"
      let meaning = known.map { ": it \($0.meaning)" } ?? ""
      return "\(app): the system counted \(times) of category \(category)\(meaning)."
    case .exit:
      let code = ending.number("code").map { " with code \($0)" } ?? ""
      // UIKit itself calls exit, with code 0, once applicationWillTerminate has returned.
      let isOrderly = ending.number("code") == 0 && ending.text("by") == nil
      return "\(app) ended itself\(code)\(when(ending)), by a call of exit or a return from main"
        + (isOrderly ? ", or UIKit ended it in good order after applicationWillTerminate." : ".")
    case .kill:
      let who = ending.text("cause") == "crash" ? "" : "was ended by the system"
      let meaning = known.map { "it \($0.meaning)" } ?? "why, the capture doesn't say"
      let start = who.isEmpty ? "\(app) ended\(when(ending))" : "\(app) \(who)\(when(ending))"
      return "\(start): \(meaning)."
    }
  }

  private func when(_ ending: Ending) -> String {
    guard let start = ending.launchStartNanoseconds, !ending.isMidLife else { return "" }
    let (elapsed, overflow) = ending.timeNanoseconds.subtractingReportingOverflow(start)
    guard !overflow, elapsed >= 0 else { return "" }
    return ", \(TimeText.rounded(elapsed)) after launch \(ending.launch) began"
  }

  // MARK: Evidence

  private func evidence(_ ending: Ending) -> String {
    let places = capture.places(ofLine: ending.line).map {
      "\(Self.shown($0.path)):\($0.line)"
    }
    var place = places.isEmpty ? Self.shown(capture.path) : places.joined(separator: ", ")
    if let traceNumber { place += ", trace \(traceNumber)" }
    var parts: [String] = []
    if ending.kind == .kill {
      let namespace = ending.text("namespace").map {
        PrintableText.printable($0, scalarsMax: 80) + " "
      }
      if let code = ending.number("code") {
        let digits = String(UInt32(truncatingIfNeeded: code), radix: 16)
        parts.append("\(namespace ?? "")code 0x\(digits)")
      } else if let namespace {
        parts.append("namespace \(namespace.dropLast())")
      }
      if let signal = ending.number("signal") { parts.append("signal \(signal)") }
      if let words = ending.text("description") {
        parts.append("“\(PrintableText.printable(words, scalarsMax: Self.wordsMax))”")
      }
    }
    if let window = ending.text("window") {
      parts.append("between \(PrintableText.printable(window, scalarsMax: 80))")
    }
    return "Evidence: \(([place] + parts).joined(separator: ", "))."
  }

  private static func shown(_ path: String) -> String {
    path == "-" ? "standard input" : PrintableText.printable(path)
  }

  // MARK: Rules and findings

  /// The finding that explains the end: one that names the end itself goes first.
  private func finding(_ ending: Ending, _ known: EndingExplanation?) -> Finding? {
    // A finding that rests on the end itself explains it, whatever the words of the end suggest. A
    // note tells what follows from the end rather than what led to it.
    if ending.kind == .kill,
      let own = judgement.findings.first(where: { finding in
        finding.launch == ending.launch && finding.severity > .note
          && finding.witness.contains {
            $0.ordinal == ending.ordinal && Self.rolesOfProof.contains($0.role)
          }
      })
    {
      return own
    }
    guard let known else { return nil }
    let matching = judgement.findings.filter {
      known.rules.contains($0.rule) && (ending.kind == .counted || $0.launch == ending.launch)
    }
    return matching.min { rank($0, known) < rank($1, known) }
  }

  private func rank(_ finding: Finding, _ known: EndingExplanation) -> Int {
    known.rules.firstIndex(of: finding.rule) ?? known.rules.count
  }

  private func rule(_ ending: Ending, _ known: EndingExplanation?, _ finding: Finding?) -> String {
    if let finding {
      return "\(finding.rule) (\(finding.slug)) explains it, and the trace has a finding of that"
        + " rule: \(PrintableText.printable(finding.message))."
    }
    guard let known else {
      return ending.kind == .kill ? "" : "No rule judges such an end."
    }
    guard !known.rules.isEmpty else { return "No rule of the life cycle was broken by that." }
    let names = known.rules.map { id in
      Catalogue.all.first { $0.id == id }.map { "\(id) (\($0.slug))" } ?? id
    }
    if !known.provesFault {
      let list = names.count == 1 ? names[0] : "one of \(names.joined(separator: ", "))"
      return "No rule needs to be broken for that. A finding of \(list) would say what made it"
        + " likelier; the trace has none."
    }
    let others = names.dropLast().joined(separator: ", ")
    let list = known.isNamed || others.isEmpty ? names[0] : others + " or \(names.last ?? "")"
    let evaluated = known.rules.filter { judgement.verdicts[$0]?.notEvaluated != true }
    let verb = known.isNamed && known.provesFault ? "explains" : "could explain"
    let (whose, need) =
      known.isNamed || others.isEmpty ? ("it", "it needs") : ("them", "they need")
    return "\(list) \(verb) it, but the trace has no finding of \(whose)"
      + (evaluated.isEmpty ? ": the capture doesn't hold what \(need)." : ".")
  }

  // MARK: What the app was doing

  private func doing(_ ending: Ending) -> String {
    guard ending.kind != .counted else { return "" }
    var parts: [String] = []
    if let place = Self.words(ending.state) {
      parts.append("Then the app \(place)")
    } else if let visibility = ending.text("visibility"), visibility != "unknown" {
      let shown = visibility == "background" ? "in the background" : "in the foreground"
      parts.append("By the report the app was \(shown)")
    } else if !states(ending).isEmpty {
      parts.append("By the report its state was \(states(ending).joined(separator: ", "))")
    } else {
      parts.append("What the app was doing the capture doesn't show")
    }
    var open: [String] = []
    if !ending.openTasks.isEmpty {
      let names = ending.openTasks.map { PrintableText.printable($0, scalarsMax: 80) }
      open.append(
        "background task\(names.count == 1 ? "" : "s") \(names.joined(separator: ", "))")
    }
    open += ending.openSpans.map { PrintableText.printable($0, scalarsMax: 80) }
    if ending.openOmittedCount > 0 { open.append("\(ending.openOmittedCount) more") }
    if !open.isEmpty { parts.append("still open: \(open.joined(separator: ", "))") }
    return parts.joined(separator: "; ") + "."
  }

  private static func words(_ state: LifecycleState) -> String? {
    switch state {
    case .notRunning, .unknown: nil
    case .launchingForeground: "was launching into the foreground"
    case .launchingBackground: "was launching into the background"
    case .active: "was active"
    case .resigning: "was in willResignActive"
    case .inactive: "was inactive in the foreground"
    case .enteringBackground: "was in didEnterBackground"
    case .background: "ran in the background"
    case .suspended: "was suspended"
    case .enteringForeground: "was in willEnterForeground"
    case .terminating: "was in willTerminate"
    }
  }

  // MARK: How sure

  private func certainty(
    _ ending: Ending, _ known: EndingExplanation?, _ finding: Finding?
  ) -> String {
    if let finding {
      switch finding.confidence {
      case .certain:
        return ending.kind == .counted
          ? "How sure: likely, as a counter doesn't say which launch it counts."
          : "How sure: certain, by what the finding rests on."
      case .likely where ending.text("cause") == "cpu_limit":
        return "How sure: likely; the samples don't show that it was in the background."
      case .likely where ending.kind == .kill && known == nil:
        return "How sure: likely; nothing says who ended the app: a reinstallation, a debugger or"
          + " the user may have."
      case .likely where known?.isNamed == false:
        return "How sure: likely; the code alone doesn't say what took too long."
      case .likely: return "How sure: likely; the device may have had its share in it."
      case .possible: return "How sure: possible; the device may have been too hot to go on."
      }
    }
    guard let known else {
      return ending.kind == .kill
        ? "How sure: not at all; a signal alone is also what a reinstallation or a debugger sends."
        : "How sure: certain that it ended so, and not why."
    }
    if known.rules.isEmpty {
      return isOwnPrint(ending)
        ? "How sure: certain, by what the app printed itself."
        : "How sure: certain; the system's own record says so."
    }
    return known.isNamed && ending.kind == .kill
      ? "How sure: the system's word names the reason; what in the app led to it is open."
      : "How sure: not very; the record names the reason in general only."
  }

  /// Whether the end is known by what the app printed: words without anything that the system adds.
  private func isOwnPrint(_ ending: Ending) -> Bool {
    ending.kind == .kill && ending.text("cause") == "crash" && ending.text("description") != nil
      && ending.number("code") == nil && ending.text("namespace") == nil
  }

  // MARK: What to capture next time

  private func next(
    _ ending: Ending, _ known: EndingExplanation?, _ finding: Finding?
  ) -> String {
    func advice(_ recipe: CaptureRecipe?, _ purpose: String) -> String {
      guard let recipe else { return "" }
      return "Next time capture \(recipe.title) ('tracecheck capture \(recipe.place.rawValue)'), "
        + "which shows \(purpose)."
    }
    if let known, known.rules.isEmpty { return "" }
    switch ending.kind {
    case .counted: return advice(.deviceReports, "when it happened and what the system measured")
    case .exit: return advice(.deviceLog, "what came before")
    case .kill:
      if known == nil { return advice(.deviceReports, "why the system ended the app") }
      // A trace of the app's own doing tells more than any log.
      if judgement.header.covers("delegate"), !ending.isMidLife { return "" }
      return advice(.deviceLog, "what the app and the system did before the end")
    }
  }
}
