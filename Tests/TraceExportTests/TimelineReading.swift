// Lives written as timelines, as the blocks that writers take.

import Testing
import TraceModel
import TraceNotation

/// The header and the blocks of a timeline without its first line.
///
/// What is wrong with the text is a failure of the test.
func readTimeline(_ text: String) -> (TraceHeader, [EventBatch]) {
  var decoder = TimelineDecoder(requiresFirstLine: false)
  decoder.feed(Array(text.utf8).span)
  decoder.finish()
  var header = TraceHeader()
  var batches: [EventBatch] = []
  var batch = EventBatch()
  while true {
    switch decoder.next(into: &batch) {
    case .header(let read): header = read
    case .batch: batches.append(batch)
    case .end: return (header, batches)
    case .problem(let problem): Issue.record("\(problem)")
    default: break
    }
  }
}
