// Every file of `Rules/`. Made by `tracedev generate`; a test compares it with the folder.

extension Catalogue {
  static let rulesOfFolder: [Rule] = [
    LC001.rule,
    LC002.rule,
    LC003.rule,
    LC004.rule,
  ]
}
