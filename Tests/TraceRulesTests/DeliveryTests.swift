// Who is delivered an event: by what is awake in the monitors, and in every state of the app.

import Testing
import TraceLifecycle
import TraceModel

@testable import TraceRules

struct DeliveryTests {
  /// Wants spans of work, while its bit is awake.
  private final class Probe: Monitor {
    private let need: MonitorNeed
    private let short: Int64?

    init(bits: UInt64, short: Int64? = nil) {
      need = MonitorNeed(bits: bits)
      self.short = short
      super.init(ruleIndex: 0)
    }

    override func needs(
      _ kind: EventKind, _ phase: Phase, in state: LifecycleState,
      lacks: (ArgumentName) -> Bool
    ) -> [MonitorNeed] {
      kind == .workSpan && state == .active ? [need] : []
    }

    override func spanNanosecondsUnheard(_ kind: EventKind, in state: LifecycleState) -> Int64? {
      short
    }
  }

  private let spans = SpanTable(
    following: SpanTable.Following(kinds: KindSet([.workSpan])))

  private func batch(_ phase: Phase) -> EventBatch {
    var assembler = BatchAssembler()
    assembler.begin(.workSpan, phase, thread: 1, timeNanoseconds: 0)
    assembler.endEvent()
    return assembler.batch
  }

  /// The list of spans of work that begin, in a state.
  private func list(
    _ table: inout DeliveryTable, _ monitors: [Monitor], in state: LifecycleState = .active
  ) -> DeliveryTable.List {
    table.select(DeliveryTable.Gate(state: state, everyEvent: false))
    let batch = batch(.enter)
    let number = table.number(batch.templates[0], batch, monitors, spans)
    return table.lists[Int(number & DeliveryTable.listMask)]
  }

  @Test func whoSleepsIsNotCounted() {
    let monitors = [Probe(bits: 1), Probe(bits: 6)]
    var table = DeliveryTable(monitors)
    #expect(list(&table, monitors).awakeCount == 0)
    table.note(1, of: 0)
    #expect(list(&table, monitors).awakeCount == 1)
    table.note(3, of: 0)
    table.note(2, of: 1)
    #expect(list(&table, monitors).awakeCount == 1)
    table.note(6, of: 1)
    #expect(list(&table, monitors).awakeCount == 2)
    table.note(0, of: 0)
    table.note(4, of: 1)
    #expect(list(&table, monitors).awakeCount == 0)
  }

  @Test func aListThatIsMadeLaterKnowsWhoIsAwake() {
    let monitors = [Probe(bits: 1), Probe(bits: 1)]
    var table = DeliveryTable(monitors)
    table.note(1, of: 1)
    #expect(list(&table, monitors).awakeCount == 1)
    #expect(list(&table, monitors, in: .background).end == 0)
  }

  @Test func spansAreDeferredWhileNobodyMustHearOfShortOnes() {
    let monitors = [Probe(bits: 0, short: 500), Probe(bits: 0, short: 300), Probe(bits: 0)]
    var table = DeliveryTable(monitors)
    for place in monitors.indices { table.note(1, of: place) }
    let quiet = list(&table, monitors)
    #expect(quiet.defersSpans)
    #expect(quiet.shortNanoseconds == 300)
    #expect((quiet.awakeCount, quiet.promptCount) == (3, 1))
    table.note(Monitor.spansBit, of: 1)
    #expect(!list(&table, monitors).defersSpans)
    table.note(0, of: 1)
    #expect(list(&table, monitors).defersSpans)
  }

  @Test func theNextTraceBeginsWithWhatItsMonitorsSay() {
    let monitors = [Probe(bits: 1), Probe(bits: 2)]
    var table = DeliveryTable(monitors)
    _ = list(&table, monitors)
    table.note(1, of: 0)
    // What another trace left is noted anew, monitor by monitor.
    table.note(0, of: 0)
    table.note(2, of: 1)
    #expect(list(&table, monitors).awakeCount == 1)
  }
}
