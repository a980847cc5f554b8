// Makes timeline pages on demand: reading a capture takes time and memory, so one at a time.

import Foundation
import TraceExport
import TraceIO
import TracePipeline

/// Makes the timeline of a capture when somebody looks at it.
///
/// An actor, because requests share the few pages that are kept.
actor TimelineMaker {
  /// Requests that may wait for their turn.
  private static let waitingMax = 16
  /// Pages that are kept: who looks at a page reloads it, or sends its link.
  private static let pagesMax = 4
  /// Bytes of a page that is kept.
  private static let pageBytesMax = 32 << 20

  private struct Key: Hashable {
    var path: String
    var place: Int
    var version: FileVersion
  }

  private let makeRun: @Sendable () -> CheckRun
  private let toolVersion: String
  private let queue = DispatchQueue(label: "tracecheck timelines")
  private var waitingCount = 0
  private var pages: [(key: Key, response: HTTPResponse)] = []

  init(toolVersion: String, makeRun: @escaping @Sendable () -> CheckRun) {
    self.toolVersion = toolVersion
    self.makeRun = makeRun
  }

  /// - Parameters:
  ///   - directory: Where the capture lies; pages don't show it.
  ///   - place: The place of the trace in the capture.
  ///   - version: What the file was when the trace was found.
  func response(
    directory: String, path: String, place: Int, version: FileVersion
  ) async -> HTTPResponse {
    let key = Key(path: path, place: place, version: version)
    if let kept = pages.firstIndex(where: { $0.key == key }) {
      let page = pages.remove(at: kept)
      pages.append(page)
      return page.response
    }
    guard waitingCount < Self.waitingMax else {
      return HTTPResponse(.unavailable, text: "too many timelines are being made\n")
    }
    waitingCount += 1
    let (makeRun, toolVersion) = (makeRun, toolVersion)
    let response = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(
          returning: TimelineAnswer.make(
            directory + "/" + path, shownAs: path, place: place, makeRun(), toolVersion))
      }
    }
    waitingCount -= 1
    if response.status == .ok, response.body.count <= Self.pageBytesMax {
      pages.append((key, response))
      if pages.count > Self.pagesMax { pages.removeFirst() }
    }
    return response
  }
}
