// What an event does to a rule if it fits a pattern: changes a fact, or reaches a clause.

import TraceLifecycle
import TraceModel

extension RuleMonitor {
  enum Target {
    case set(Int)
    case clear(Int)
    case clearAll(Int)
    case clause(Int, role: Int)
  }

  /// A class, so that a loop over steps doesn't copy them.
  final class Step {
    let pattern: CompiledPattern
    let target: Target
    /// The condition, unless the runner asks for it itself.
    let condition: CompiledCondition?
    /// What must be awake for the step to matter.
    let needs: UInt64
    /// The states in which the step may matter.
    let states: UInt32
    /// Arguments without which an event doesn't pass the test.
    let namesNeeded: Set<ArgumentName>

    init(
      _ pattern: CompiledPattern, _ target: Target, defersCondition: Bool, needs: UInt64,
      states: UInt32
    ) {
      self.pattern = pattern
      self.target = target
      condition = defersCondition ? nil : pattern.condition
      self.needs = needs
      self.states = states
      namesNeeded = pattern.pattern.test?.namesNeeded ?? []
    }
  }

  /// Which steps are taken at events of a kind and phase.
  struct StepLists {
    /// Known kinds, and one place for all others; three phases each.
    private static let places = 256 * 3

    /// The first list is empty.
    private(set) var steps: [[Step]] = [[]]
    private(set) var listOfPlace = [UInt16](repeating: 0, count: places)

    mutating func add(_ step: Step, at place: Int) {
      if listOfPlace[place] == 0 {
        listOfPlace[place] = UInt16(steps.count)
        steps.append([])
      }
      steps[Int(listOfPlace[place])].append(step)
    }
  }

  /// Has tests let go of what they remember of a batch.
  func forgetTexts() {
    for list in steps {
      for step in list { step.pattern.test?.forgetTexts() }
    }
  }
}
