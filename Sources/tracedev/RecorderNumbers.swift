// Events that tell by themselves whether they are as they were recorded: event n of a worker.

import TraceModel
import TraceRecorder

/// What both the workers and the check know: event n of a worker.
enum Numbered {
  static let threadsMax = 64
  /// Bytes of the file in which workers acknowledge: for each of them the number of the last event
  /// that was recorded, how many were, and whether it has done its work.
  static let acknowledgedByteCount = 4_096

  static func text(_ n: UInt64) -> String {
    "store-\(n)-" + String(repeating: "x", count: Int(n % 97))
  }

  /// Records event n. Covers integers, numbers, booleans, literals, texts, hashes and nested spans.
  /// False if it was dropped.
  @discardableResult
  static func record(_ n: UInt64, _ recorder: TraceRecorder) -> Bool {
    let journal = recorder.journal
    switch n % 5 {
    case 0:
      guard var event = journal.open(.workTimerStart, .instant, slotsMax: 4) else {
        return false
      }
      event.add(.timer, Int64(n))
      event.add(.intervalS, Double(n) / 8)
      event.add(.repeats, n % 2 == 0)
      event.commit()
    case 1:
      guard var event = journal.open(.workDispatch, .instant, slotsMax: 6) else {
        return false
      }
      event.add(.work, Int64(n))
      event.add(.queue, "uploads" as StaticString)
      event.commit()
    case 2:
      var text = text(n)
      guard var event = journal.open(.dataDirty, .instant, slotsMax: 20) else {
        return false
      }
      text.withUTF8 { unsafe event.add(.store, text: $0) }
      event.commit()
    default:
      let phase: Phase = n % 5 == 3 ? .enter : .return
      guard var event = journal.open(.workSpan, phase, slotsMax: 3) else { return false }
      event.add(.id, Int64(n))
      event.add(.label, hash: n &* 0x9E37_79B9_7F4A_7C15)
      event.commit()
    }
    return true
  }

  /// The n of an event, if everything in it is as it was recorded; nil if anything is wrong.
  static func number(_ event: Event, _ batch: EventBatch) -> UInt64? {
    let n: UInt64
    switch event.kind {
    case .workTimerStart:
      guard let timer = batch.integer(.timer, of: event) else { return nil }
      n = UInt64(timer)
      guard batch.number(.intervalS, of: event) == Double(n) / 8,
        batch.boolean(.repeats, of: event) == (n % 2 == 0), n % 5 == 0
      else { return nil }
    case .workDispatch:
      guard let work = batch.integer(.work, of: event) else { return nil }
      n = UInt64(work)
      guard batch.isText(.queue, "uploads", of: event), n % 5 == 1 else { return nil }
    case .dataDirty:
      guard let store = batch.text(.store, of: event),
        let middle = store.split(separator: "-").dropFirst().first, let number = UInt64(middle),
        store == text(number), number % 5 == 2
      else { return nil }
      n = number
    case .workSpan:
      guard let id = batch.integer(.id, of: event) else { return nil }
      n = UInt64(id)
      let hash = String(n &* 0x9E37_79B9_7F4A_7C15, radix: 16)
      let label = "#" + String(repeating: "0", count: 16 - hash.count) + hash
      guard batch.isText(.label, label, of: event), event.phase == (n % 5 == 3 ? .enter : .return)
      else { return nil }
    default: return nil
    }
    return n
  }
}
