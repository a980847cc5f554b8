// Work on several threads: results come in order, and no more of it is begun than may wait.

import Testing
import TraceIO

@testable import TracePipeline

@Suite struct OrderedWorkTests {
  /// The most pieces that were begun and not taken.
  private final class Tally: @unchecked Sendable {
    private let lock = SystemLock()
    private var begun = 0
    private var taken = 0
    private var most = 0

    func begin() {
      lock.withLock {
        begun += 1
        most = max(most, begun - taken)
      }
    }
    func take() { lock.withLock { taken += 1 } }
    var numbers: (begun: Int, most: Int) { lock.withLock { (begun, most) } }
  }

  @Test(arguments: [1, 2, 8])
  func resultsComeInOrder(threads: Int) throws {
    let work = try #require(
      OrderedWork(count: 200, threads: threads, aheadMax: 6) {
        { number in
          // Later pieces are done sooner.
          if number % 7 == 0 { ProcessClocks.sleep(milliseconds: 1) }
          return number * number
        }
      })
    #expect((0..<200).map { work.take($0) } == (0..<200).map { $0 * $0 })
  }

  @Test func nothingRunsFarAhead() throws {
    let tally = Tally()
    let work = try #require(
      OrderedWork(count: 100, threads: 4, aheadMax: 5) {
        { (_: Int) in tally.begin() }
      })
    for number in 0..<100 {
      // Counted before it makes room for another.
      tally.take()
      work.take(number)
    }
    #expect(tally.numbers.most <= 5)
    #expect(tally.numbers.begun == 100)
  }

  @Test func nothingIsBegunAfterTheStop() throws {
    let tally = Tally()
    let work = try #require(
      OrderedWork(count: 1_000, threads: 2, aheadMax: 3) {
        { (_: Int) in tally.begin() }
      })
    work.take(0)
    work.stop()
    ProcessClocks.sleep(milliseconds: 20)
    let before = tally.numbers.begun
    ProcessClocks.sleep(milliseconds: 20)
    #expect(tally.numbers.begun == before)
    #expect(before < 10)
  }
}
