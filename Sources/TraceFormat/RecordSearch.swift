// Finds the next whole record after damage. Every byte is looked at once, and no false beginning
// costs more than a bounded amount of work.

import TraceModel

/// The search for a record whose checksum is right, or for a signature.
struct RecordSearch: Sendable {
  /// Where the damage begins.
  let start: UInt64
  /// Whether nothing of the file has been understood yet.
  let isBeginning: Bool
  /// Whether what stands at the start is a record that the input cuts short.
  let isTorn: Bool

  /// The next place of the input to look at.
  private var position: UInt64
  /// The first place where a record begins that the input cuts short.
  private var tornOffset: UInt64?
  private var marks = ChecksumMarks()

  enum Outcome {
    case needsInput
    /// The window's head is at a whole record or a signature.
    case found
    /// The input is over, or too much of its beginning is not understood.
    case nothing(tornOffset: UInt64?)
  }

  init(from start: UInt64, isBeginning: Bool, isTorn: Bool) {
    self.start = start
    self.isBeginning = isBeginning
    self.isTorn = isTorn
    // At the very beginning, a record without signature before it is welcome.
    position = isBeginning ? start : start + 1
    marks.restart(at: start)
  }

  mutating func step(_ window: inout InputWindow, isFinished: Bool) -> Outcome {
    // A second reference, so that the window may move on meanwhile; no copy.
    let input = window.bytes
    let bytes = input.span
    var place = Int(position - window.firstOffset)
    var outcome: Outcome?
    while outcome == nil, place < bytes.count {
      let first = bytes[place]
      let fit: Fit =
        if first == RecordFrame.syncWord[0] {
          fitOfRecord(bytes, place, window.firstOffset)
        } else if first == FileSignature.magic[0] {
          fitOfSignature(bytes, place)
        } else {
          .absent
        }
      switch fit {
      case .absent: place += 1
      case .whole: outcome = .found
      case .incomplete where !isFinished: outcome = .needsInput
      case .incomplete:
        if tornOffset == nil { tornOffset = window.firstOffset + UInt64(place) }
        place += 1
      }
      if isBeginning, outcome == nil,
        window.firstOffset + UInt64(place) - start > FormatLimits.firstRecordSearchBytesMax
      {
        outcome = .nothing(tornOffset: nil)
      }
    }
    position = window.firstOffset + UInt64(place)
    if case .found = outcome {
      window.advance(to: max(window.head, place))
      return .found
    }
    let kept = marks.keep(from: place, in: bytes, at: window.firstOffset)
    window.advance(to: max(window.head, kept))
    return outcome ?? (isFinished ? .nothing(tornOffset: tornOffset) : .needsInput)
  }

  private enum Fit { case absent, incomplete, whole }

  private mutating func fitOfRecord(
    _ bytes: Span<UInt8>, _ place: Int, _ windowOffset: UInt64
  ) -> Fit {
    switch RecordFrame.probe(bytes, at: place) {
    case .absent: .absent
    case .incomplete: .incomplete
    case .present(let frame):
      marks.checksum(of: frame.checked, in: bytes, at: windowOffset)
        == frame.storedChecksum(bytes) ? .whole : .absent
    }
  }

  private func fitOfSignature(_ bytes: Span<UInt8>, _ place: Int) -> Fit {
    switch FileSignature.probe(bytes, at: place) {
    case .absent: .absent
    case .incomplete: .incomplete
    case .present: .whole
    }
  }
}
