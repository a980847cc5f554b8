// How much memory a rule may take, told before anything is checked.

import TraceModel
public import TraceRules

/// The most memory that a rule's monitors take, whatever the trace.
///
/// A rule that has more keys open than this becomes unknown (key-limit): it is never silently
/// wrong.
public struct MemoryBound: Hashable, Sendable {
  /// Open instances of one clause. The limit of the engine's table of instances; a rule can't raise
  /// it.
  public static let instancesMax = 16_384
  /// Keys of one fact.
  public static let factKeysMax = 16_384
  /// A slot of a table: key, time and state.
  public static let slotBytes = 24
  /// A time in the ring of a rate.
  public static let timeBytes = 8
  /// What a clause takes beside its tables.
  public static let clauseBytes = 256
  /// Longer rings than this are cut: no rate is asked for over more events.
  public static let ringMax = 65_536

  /// The most keys that are followed at once, over all clauses and facts.
  public var keysMax: Int
  public var bytes: Int

  public init(keysMax: Int, bytes: Int) {
    self.keysMax = keysMax
    self.bytes = bytes
  }

  /// For example `at most 16384 keys, 384 KiB`.
  public var text: String {
    let size =
      bytes < 1_024
      ? "\(bytes) bytes"
      : bytes < 1 << 20 ? "\((bytes + 1_023) >> 10) KiB" : "\((bytes + (1 << 20) - 1) >> 20) MiB"
    return keysMax == 0 ? "no keys, \(size)" : "at most \(keysMax) keys, \(size)"
  }

  /// The bound of a rule: the sum of those of its clauses and facts.
  public static func of(_ rule: Rule) -> MemoryBound {
    var bound = MemoryBound(keysMax: 0, bytes: 0)
    let instancesMax = min(rule.keysMax ?? .max, instancesMax)
    for fact in rule.facts { bound.add(keys: fact.key.isEmpty ? 1 : factKeysMax) }
    for clause in rule.clauses {
      bound.bytes += clauseBytes
      bound.add(clause.pattern, of: rule, instancesMax)
    }
    return bound
  }

  private mutating func add(keys: Int, bytesEach: Int = slotBytes) {
    keysMax += keys
    bytes += keys * bytesEach
  }

  private mutating func add(_ pattern: Pattern, of rule: Rule, _ instancesMax: Int) {
    switch pattern {
    case .never(let never):
      if never.unit == .key || !never.key.isEmpty { add(keys: instancesMax) }
    case .expect: add(keys: instancesMax)
    case .lasts(let lasts):
      if case .span = lasts.subject { add(keys: instancesMax) } else { add(keys: 1) }
    case .sums: add(keys: instancesMax)
    case .openAtMost: add(keys: instancesMax)
    case .limit(let limit):
      let ring = min(Self.ringMax, Self.value(limit.max, of: rule) + 1)
      add(
        keys: limit.key.isEmpty ? 1 : instancesMax,
        bytesEach: Self.slotBytes + ring * Self.timeBytes)
    case .order(let order): add(keys: order.key.isEmpty ? 1 : instancesMax)
    case .header: break
    case .handWritten: add(keys: instancesMax)
    }
  }

  private static func value(_ amount: Amount, of rule: Rule) -> Int {
    switch amount {
    case .fixed(let number): Int(clamping: max(0, min(number, Int64(ringMax))))
    case .parameter(let name):
      rule.parameters.first { $0.name == name }.map {
        Int(clamping: max(0, min($0.value, Int64(ringMax))))
      } ?? 0
    case .argument, .large: ringMax
    }
  }
}
