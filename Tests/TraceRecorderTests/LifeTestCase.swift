// The test helper in XCTest: the same lines as in Swift Testing.

import TraceModel
import TraceRecorder
import TraceRecorderTesting
import XCTest

final class LifeTestCase: XCTestCase {
  func testAFaultIsThrownAndItsTimelineHandedOver() throws {
    let test = try LifeTest()
    test.recorder.process.start(pid: 1, launchId: 1, into: .foreground, reason: .userIcon)
    test.recorder.backgroundTask.begin(token: 7, isInvalid: false, name: "save")
    test.recorder.backgroundTask.end(token: 7, isInvalid: false)
    test.recorder.backgroundTask.end(token: 7, isInvalid: false)
    let life = try test.end()
    XCTAssertEqual(life.count(of: .bgtaskEnd), 2)
    var attached = ""
    XCTAssertThrowsError(try life.expectNoFindings { attached = $0 }) { error in
      XCTAssertTrue("\(error)".contains("LC001"))
    }
    XCTAssertTrue(attached.contains("bgtask.end token=7"))
  }
}
