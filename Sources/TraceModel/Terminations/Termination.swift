// One row of the table of ends: how the system says it, what it means, what it proves.

/// A way in which the process of an app ends.
///
/// Importers, rules, metrics and reports all read this one description. Which rules find in a
/// trace what led to such an end the rules say themselves, by ``id``.
public struct Termination: Hashable, Sendable {
  /// What rules and people name it by, for example `watchdog-launch`. Never reused.
  public let id: String
  /// The cause that an event `proc.kill` states for it; `exit` where the app ended itself, and nil
  /// where nothing ended or the vocabulary has no word for it.
  public let cause: String?
  /// Whether that cause alone, without code and words, means this end.
  public let isOfCause: Bool
  /// Codes of the termination, of 32 bits.
  public let codes: [Int64]
  /// In whose name a process is ended so, for example `FRONTBOARD`. Codes below 65,536 count in
  /// these namespaces alone.
  public let namespaces: [String]
  /// Parts of descriptions, any of which means this end.
  public let words: [String]
  /// Whether the words mean it whatever cause was told beside them.
  public let wordsAreEnough: Bool
  /// Where the app was, `foreground` or `background`; nil for anywhere.
  public let visibility: String?
  /// Under which names the system counts such ends, without case, separators, `cumulative` and
  /// `ExitCount`: the counter of its own first, then other names of it and coarser counters.
  public let counters: [String]
  /// What happened, as the end of a sentence that begins with the app.
  public let meaning: String
  /// What it proves, in one sentence.
  public let proves: String
  /// What it leaves open, in one sentence; empty if nothing.
  public let leavesOpen: String
  /// Whether such an end can come of nothing but a broken rule.
  public let provesFault: Bool
  /// Whether the system's own words say which rule it is, and not only which family.
  public let isNamed: Bool
  /// Systems on which it was seen.
  public let releases: String
  /// Who says so.
  public let source: String
  /// Why no rule explains it; nil where one does.
  public let withoutRule: String?

  init(
    _ id: String, cause: String?, isOfCause: Bool = false, codes: [Int64] = [],
    namespaces: [String] = [], words: [String] = [], wordsAreEnough: Bool = false,
    visibility: String? = nil, counters: [String] = [], meaning: String, proves: String,
    leavesOpen: String = "", provesFault: Bool = true, isNamed: Bool = true,
    releases: String, source: String, withoutRule: String? = nil
  ) {
    self.id = id
    self.cause = cause
    self.isOfCause = isOfCause
    self.codes = codes
    self.namespaces = namespaces
    self.words = words
    self.wordsAreEnough = wordsAreEnough
    self.visibility = visibility
    self.counters = counters
    self.meaning = meaning
    self.proves = proves
    self.leavesOpen = leavesOpen
    self.provesFault = provesFault
    self.isNamed = isNamed
    self.releases = releases
    self.source = source
    self.withoutRule = withoutRule
  }

  /// Whether a code is one of its, in a kill of this cause and namespace.
  fileprivate func has(code: Int64, cause: String?, namespace: String?) -> Bool {
    guard codes.contains(code) else { return false }
    guard !namespaces.isEmpty, code < 65_536 else { return true }
    return namespace.map(namespaces.contains) ?? (cause == self.cause)
  }

  fileprivate func isAt(_ visibility: String?) -> Bool {
    self.visibility == nil || self.visibility == visibility
  }
}

/// The table of ends.
public enum Terminations {
  /// Every row. Where several fit one end, the first of them is meant.
  public static let all =
    watchdog + backgroundTime + locksAndCalls + graphics + resources + memory + memoryPressure
    + system + faults

  /// The code of the watchdog, which also stands for background tasks.
  public static let watchdogCode: Int64 = 0x8bad_f00d

  /// The row of an id.
  public static func named(_ id: String) -> Termination? { all.first { $0.id == id } }

  /// What a kill says: its words go first, then its code, its namespace, and its cause.
  ///
  /// - Parameters:
  ///   - code: As it was told; one that lost its upper half to a sign is understood.
  ///   - description: The system's words.
  ///   - visibility: `foreground` or `background`, if that is known.
  /// - Returns: nil where nothing of it means anything.
  public static func meaning(
    cause: String?, code: Int64?, namespace: String?, description: String?, visibility: String?
  ) -> Termination? {
    let code = code.map(unsigned)
    let isOfTasks = cause == "bgtask_expired" || cause == "unknown"
    let told = code == watchdogCode && !isOfTasks ? "watchdog" : cause
    func first(_ fits: (Termination) -> Bool) -> Termination? {
      all.first { $0.isAt(visibility) && fits($0) }
    }
    if let description,
      let row = first({ row in
        (row.wordsAreEnough || row.cause == told)
          && row.words.contains { description.contains($0) }
      })
    {
      return row
    }
    if code == watchdogCode, cause != "bgtask_expired", namespace == nil || cause == "unknown" {
      return named(codeAlone)
    }
    if let code, code != watchdogCode,
      let row = first({ $0.has(code: code, cause: told, namespace: namespace) })
    {
      return row
    }
    if let namespace,
      let row = first({
        $0.codes.isEmpty && $0.words.isEmpty && $0.namespaces.contains(namespace)
          && (told == nil || told == "unknown" || told == $0.cause)
      })
    {
      return row
    }
    return first { $0.isOfCause && $0.cause == told }
  }

  /// What a code means by itself, whoever gave it; nil for codes that nobody knows.
  public static func meaning(ofCode code: Int64) -> Termination? {
    let code = unsigned(code)
    return all.first { $0.codes.contains(code) && ($0.namespaces.isEmpty || code >= 65_536) }
  }

  /// The words by which kills of a cause say more than their code.
  public static func words(ofCause cause: String) -> [String] {
    all.filter { $0.cause == cause }.flatMap(\.words)
  }

  /// Codes have 32 bits; some tools print them with a sign.
  public static func unsigned(_ code: Int64) -> Int64 {
    code < 0 && code >= Int64(Int32.min) ? code + 1 << 32 : code
  }

  /// The code as people write it.
  public static func hexadecimal(_ code: Int64) -> String {
    let code = unsigned(code)
    return (code < 0 ? "-0x" : "0x") + String(code.magnitude, radix: 16)
  }
}

/// Ends that the system only counts.
extension Terminations {
  /// What a category of counted exits means: the row whose own counter it is, and all rows of which
  /// such an exit may be one.
  ///
  /// - Parameter category: In any spelling: `app_watchdog`, `cumulativeAppWatchdogExitCount`, or a
  ///   code, `0x8badf00d` or `2343432205`.
  /// - Returns: nil for a category that isn't known.
  public static func counted(
    _ category: String
  ) -> (meaning: Termination, rows: [Termination])? {
    var word = category.lowercased()
    word.removeAll { $0 == "_" || $0 == "-" || $0 == " " }
    if let code = number(word), let row = meaning(ofCode: code) {
      guard row.isOfCause, let own = row.counters.first else { return (row, [row]) }
      word = own
    }
    if word.hasPrefix("cumulative") { word.removeFirst("cumulative".count) }
    for end in ["exitcount", "terminationcount", "exit", "termination"] where word.hasSuffix(end) {
      word.removeLast(end.count)
      break
    }
    let counted = all.filter { $0.counters.contains(word) }
    let own =
      counted.first { $0.counters.first == word && $0.isOfCause }
      ?? counted.first { $0.counters.first == word } ?? counted.first
    guard let own, let counter = own.counters.first else { return nil }
    return (own, all.filter { $0.counters.contains(counter) })
  }

  private static func number(_ word: String) -> Int64? {
    word.hasPrefix("0x") ? Int64(word.dropFirst(2), radix: 16) : Int64(word)
  }
}
