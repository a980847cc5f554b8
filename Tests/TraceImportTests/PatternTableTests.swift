// The table of patterns as a table: every row can be reached, and lines without meaning stay so.

import Testing

@testable import TraceImport

private func isCandidate(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  return MessageReader.shared.isCandidate(bytes.span, from: 0)
}

@Suite struct PatternTableTests {
  /// A message that fits a row, made of the texts that the row looks for.
  private func message(_ pattern: MessagePattern) -> String {
    var text = pattern.subject == .leadingTarget ? "[app<com.example.notes>:7]" : ""
    if pattern.isBehindLocation { text += "Notes/Main.swift:12:" }
    text += String(decoding: pattern.start, as: UTF8.self)
    for part in pattern.parts where part.slot != .explanation {
      let after = String(decoding: part.after, as: UTF8.self)
      if !(part.slot == .name && text.hasSuffix(after)), !text.hasSuffix(after) { text += after }
      switch part.slot {
      case .token, .reason, .fromMask, .toMask, .pid, .printedSignal: text += "5"
      case .target, .directTarget: text += "app<com.example.notes>:7"
      case .bundle, .name: text += "com.example.notes"
      case .process: text += "Notes"
      case .assertion: text += "5-6-7"
      case .launchdSignal: text += "Killed: 9"
      case .suspension: text += "suspended"
      case .launchdStatus: text += "2, 9, 9"
      case .allowance: text += "20.00s"
      case .reactState: text += " active"
      case .handler, .taskState, .visibility, .termination, .explanation, .presence: break
      }
      let upTo = String(decoding: part.upTo, as: UTF8.self)
      let isRepeated = upTo.isEmpty || text.hasSuffix(upTo)
      if !isRepeated { text += upTo }
    }
    return text
  }

  @Test(arguments: MessagePattern.all.indices) func rowsAreReached(_ index: Int) {
    let pattern = MessagePattern.all[index]
    let text = message(pattern)
    let bytes = Array(text.utf8)
    #expect(isCandidate(text), "\(text)")
    let content = MessageReader.shared.read(bytes.span)
    #expect(content?.kind == pattern.kind, "\(text)")
    #expect(content?.exit?.cause == pattern.exit?.cause, "\(text)")
  }

  @Test(arguments: [
    "", " ", "[", "[app<", "app<com.example.notes", "Created", "Ending session 5",
    "Deactivation reason added", "[app<com.example.notes>:7]", "[app<com.example.notes>:7] is fine",
    "App transitioned to background, suspending HangTracing.",
    "Send setDeactivating: N (-DeactivationReason:SuspendedEventsOnly)",
    "invalidateConnection (appDidSuspend)", "flutter: AppLifecycleState.detached",
    "Acquiring assertion targeting osservice<com.example.keys> from originator [app<com.example.notes>:7] with description <RBSAssertionDescriptor| \"a\" ID:1-2-3 target:7 attributes:[<RBSLegacyAttribute| reason:FinishTask>]>",
    "Acquiring assertion targeting [app<com.example.notes>:7] from originator x with description <RBSAssertionDescriptor| \"a\" ID:1-2-3 target:7 attributes:[<RBSDomainAttribute| name:\"b\">]>",
    "memorystatus: Notes [7] exceeded mem limit: InactiveSoft 50 MB (non-fatal)",
    "(UIKitApplication:com.example.notes[0x1][2]) <Notice>: Service is starting",
    "BUG IN CLIENT: RunningBoard terminated it",
    "Fatal error: the server said no", "Notes/Main.swift:12: Fatal errors are rare",
    "Notes/Main.swift: Fatal error", "Notes/Main.swift:x: Fatal error", ".swift:1: Fatal error",
    "Notes/Main.c:12: Fatal error", "Notes/Main.swift:12:Fatal error", "Main.swift:12:",
    "at Main.swift:12: Fatal error",
    "Decrementing reference count for assertion <A: 0x1> (used by background task with identifier 3",
  ])
  func otherMessagesSayNothing(_ text: String) {
    let content = MessageReader.shared.read(Array(text.utf8).span)
    #expect(content?.kind == nil)
  }

  @Test func hiddenBehindEscapes() {
    for text in [
      "\\[app\\<com.example.notes\\>:7\\] Suspending task.",
      "Can\u{2019}t end BackgroundTask: no background task exists with identifier 5",
    ] {
      #expect(isCandidate(text), "\(text)")
    }
  }
}
