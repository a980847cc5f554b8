// Holds the kinds of OpenGL ES and Metal.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let glContextCreate = EventKind(rawValue: 76)
  public static let glCall = EventKind(rawValue: 77)
  public static let glComplete = EventKind(rawValue: 78)
  public static let glFrameRate = EventKind(rawValue: 79)
  public static let metalCommit = EventKind(rawValue: 80)
  public static let metalComplete = EventKind(rawValue: 81)
}

extension Vocabulary {
  static let graphicsKinds: [KindDescription] = [
    KindDescription(
      .glContextCreate, "gl.context_create", .instant, by: .app, "EAGLContext initWithAPI:",
      with: [.context: .integer, .api: .string]),
    KindDescription(
      .glCall, "gl.call", .instant, by: .app,
      "OpenGL ES functions, EAGLContext presentRenderbuffer:",
      with: [
        .context: .integer,
        .kind: .words([
          "draw", "clear", "upload", "state", "present", "delete", "finish", "flush",
          "other",
        ]),
        .submitId: .integer, .count: .integer,
      ]),
    KindDescription(
      .glComplete, "gl.complete", .instant, by: .systemOrRecorder,
      with: [.submitId: .integer]),
    KindDescription(
      .glFrameRate, "gl.frame_rate", .instant, by: .app,
      "GLKViewController preferredFramesPerSecond, CADisplayLink frameInterval",
      with: [.fps: .number]),
    KindDescription(
      .metalCommit, "metal.commit", .instant, by: .app, "MTLCommandBuffer commit",
      with: [
        .buffer: .integer, .kind: .words(["draw", "compute", "blit"]), .gpuAssertion: .boolean,
      ]),
    KindDescription(
      .metalComplete, "metal.complete", .instant, by: .system, "MTLCommandBuffer completed handler",
      with: [.buffer: .integer, .status: .string, .errorDomain: .string, .errorCode: .integer]),
  ]
}
