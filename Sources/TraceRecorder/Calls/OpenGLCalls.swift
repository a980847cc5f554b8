// Calls for the events of `gl`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `gl`.
  public var openGL: OpenGLCalls {
    OpenGLCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `gl`. Arguments that aren't known are left out.
public struct OpenGLCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `gl.context_create`: EAGLContext initWithAPI:.
  ///
  /// The app calls it when it does this.
  public func contextCreate(context: Int? = nil, api: RecordedText? = nil) {
    var slots = 2
    if let api { slots += api.slotsMax }
    guard var event = core.open(.glContextCreate, .instant, slotsMax: slots) else { return }
    if let context { event.add(.context, Int64(context)) }
    if let api { event.add(.api, api, key: privacyKey) }
    event.commit()
  }

  /// Records `gl.call`: OpenGL ES functions, EAGLContext presentRenderbuffer:.
  ///
  /// The app calls it when it does this.
  public func call(
    context: Int? = nil, kind: Kind? = nil, submitId: Int? = nil, count: Int? = nil
  ) {
    guard var event = core.open(.glCall, .instant, slotsMax: 6) else { return }
    if let context { event.add(.context, Int64(context)) }
    if let kind { event.add(.kind, kind.text) }
    if let submitId { event.add(.submitId, Int64(submitId)) }
    if let count { event.add(.count, Int64(count)) }
    event.commit()
  }

  /// Records `gl.complete`.
  ///
  /// The app calls it when it learns of this.
  public func complete(submitId: Int? = nil) {
    guard var event = core.open(.glComplete, .instant, slotsMax: 2) else { return }
    if let submitId { event.add(.submitId, Int64(submitId)) }
    event.commit()
  }

  /// Records `gl.frame_rate`: GLKViewController preferredFramesPerSecond, CADisplayLink
  /// frameInterval.
  ///
  /// The app calls it when it does this.
  public func frameRate(fps: Double? = nil) {
    guard var event = core.open(.glFrameRate, .instant, slotsMax: 2) else { return }
    if let fps { event.add(.fps, fps) }
    event.commit()
  }

  /// Values of `Kind`.
  public enum Kind: Sendable {
    case draw
    case clear
    case upload
    case state
    case present
    case delete
    case finish
    case flush
    case other

    @inline(__always)
    var text: StaticString {
      switch self {
      case .draw: "draw"
      case .clear: "clear"
      case .upload: "upload"
      case .state: "state"
      case .present: "present"
      case .delete: "delete"
      case .finish: "finish"
      case .flush: "flush"
      case .other: "other"
      }
    }
  }
}
