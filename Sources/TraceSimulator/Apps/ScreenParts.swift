// Parts of an app that draw or play while somebody looks: OpenGL ES, Metal, games.

import TraceModel

/// An animation in OpenGL ES.
final class DrawingPart: AppPart {
  private let lapses: Set<Lapse>
  private var hasContext = false
  private var isDrawing = false
  private var generation = 0
  private var submitted: Int64 = 0

  init(_ lapses: Set<Lapse>) { self.lapses = lapses }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .active: begin(system)
    case .resigning where isDrawing: pause(system)
    default: break
    }
  }

  private func begin(_ system: any AppSystem) {
    if !hasContext {
      hasContext = true
      system.note(.glContextCreate, [.context: 1, .api: "es2"])
    }
    isDrawing = true
    system.note(.glFrameRate, [.fps: 60])
    generation += 1
    draw(system, generation)
  }

  private func pause(_ system: any AppSystem) {
    if lapses.contains(.keepsFrameRate) { return }
    isDrawing = false
    system.note(.glFrameRate, [.fps: 0])
    if lapses.contains(.keepsDrawing) { return draw(system) }
    system.note(.glCall, [.context: 1, .kind: "finish"])
    system.note(.glComplete, [.submitId: .init(submitted)])
  }

  /// Some frames, every two seconds: a frame each would say no more.
  private func draw(_ system: any AppSystem, _ own: Int) {
    guard isDrawing, own == generation else { return }
    draw(system)
    let done = submitted
    system.after(.milliseconds(12), thread: 9) {
      system.note(.glComplete, [.submitId: .init(done)], thread: 9)
    }
    system.after(.seconds(2), thread: 1) { [self] in draw(system, own) }
  }

  private func draw(_ system: any AppSystem) {
    submitted += 1
    system.note(.glCall, [.context: 1, .kind: "draw", .count: 40])
    system.note(
      .glCall, [.context: 1, .kind: "present", .submitId: .init(submitted), .count: 1])
  }
}

/// An animation in Metal.
final class MetalPart: AppPart {
  private let lapses: Set<Lapse>
  private var isDrawing = false
  private var generation = 0
  private var buffers: Int64 = 0

  init(_ lapses: Set<Lapse>) { self.lapses = lapses }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .active:
      isDrawing = true
      generation += 1
      draw(system, generation)
    case .resigning: isDrawing = false
    case .background where lapses.contains(.commitsInBackground):
      system.after(.milliseconds(100), thread: 1) { [self] in commit(system) }
    case .background where lapses.contains(.leavesCommits):
      buffers += 1
      system.note(.metalCommit, [.buffer: .init(buffers), .kind: "draw", .gpuAssertion: false])
    default: break
    }
  }

  private func draw(_ system: any AppSystem, _ own: Int) {
    guard isDrawing, own == generation else { return }
    commit(system)
    system.after(.seconds(2), thread: 1) { [self] in draw(system, own) }
  }

  private func commit(_ system: any AppSystem) {
    buffers += 1
    let buffer = buffers
    system.note(.metalCommit, [.buffer: .init(buffer), .kind: "draw", .gpuAssertion: false])
    system.after(.milliseconds(12), thread: 9) {
      system.note(.metalComplete, [.buffer: .init(buffer), .status: "completed"], thread: 9)
    }
  }
}

/// A game, which waits for its player.
final class GamePart: AppPart {
  private let lapses: Set<Lapse>
  private var isPaused = false

  init(_ lapses: Set<Lapse>) { self.lapses = lapses }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    switch call.moment {
    case .resigning where !isPaused && !lapses.contains(.keepsGameRunning):
      isPaused = true
      system.note(.gamePause)
    case .active where isPaused && lapses.contains(.resumesGame):
      isPaused = false
      system.note(.gameResume, [.by: "app"])
    case .touch where isPaused:
      isPaused = false
      system.note(.gameResume, [.by: "user"])
    default: break
    }
  }
}
