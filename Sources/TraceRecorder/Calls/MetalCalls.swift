// Calls for the events of `metal`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `metal`.
  public var metal: MetalCalls {
    MetalCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `metal`. Arguments that aren't known are left out.
public struct MetalCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `metal.commit`: MTLCommandBuffer commit.
  ///
  /// The app calls it when it does this.
  public func commit(buffer: Int? = nil, kind: Kind? = nil, gpuAssertion: Bool? = nil) {
    guard var event = core.open(.metalCommit, .instant, slotsMax: 5) else { return }
    if let buffer { event.add(.buffer, Int64(buffer)) }
    if let kind { event.add(.kind, kind.text) }
    if let gpuAssertion { event.add(.gpuAssertion, gpuAssertion) }
    event.commit()
  }

  /// Records `metal.complete`: MTLCommandBuffer completed handler.
  ///
  /// The app calls it when the system does this to it.
  public func complete(
    buffer: Int? = nil, status: RecordedText? = nil, errorDomain: RecordedText? = nil,
    errorCode: Int? = nil
  ) {
    var slots = 3
    if let status { slots += status.slotsMax(bytesMax: 488) }
    if let errorDomain { slots += errorDomain.slotsMax(bytesMax: 488) }
    guard var event = core.open(.metalComplete, .instant, slotsMax: slots) else { return }
    if let buffer { event.add(.buffer, Int64(buffer)) }
    if let status { event.add(.status, status, key: privacyKey, bytesMax: 488) }
    if let errorDomain { event.add(.errorDomain, errorDomain, key: privacyKey, bytesMax: 488) }
    if let errorCode { event.add(.errorCode, Int64(errorCode)) }
    event.commit()
  }

  /// Values of `Kind`.
  public enum Kind: Sendable {
    case draw
    case compute
    case blit

    @inline(__always)
    var text: StaticString {
      switch self {
      case .draw: "draw"
      case .compute: "compute"
      case .blit: "blit"
      }
    }
  }
}
