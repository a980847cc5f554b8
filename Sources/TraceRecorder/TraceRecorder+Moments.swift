// Callbacks of which only the moment is known, and what the recorder knows of its process.

import TraceFormat
import TraceIO
import TraceModel

extension TraceRecorder {
  /// The number of the process that records.
  public var processNumber: Int32 { journal.fixed.processNumber }

  /// The machine's name as the system has it, for example `iPhone15,2`.
  public static var machineName: String { ProcessClocks.machineName() }

  /// Records a callback of which only the moment is known.
  func recordMoment(_ kind: EventKind) {
    guard let event = open(kind, .instant, slotsMax: 1) else { return }
    event.commit()
  }

  func recordMoment(_ kind: EventKind, scene: RecordedText) {
    guard var event = open(kind, .instant, slotsMax: 1 + scene.slotsMax) else { return }
    event.add(.scene, scene, key: key)
    event.commit()
  }

  func recordMoment(_ kind: EventKind, name: RecordedText) {
    guard var event = open(kind, .instant, slotsMax: 1 + name.slotsMax) else { return }
    event.add(.name, name, key: key)
    event.commit()
  }
}
