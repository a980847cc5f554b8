// Makes timeline pages on demand: reading a capture takes time and memory, so one at a time.

import Foundation
import TraceExport
import TraceIO
import TracePipeline

/// Makes the timeline of a capture when somebody looks at it.
///
/// An actor, because requests share the pages that are being made and the few that are kept.
actor TimelineMaker {
  /// Pages that may wait for their turn.
  private static let waitingMax = 16
  /// Pages that are kept: who looks at a page reloads it, or sends its link.
  private static let pagesMax = 4
  /// Bytes of all pages that are kept: a page of the largest capture that can be shown in comfort.
  private static let keptBytesMax = 128 << 20

  private struct Key: Hashable {
    var name: String
    var place: Int
    var version: FileVersion
  }

  private let makeRun: @Sendable () -> CheckRun
  private let toolVersion: String
  private let queue = DispatchQueue(label: "tracecheck timelines")
  private var making: [Key: Task<HTTPResponse, Never>] = [:]
  private var pages: [(key: Key, response: HTTPResponse)] = []

  init(toolVersion: String, makeRun: @escaping @Sendable () -> CheckRun) {
    self.toolVersion = toolVersion
    self.makeRun = makeRun
  }

  /// - Parameters:
  ///   - folder: Where the capture lies; pages don't show it.
  ///   - name: The capture's name in it.
  ///   - place: The place of the trace in the capture.
  ///   - version: What the file was when the trace was found.
  func response(
    _ folder: ServedFolder, name: String, place: Int, version: FileVersion
  ) async -> HTTPResponse {
    let key = Key(name: name, place: place, version: version)
    if let kept = pages.firstIndex(where: { $0.key == key }) {
      let page = pages.remove(at: kept)
      pages.append(page)
      return page.response
    }
    // Who asks for a page that is being made gets the same one.
    if let task = making[key] { return await task.value }
    guard making.count < Self.waitingMax else {
      return HTTPResponse(.unavailable, text: "too many timelines are being made\n")
    }
    let task = Task {
      let response = await self.make(folder, key)
      self.finish(key, response)
      return response
    }
    making[key] = task
    return await task.value
  }

  private func make(_ folder: ServedFolder, _ key: Key) async -> HTTPResponse {
    let (makeRun, toolVersion) = (makeRun, toolVersion)
    return await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(
          returning: TimelineAnswer.make(
            folder, key.name, place: key.place, makeRun(), toolVersion))
      }
    }
  }

  private func finish(_ key: Key, _ response: HTTPResponse) {
    making[key] = nil
    guard response.status == .ok else { return }
    pages.append((key, response))
    while pages.count > Self.pagesMax
      || pages.reduce(0, { $0 + $1.response.body.count }) > Self.keptBytesMax
    {
      pages.removeFirst()
    }
  }
}
