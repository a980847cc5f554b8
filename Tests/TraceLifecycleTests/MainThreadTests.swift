// Which thread is the main one, and whether that is known.

import Testing
import TraceLifecycle

struct MainThreadTests {
  private static let named = "1s trace.thread thread=5 is_main=true"
  private static let again = "\n2s proc.kill\n3s proc.start"

  @Test(
    "whether a thread is the main one may be unknown",
    arguments: [
      ("1s delegate.did_become_active", 5, false), ("1s @5 >proc.main", 5, true),
      // Events without a thread count as on thread 1.
      ("1s @5 >proc.main", 1, nil), ("1s @5 >proc.main", 7, false),
      // Another process, of which nothing is said.
      ("1s @5 >proc.main" + again, 5, nil),
      ("1s >proc.main" + again, 5, false),
      (named, 1, false),
      (named + again, 5, true), (named + again + "\n4s @7 >proc.main", 7, true),
      (named + again + "\n4s >proc.main", 5, true),
    ] as [(String, Int64, Bool?)])
  func isMain(_ events: String, _ thread: Int64, _ isMain: Bool?) {
    #expect(Walk("0s proc.start\n" + events + "\n").model.isMain(thread: thread) == isMain)
  }
}
