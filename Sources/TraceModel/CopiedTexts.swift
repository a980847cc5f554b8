// Which texts of a batch an assembler has taken over, so that each is looked for once.
// This file must not know what the texts are.

/// The texts of one batch that one ``BatchAssembler`` has copied.
///
///     var texts = CopiedTexts(of: batch)
///     for index in 0..<batch.count { assembler.copy(index, of: batch, texts: &texts) }
///
/// A text may be long, and be named by each of thousands of events.
public struct CopiedTexts: Sendable {
  /// By number in the batch that is copied: 1 and the number in the assembler's, or 0.
  private var numbers: [UInt32] = []
  private var takenCount = 0

  /// Remembers nothing, for a single event.
  public init() {}

  public init(of batch: EventBatch) {
    numbers = [UInt32](repeating: 0, count: batch.strings.count)
  }

  /// Forgets what stood in a batch that was taken since.
  mutating func follow(_ count: Int) {
    if takenCount == count { return }
    takenCount = count
    for index in numbers.indices { numbers[index] = 0 }
  }

  /// The number that a text has in the assembler's batch; nil if it isn't known.
  subscript(text: Int) -> Int? {
    get { text < numbers.count && numbers[text] > 0 ? Int(numbers[text]) - 1 : nil }
    set { if text < numbers.count { numbers[text] = UInt32((newValue ?? -1) + 1) } }
  }
}
