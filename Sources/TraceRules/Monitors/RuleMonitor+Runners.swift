// Which runner runs the pattern of a clause.

import TraceLifecycle
import TraceModel

extension RuleMonitor {
  static func outlivesLaunch(_ pattern: Pattern) -> Bool {
    switch pattern {
    case .expect(let expect): expect.outlivesLaunch
    case .openAtMost(let most): most.outlivesLaunch
    default: false
    }
  }

  func makeRunner(_ index: Int, _ judge: Judge) -> ClauseRunner? {
    switch clauses[index].pattern {
    case .never(let never): NeverRunner(self, index, never, judge)
    case .expect(let expect): ExpectRunner(self, index, expect, judge)
    case .lasts(let lasts): lastsRunner(index, lasts, judge)
    case .sums(let sums): SumsRunner(self, index, sums, judge)
    case .openAtMost(let most): OpenAtMostRunner(self, index, most, judge)
    case .limit(let limit): LimitRunner(self, index, limit, judge)
    case .order(let order): OrderRunner(self, index, order, judge)
    case .header, .handWritten: nil
    }
  }

  func lastsRunner(_ index: Int, _ lasts: Lasts, _ judge: Judge) -> ClauseRunner {
    switch lasts.subject {
    case .span(let spans): SpanLastsRunner(self, index, lasts, spans, judge)
    case .launch: LaunchLastsRunner(self, index, lasts, judge)
    case .condition(let condition):
      ConditionLastsRunner(
        self, index, lasts, CompiledCondition(condition, rule.facts, judge), judge)
    }
  }

  /// Time has passed a deadline of clauses that go on from launch to launch.
  func advanceOverLaunches(to event: Event, _ batch: EventBatch, _ judge: Judge) {
    for runner in runners
    where runner.outlivesLaunch && runner.deadlineNanoseconds < event.timeNanoseconds {
      runner.advance(to: event, batch, judge)
    }
    refresh(judge)
  }
}
