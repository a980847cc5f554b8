// Enters and returns against a naive oracle, and the named cases.

import Testing
import TraceLifecycle
import TraceModel
import TraceTestSupport

struct SpanAuditorTests {
  /// The anomalies of a timeline, each as the line of its event and a word.
  static func anomalies(_ text: String) -> [String] {
    let (_, batches) = read(text)
    var auditor = SpanAuditor()
    return batches.flatMap { batch in
      var found: [SpanAnomaly] = []
      auditor.audit(batch, 0..<batch.count, into: &found)
      return found.map { words($0, batch) }
    }
  }

  static func words(_ anomaly: SpanAnomaly, _ batch: EventBatch) -> String {
    switch anomaly.kind {
    case .returnOfClosedSpan: "\(anomaly.index) closed"
    case .returnWithoutEnter: "\(anomaly.index) stray"
    case .crossing(let kind, let thread):
      "\(anomaly.index) crosses \(batch.name(of: kind)) @\(thread)"
    }
  }

  @Test(
    "named cases",
    arguments: [
      ("0s >work.span\n1s >data.save\n2s <data.save\n3s <work.span\n", []),
      ("0s >work.span\n1s >work.span\n2s <work.span\n3s <work.span\n4s <work.span\n", ["4 closed"]),
      ("0s <work.span\n", ["0 stray"]),
      ("0s work.span\n0s <work.span\n", ["1 stray"]),
      ("0s @2 >work.span\n1s @3 <work.span\n2s @2 <work.span\n", ["1 stray"]),
      (
        "0s >work.span\n1s >data.save\n2s <work.span\n3s <data.save\n",
        ["2 crosses data.save @1", "3 closed"]
      ),
      // Another span crossed it, which nobody would see.
      (
        "0s >work.span\n1s >work.span\n2s <work.span crossed=true\n2s <work.span\n",
        ["2 crosses work.span @1"]
      ),
      ("0s >work.span\n1s <work.span crossed=false\n", []),
      // Windows cross anything, on any thread.
      (
        "0s >voip.call\n1s >work.span\n2s @4 <voip.call\n3s <work.span\n4s <voip.call\n",
        ["4 closed"]
      ),
      ("0s <wake.window\n", ["0 stray"]),
      // A process takes its spans with it.
      ("0s >work.span\n1s proc.kill\n2s proc.start\n3s <work.span\n", ["3 stray"]),
      ("0s >sys.interruption\n1s proc.kill\n2s <sys.interruption\n", []),
      // Lost events put open spans in doubt: one return each is no fault.
      ("0s >work.span\n1s trace.lost count=1\n2s <work.span\n3s <work.span\n", ["3 closed"]),
      (
        "0s >work.span\n1s trace.lost count=1 thread=2\n2s <work.span\n3s <work.span\n",
        ["3 closed"]
      ),
      ("0s >work.span\n1s trace.lost thread=all\n2s <data.save\n", ["2 stray"]),
      // A loss on one thread leaves the spans of others alone.
      (
        "0s proc.start\n0s >work.span\n1s >data.save\n2s trace.lost thread=2\n3s <work.span\n",
        ["4 crosses data.save @1"]
      ),
      // The return of a span whose enter was lost closes those that were entered since.
      (
        "0s trace.lost count=1\n1s >data.save\n2s <work.span\n3s <data.save\n",
        ["2 stray", "2 crosses data.save @1", "3 closed"]
      ),
      (
        "0s >work.span\n1s trace.lost count=1\n2s >data.save\n3s <work.span\n",
        ["3 crosses data.save @1"]
      ),
      ("0s >data.save\n1s <work.span\n", ["1 stray", "1 crosses data.save @1"]),
      ("0s proc.start\n1s >data.save\n2s <work.span\n3s <data.save\n", ["2 stray"]),
      ("0s >data.save\n1s @2 <work.span\n2s <data.save\n", ["1 stray"]),
      ("0s <x.unknown\n1s >x.other\n", []),
    ])
  func cases(_ text: String, _ expected: [String]) {
    #expect(Self.anomalies(text) == expected)
  }

  @Test("a span closed across does not take others with it")
  func deepCrossing() {
    #expect(
      Self.anomalies(
        "0s >work.span\n0s >data.save\n0s >loc.update\n0s >data.save\n1s <loc.update\n"
          + "2s <data.save\n3s <work.span\n")
        == ["4 crosses data.save @1"])
  }

  @Test(
    "depth is bounded, and what is deeper raises no false alarm", arguments: [4_095, 4_096, 4_097])
  func depth(_ count: Int) {
    var text = ""
    for _ in 0..<count { text += "0s >work.span\n" }
    for _ in 0..<count { text += "1s <work.span\n" }
    // With one enter left out, the last return finds the stack empty.
    let expected = count > SpanAuditor.depthMax ? 1 : 0
    #expect(Self.anomalies(text).count == expected)
  }

  @Test("threads that have nothing open are forgotten, those with open spans are kept")
  func manyThreads() {
    var auditor = SpanAuditor()
    var found: [SpanAnomaly] = []
    func feed(_ phase: Phase, _ threads: Range<Int64>) {
      var assembler = BatchAssembler()
      for thread in threads {
        assembler.begin(.workSpan, phase, thread: thread, timeNanoseconds: 0)
        assembler.endEvent()
      }
      auditor.audit(assembler.batch, 0..<assembler.batch.count, into: &found)
    }
    feed(.enter, 0..<1)
    for first in stride(from: Int64(10), to: 70_010, by: 500) {
      feed(.enter, first..<first + 500)
      feed(.return, first..<first + 500)
    }
    feed(.return, 0..<1)
    #expect(found.isEmpty)
    feed(.return, 0..<1)
    #expect(found.map(\.kind) == [.returnOfClosedSpan])
  }

  // MARK: Oracle

  struct Step {
    var kind: EventKind
    var phase: Phase
    var thread: Int64
  }

  /// Matches with plain arrays.
  static func oracle(_ steps: [Step]) -> [SpanAnomaly] {
    var open: [Int64: [EventKind]] = [:]
    var entered: [Int64: Set<UInt16>] = [:]
    var windows = 0
    var hadWindow = false
    // Spans of the process may have been entered before the recording.
    var mayLackEnters = true
    var found: [SpanAnomaly] = []
    for (index, step) in steps.enumerated() {
      if step.kind == .procKill {
        open = [:]
        entered = [:]
        mayLackEnters = false
      } else if step.kind == .wakeWindow {
        if step.phase == .enter {
          windows += 1
          hadWindow = true
        } else if step.phase == .return {
          if windows == 0 {
            let kind = hadWindow ? SpanAnomaly.Kind.returnOfClosedSpan : .returnWithoutEnter
            found.append(SpanAnomaly(index: index, kind: kind))
          }
          windows = max(0, windows - 1)
        }
      } else if step.phase == .enter {
        open[step.thread, default: []].append(step.kind)
        entered[step.thread, default: []].insert(step.kind.rawValue)
      } else if step.phase == .return {
        var stack = open[step.thread] ?? []
        if let place = stack.lastIndex(of: step.kind) {
          for crossed in stack[(place + 1)...].reversed() {
            found.append(
              SpanAnomaly(index: index, kind: .crossing(crossed, thread: step.thread)))
          }
          stack.removeSubrange(place...)
          open[step.thread] = stack
        } else {
          let wasEntered = entered[step.thread]?.contains(step.kind.rawValue) == true
          found.append(
            SpanAnomaly(index: index, kind: wasEntered ? .returnOfClosedSpan : .returnWithoutEnter))
          guard mayLackEnters else { continue }
          for crossed in stack.reversed() {
            found.append(
              SpanAnomaly(index: index, kind: .crossing(crossed, thread: step.thread)))
          }
          open[step.thread] = []
        }
      }
    }
    return found
  }

  @Test("random spans are judged as by the oracle, for every cut", arguments: 1...60)
  func random(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let kinds: [EventKind] = [.workSpan, .dataSave, .locUpdate, .noteDeliver, .wakeWindow]
    let steps = (0..<200).map { _ in
      Int.random(in: 0..<60, using: &generator) == 0
        ? Step(kind: .procKill, phase: .instant, thread: 1)
        : Step(
          kind: kinds.randomElement(using: &generator) ?? .workSpan,
          phase: Phase.allCases.randomElement(using: &generator) ?? .enter,
          thread: Int64.random(in: 1...3, using: &generator))
    }
    let expected = Self.oracle(steps)
    for size in [200, 1, 7, Int.random(in: 2...100, using: &generator)] {
      var auditor = SpanAuditor()
      var found: [SpanAnomaly] = []
      var assembler = BatchAssembler()
      for (place, step) in steps.enumerated() {
        assembler.begin(step.kind, step.phase, thread: step.thread, timeNanoseconds: 0)
        assembler.endEvent()
        guard assembler.batch.count == size || place == steps.count - 1 else { continue }
        var batch = EventBatch()
        assembler.take(into: &batch)
        // A batch may come in two ranges.
        let middle = batch.count / 2
        for range in [0..<middle, middle..<batch.count] {
          var new: [SpanAnomaly] = []
          auditor.audit(batch, range, into: &new)
          found += new.map { SpanAnomaly(index: $0.index + batch.firstOrdinal, kind: $0.kind) }
        }
      }
      #expect(found == expected, "seed \(seed), size \(size)")
    }
  }
}
