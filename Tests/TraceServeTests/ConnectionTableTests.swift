// What the table of connections allows: many readers of one body, and room for who comes last.

import Testing

@testable import TraceServe

struct ConnectionTableTests {
  @Test func aSharedBodyCountsOnce() {
    var table = ConnectionTable()
    let (body, other) = (SharedBody(), SharedBody())
    let byteCount = ConnectionTable.bytesInFlightMax
    for id in 0..<20 {
      table.insert(id, Task {}, now: 0)
      #expect(table.hasRoom(for: body, byteCount: byteCount))
      table.enter(.writing(body, byteCount: byteCount), id, now: 0)
    }
    #expect(!table.hasRoom(for: other, byteCount: 1))
    for id in 0..<19 { table.enter(.idle, id, now: 0) }
    #expect(!table.hasRoom(for: other, byteCount: 1))
    table.remove(19)
    #expect(table.hasRoom(for: other, byteCount: byteCount))
  }

  @Test func whoIsAnsweredMakesNoRoom() {
    var table = ConnectionTable()
    for id in 0..<3 { table.insert(id, Task {}, now: Int64(id)) }
    table.enter(.answering, 0, now: 5)
    let ended = (0..<3).map { _ in table.endOldestWaiting() }
    #expect(ended == [true, true, false])
  }
}
