// Console.app's text in other languages and on other Macs.

import Testing
import TraceImport
import TraceImportSamples
import TraceTestSupport

@Suite struct ConsoleTextTests {
  private func line(_ level: String, _ zone: String) -> String {
    "\(level)\t10:00:01.000000\(zone)\tNotes\t"
      + "Ending background task with UIBackgroundTaskIdentifier: 5\n"
  }

  @Test(arguments: ["par défaut", "erreur", "既定", "default"], ["+0100", " +0100", " -0330"])
  func levelsOfSeveralWordsAndSetApartZones(_ level: String, _ zone: String) {
    let plain = importedEvents(
      line("default", zone.replacing(" ", with: "")), as: .consoleText)
    #expect(plain.contains("bgtask.end"))
    #expect(confidence(line(level, zone), .consoleText) > 60)
    #expect(importedEvents(line(level, zone), as: .consoleText) == plain)
  }

  @Test(arguments: [
    "see you at\t10:00 then", "one, two\t10:00:01.000000+0100\tNotes\tx",
    "we met at 10:00:01.000000+0100 Notes said so",
  ])
  func proseIsNoLine(_ text: String) {
    #expect(confidence(text + "\n", .consoleText) == 0)
  }

  @Test func tasksOpenAfterTheirHandlersAreRemarked() {
    let told = imported(
      console(
        "10:00:40.000000", "Notes",
        "Background task still not ended after expiration handlers were called: "
          + "<_UIBackgroundTaskInfo: 0x1>: taskID = 3, taskName = save, creationTime = 100.0"
          + " (elapsed = 40). This app will likely be terminated by the system."),
      as: .consoleText)
    #expect(
      told.contains(
        "UIKit warned in line 1 that background task 3 \"save\" was open after its handlers had"))
    #expect(told.contains("bgtask.expire"))
  }
}
