// What a scraper gets, and when.

import Testing
import TraceExport

@testable import TraceServe

struct MetricsPageTests {
  @Test func nothingIsShownUntilEarlierCountsAreKnown() async {
    let catalogue = CaptureCatalogue()
    let page = MetricsPage(toolVersion: "1.2.3")
    let before = await page.response(catalogue, accept: "")
    #expect(before.status == .unavailable)
    await catalogue.take(.loaded([], MetricSet()))
    let after = await page.response(catalogue, accept: "")
    #expect(after.status == .ok)
  }
}
