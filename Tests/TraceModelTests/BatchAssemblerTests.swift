// What an assembler makes of events, its own and copied ones.

import Testing
import TraceModel

struct BatchAssemblerTests {
  /// An event whose argument is this text.
  private func add(_ text: String, to assembler: inout BatchAssembler) {
    assembler.begin(.traceMarker, .instant, thread: 1, timeNanoseconds: 5)
    assembler.add(.text, .string(text))
    assembler.endEvent()
  }

  /// A text counts as often as it is named, although it is stored once.
  @Test func aBatchIsFullWhenItsEventsNameTooMuchText() {
    var assembler = BatchAssembler()
    let text = String(repeating: "x", count: BatchLimits.stringBytesMax)
    let most = BatchLimits.eventTextBytesFull / BatchLimits.stringBytesMax
    for round in 0..<2 {
      for _ in 0..<most {
        #expect(!assembler.isFull)
        add(text, to: &assembler)
      }
      #expect(assembler.isFull, "round \(round)")
      #expect(assembler.batch.textsTake(atMost: BatchLimits.eventTextBytesFull))
      #expect(!assembler.batch.textsTake(atMost: BatchLimits.eventTextBytesFull - 1))
      #expect(assembler.batch.textBytes == BatchLimits.eventTextBytesFull)
      var batch = EventBatch()
      assembler.take(into: &batch)
    }
  }

  /// An event that was begun and given up doesn't count.
  @Test func onlyEventsCount() {
    var assembler = BatchAssembler()
    let text = String(repeating: "x", count: BatchLimits.stringBytesMax)
    for _ in 0..<2_000 {
      assembler.begin(.traceMarker, .instant, thread: 1, timeNanoseconds: 5)
      assembler.add(.text, .string(text))
    }
    #expect(!assembler.isFull)
  }

  @Test func copiedTextsStayWhatTheyWere() {
    var source = BatchAssembler()
    for number in 0..<40 { add("text \(number % 7)", to: &source) }
    let other = source.batch
    var assembler = BatchAssembler()
    var texts = CopiedTexts(of: other)
    var told: [String?] = []
    for index in 0..<other.count {
      // A batch that was taken has texts of its own, and others may come between.
      if index % 9 == 8 {
        var taken = EventBatch()
        assembler.take(into: &taken)
        add("between", to: &assembler)
      }
      assembler.copy(index, of: other, texts: &texts)
      let batch = assembler.batch
      told.append(batch.text(.text, of: batch.event(at: batch.count - 1)).map { "\($0)" })
    }
    #expect(told == (0..<40).map { "text \($0 % 7)" })
  }
}
