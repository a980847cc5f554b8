// The table of task tokens holds what a dictionary holds.

import Testing
import TraceTestSupport

@testable import TraceRules

struct TaskTokenTableTests {
  @Test(arguments: [3, 50, 1_000, 60_000] as [UInt64])
  func holdsWhatADictionaryHolds(tokens: UInt64) {
    var random = SeededGenerator(seed: tokens)
    var table = TaskTokenTable<Int>()
    var model: [TaskToken: Int] = [:]
    for number in 0..<20_000 {
      let bits = UInt64.random(in: 0..<tokens, using: &random)
      let token = bits % 50 == 7 ? TaskToken.text("\(bits)") : .bits(bits << (bits % 3 * 20))
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4: (table[token], model[token]) = (number, number)
      case 4..<7: (table[token], model[token]) = (nil, nil)
      default:
        table[token]? += 1
        model[token]? += 1
      }
      #expect(table[token] == model[token])
      #expect(table.count == model.count)
    }
    for (token, value) in model { #expect(table[token] == value) }
    table.removeAll()
    #expect(table.count == 0)
    for token in model.keys { #expect(table[token] == nil) }
  }
}
