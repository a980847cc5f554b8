// A finding that counts several violations, of which a more specific rule reports only some.

@testable import TraceCatalogue
@testable import TraceRules

extension SuppressionTests {
  static let partly = [
    Suppression(
      ["LC511"], over: "LC501 of the same event", about: ["LC501", "LC511"],
      "exits_on_suspend=true",
      """
      \(Step.launch)
      +1s     delegate.did_become_active for 1ms
      \(Step.toSuspended)
      +1s     proc.resume inferred=false reason=user_icon
      +1s     proc.suspend inferred=false
      +60s    proc.kill cause=jetsam
      """, ["warning LC501", "warning LC511"],
      without: ["warning LC501", "warning LC501", "warning LC501"]),
    Suppression(
      ["LC519"], over: "LC501 of the same event", about: ["LC501", "LC519"],
      "os_version=4.0 sdk_linked=3.2",
      """
      \(Step.launch)
      +1s     delegate.did_become_active for 1ms
      \(Step.toSuspended)
      +60s    proc.kill cause=jetsam
      """, ["warning LC501", "warning LC519"], without: ["warning LC501", "warning LC501"]),
    Suppression(
      ["LC514"], over: "LC507 of the same callback", about: ["LC507", "LC514"],
      "",
      """
      \(Step.launch)
      \(Step.toSuspended)
      +5s     loc.update for 1ms service=significant
      \(JudgedLife.ended)
      """, ["warning LC507", "warning LC514"], without: ["warning LC507"]),
    Suppression(
      ["LC204"], over: "LM11 unless its finding is milder", JudgedLife.system("14.2"),
      """
      \(Step.launch)
      +1s     file.lock op=acquire lock=1 kind=sqlite container=private
      \(Step.toSuspended)
      +1ms    proc.kill cause=file_lock code=3735883980
      """, ["note LC204", "error LM11"], without: ["error LM11"]),
  ]
}
