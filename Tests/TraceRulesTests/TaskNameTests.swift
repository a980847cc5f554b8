// What findings call a background task: its name where a begin with its token says one.

import Testing

@testable import TraceCatalogue
@testable import TraceRules

@Suite struct TaskNameTests {
  private func messages(_ rule: String, _ document: String) -> [String] {
    var options = CheckOptions()
    options.rules = Catalogue.rules(matching: rule)
    return TraceFixture(document).judge(options).findings.map(\.message)
  }

  @Test(arguments: [(" name=upload", "“upload” (token 7)"), ("", "7")])
  func theBeginSaysIt(_ argument: String, _ words: String) {
    #expect(
      messages(
        "LC101",
        """
        timeline 1
        header os_version=8.1
        1s bgtask.begin token=7\(argument) has_expiration_handler=false
        2s bgtask.end token=7
        """) == ["background task \(words) was begun without an expiration handler"])
  }

  @Test func aTaskThatIsNotTheOpeningHasItsNameToo() {
    let step = Catalogue.rules(matching: "LC108").first?.examples.first?.document ?? ""
    let named = step.replacing("bgtask.begin token=1", with: "bgtask.begin token=1 name=fetch")
    #expect(
      messages("LC108", named) == [
        "background task “fetch” (token 1) stayed open for more than 1 s in the background after"
          + " its work"
      ])
  }
}
