// Tests and conditions that nothing fulfils, as far as a look at them tells.

import TraceLifecycle
import TraceModel
import TraceRules

/// Finds parts that exclude each other.
enum Contradiction {
  /// Why no event passes a test; nil if some may.
  static func of(_ test: FieldTest) -> String? {
    switch test {
    case .isText(_, []): return "the list is empty"
    case .any(let parts):
      let reasons = parts.compactMap { of($0) }
      return reasons.count == parts.count ? reasons.first ?? "the list is empty" : nil
    case .all(let parts):
      let all = flattened(parts)
      return all.lazy.compactMap { of($0) }.first ?? excluding(all)
    default: return nil
    }
  }

  private static func flattened(_ parts: [FieldTest]) -> [FieldTest] {
    parts.flatMap { part in
      if case .all(let inner) = part { flattened(inner) } else { [part] }
    }
  }

  private static func excluding(_ parts: [FieldTest]) -> String? {
    let all = Set(parts)
    var texts: [ArgumentName: Set<String>] = [:]
    var ranges: [ArgumentName: (least: Int64, most: Int64)] = [:]
    for part in parts {
      if all.contains(.not(part)) { return "a test and its opposite are both asked for" }
      switch part {
      case .isText(let name, let some):
        texts[name] = texts[name].map { $0.intersection(some) } ?? Set(some)
        if texts[name]?.isEmpty == true { return "'\(shown(name))' can't be both texts" }
      case .isTrue(let name):
        if all.contains(.isFalse(name)) { return "'\(shown(name))' can't be true and false" }
      case .compare(let name, let comparison, .fixed(let number)):
        var range = ranges[name] ?? (.min, .max)
        switch comparison {
        case .less: range.most = min(range.most, number == .min ? .min : number - 1)
        case .atMost: range.most = min(range.most, number)
        case .equal: range = (max(range.least, number), min(range.most, number))
        case .atLeast: range.least = max(range.least, number)
        case .greater: range.least = max(range.least, number == .max ? .max : number + 1)
        case .notEqual: break
        }
        ranges[name] = range
        // Between two whole numbers there are others.
        if range.least > range.most, range.least - 1 > range.most || comparison == .equal {
          return "'\(shown(name))' has no such number"
        }
      default: continue
      }
    }
    return nil
  }

  private static func shown(_ name: ArgumentName) -> String { name.knownText ?? "" }

  /// Why a condition never holds; nil if it may.
  static func of(_ condition: Condition) -> String? {
    switch condition {
    case .phase([]), .wasPhase([]), .hasReason([]): return "the list is empty"
    case .any(let parts):
      let reasons = parts.compactMap { of($0) }
      return reasons.count == parts.count ? reasons.first ?? "the list is empty" : nil
    case .all(let parts):
      let all = flattened(parts)
      return all.lazy.compactMap { of($0) }.first ?? excluding(all)
    default: return nil
    }
  }

  private static func flattened(_ parts: [Condition]) -> [Condition] {
    parts.flatMap { part in
      if case .all(let inner) = part { flattened(inner) } else { [part] }
    }
  }

  private static func excluding(_ parts: [Condition]) -> String? {
    let all = Set(parts)
    var states = Set(LifecycleState.allCases)
    for part in parts {
      switch part {
      case .fact, .factOf, .anyFact, .isTold:
        // Of a fact that isn't known neither is: to ask for both tells where that is so.
        continue
      default:
        if all.contains(.not(part)) { return "a condition and its opposite are both asked for" }
      }
      switch part {
      case .phase(let some): states.formIntersection(some)
      case .not(.phase(let some)): states.subtract(some)
      default: continue
      }
      if states.isEmpty { return "the app can't be in both states" }
    }
    return nil
  }
}
