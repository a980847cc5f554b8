// Findings while a trace is judged: they grow, give way and become certain.

import TraceModel

/// A finding before it is told: what a monitor knows of it.
struct Draft {
  var clause: Int
  var message: String
  /// What it is about, for people.
  var subject: String
  /// What it is about, for the fingerprint; the subject if nil.
  var fingerprintSubject: String?
  var timeNanoseconds: Int64
  var thread: Int64
  var count = 1
  var lastTimeNanoseconds: Int64
  var confidence = Confidence.certain
  var witness: [WitnessEvent]
  /// A severity other than the clause's.
  var severity: Severity?
  /// Events that may be needed to show the violation; those that aren't are left out in the end.
  var context: [WitnessEvent]?
  /// What the finding is about among its like, for rules that give way to another one.
  var key = InstanceKey.none
  var intervalNumber = 0
}

/// The findings of one trace, in the order in which they were made.
struct FindingStore {
  struct Entry {
    var ruleIndex: Int
    var draft: Draft
    var launch: Int
    var launchStartNanoseconds: Int64?
    /// Further violations that it counts, each on its own, as far as a rule may give way for one.
    var further: [Draft] = []
    /// What the trace must hold for the finding to stand; decided at its end.
    var evidence = Clause.Evidence.none
    /// What the finding stands for; nil if nothing else can stand for the same.
    var unit: UnitKey?
    /// Nothing later can withdraw it.
    var isSettled = true
    /// Nothing after the end of its launch can, but for another finding of the launch.
    var settlesAtLaunchEnd = false
    var isWithdrawn = false
    var wasTaken = false

    /// The violations that it counts, as far as they are remembered.
    var instances: [Draft] {
      guard !further.isEmpty else { return [draft] }
      var own = draft
      own.count -= further.reduce(0) { $0 + $1.count }
      if further.count < FindingStore.furtherMax {
        own.lastTimeNanoseconds = own.timeNanoseconds
      }
      return [own] + further
    }
  }

  /// Violations that one finding remembers beside the first; the others are only counted.
  static let furtherMax = 256

  /// At most so many findings are kept for a rule; more are counted in the last one. Nobody
  /// reads the ten-thousandth, and a hostile trace could hold millions.
  static let findingsPerRuleMax = 10_000

  private(set) var entries: [Entry] = []
  /// Whether findings rest on the time at which no event had come, and aren't certain.
  var isByWallClock = false
  private var countsByRule: [Int]
  private var lastByRule: [Int]

  init(ruleCount: Int) {
    countsByRule = [Int](repeating: 0, count: ruleCount)
    lastByRule = [Int](repeating: -1, count: ruleCount)
  }

  /// Adds a finding and returns its place.
  mutating func add(_ entry: Entry) -> Int {
    let rule = entry.ruleIndex
    guard countsByRule[rule] < Self.findingsPerRuleMax else {
      extend(
        lastByRule[rule], by: entry.draft.count, until: entry.draft.lastTimeNanoseconds)
      return lastByRule[rule]
    }
    countsByRule[rule] += 1
    entries.append(entry)
    if isByWallClock { entries[entries.count - 1].draft.confidence = .likely }
    lastByRule[rule] = entries.count - 1
    return entries.count - 1
  }

  /// Counts further instances of a finding.
  mutating func extend(_ place: Int, by count: Int, until timeNanoseconds: Int64) {
    let (sum, overflow) = entries[place].draft.count.addingReportingOverflow(count)
    entries[place].draft.count = overflow ? .max : sum
    entries[place].draft.lastTimeNanoseconds = max(
      entries[place].draft.lastTimeNanoseconds, timeNanoseconds)
  }

  /// Whether a finding remembers another violation; who would only throw it away needn't draft it.
  func remembersMore(_ place: Int) -> Bool {
    entries[place].further.count < Self.furtherMax
  }

  /// Counts a further instance of a finding, and remembers it.
  mutating func join(_ place: Int, _ draft: Draft) {
    extend(place, by: draft.count, until: draft.lastTimeNanoseconds)
    if remembersMore(place) { entries[place].further.append(draft) }
  }

  /// Leaves of the violations that a finding counts only these; withdraws it if there are none.
  mutating func keep(_ place: Int, only instances: [Draft]) {
    let first = instances.indices.min {
      let (one, other) = (instances[$0], instances[$1])
      return (one.clause, one.timeNanoseconds) < (other.clause, other.timeNanoseconds)
    }
    guard let first else { return withdraw(place) }
    entries[place].draft = instances[first]
    entries[place].further = []
    for index in instances.indices where index != first { join(place, instances[index]) }
  }

  /// Puts a graver case in place of a finding, which keeps its count. As a rule that gives way may
  /// have to take it back, the finding as it was may be remembered.
  mutating func replace(
    _ place: Int, with draft: Draft, launch: Int, launchStartNanoseconds: Int64?,
    remembersOld: Bool = false
  ) {
    let old = entries[place].draft
    if remembersOld, remembersMore(place) {
      entries[place].further.append(entries[place].instances[0])
    }
    entries[place].draft = draft
    entries[place].launch = launch
    entries[place].launchStartNanoseconds = launchStartNanoseconds
    extend(place, by: old.count, until: old.lastTimeNanoseconds)
  }

  /// Makes a finding graver, because of a kill.
  mutating func escalate(_ place: Int, to severity: Severity, _ kill: WitnessEvent) {
    entries[place].draft.severity = severity
    entries[place].draft.witness.append(kill)
  }

  mutating func withdraw(_ place: Int) { entries[place].isWithdrawn = true }
  mutating func settle(_ place: Int) { entries[place].isSettled = true }
  mutating func markTaken(_ place: Int) { entries[place].wasTaken = true }
}
