// What the newest looks at the directory make of the server's health.

import Testing

@testable import TraceServe

struct CaptureCatalogueTests {
  @Test func whatIsUnseenIsCountedApartFromSuccess() async {
    let catalogue = CaptureCatalogue()
    let before = await catalogue.numbers
    #expect(before.unseenPathCount == nil)
    var look = FolderLook()
    look.isComplete = true
    for (seconds, count) in [(5, 0), (7, 1), (9, 2)] as [(Int64, Int)] {
      look.endSeconds = seconds
      look.unseen = UnseenPaths(count: count, first: "sub: can't list it")
      await catalogue.take(.looked(look))
      let numbers = await catalogue.numbers
      #expect(numbers.lastRunSeconds == seconds)
      #expect(numbers.lastSuccessSeconds == seconds)
      #expect(numbers.unseenPathCount == count)
    }
    let sentence = await catalogue.unseen.sentence
    #expect(
      sentence
        == "2 parts of the directory can't be looked at, the first one: sub: can't list it")
    look.unseen = UnseenPaths()
    await catalogue.take(.looked(look))
    let rest = await catalogue.unseen.sentence
    #expect(rest == nil)
    let numbers = await catalogue.numbers
    #expect(numbers.unseenPathCount == 0)
  }

  @Test func aLookThatFindsAnUnreadableCaptureIsNoSuccess() async {
    let catalogue = CaptureCatalogue()
    var look = FolderLook()
    look.isComplete = true
    for (seconds, hasUnreadable, success) in [
      (5, true, nil), (7, false, 7), (9, true, 7), (11, false, 11),
    ] as [(Int64, Bool, Int64?)] {
      look.endSeconds = seconds
      look.hasUnreadable = hasUnreadable
      await catalogue.take(.looked(look))
      let numbers = await catalogue.numbers
      #expect(numbers.lastRunSeconds == seconds)
      #expect(numbers.lastSuccessSeconds == success)
    }
  }
}
