// What the newest looks at the directory make of the server's health.

import Testing

@testable import TraceServe

struct CaptureCatalogueTests {
  @Test func aLookThatLeavesAPartUnseenIsNoSuccess() async {
    let catalogue = CaptureCatalogue()
    var look = FolderLook()
    look.isComplete = true
    for (seconds, count) in [(5, 0), (7, 1), (9, 2)] as [(Int64, Int)] {
      look.endSeconds = seconds
      look.unseen = UnseenPaths(count: count, first: "sub: can't list it")
      await catalogue.take(.looked(look))
      let numbers = await catalogue.numbers
      #expect(numbers.lastRunSeconds == seconds)
      #expect(numbers.lastSuccessSeconds == 5)
    }
    let sentence = await catalogue.unseen.sentence
    #expect(
      sentence
        == "2 parts of the directory can't be looked at, the first one: sub: can't list it")
    look.unseen = UnseenPaths()
    await catalogue.take(.looked(look))
    let rest = await catalogue.unseen.sentence
    #expect(rest == nil)
  }
}
