// The numbers of the vocabulary as a page of the format's documentation: without them no program in
// another language could read a block.

import TraceFormat
import TraceModel

enum FormatNumbers {
  static let path = "Sources/TraceFormat/TraceFormat.docc/Numbers.md"

  static var text: String {
    let (kindMax, nameMax) = (FormatVocabulary.kindNumberMax, FormatVocabulary.argumentNumberMax)
    return """
    # Numbers of the vocabulary

    What the numbers of kinds, arguments and header fields in a `.lctrace` file stand for.

    ## Overview

    Made by `tracedev generate`; `tracecheck vocabulary --format json` prints the same with all
    else that is known of each kind. Lists only grow at their ends. **Kinds above \(kindMax) and
    arguments above \(nameMax) are never written as numbers**: a block declares them by their texts,
    see <doc:Format>.

    ### Kinds of events

    | number | kind | shape |
    |---|---|---|
    \(rows(Vocabulary.kinds.map { "| \($0.kind.rawValue) | `\($0.name)` | \($0.shape.rawValue) |" }))

    ### Names of arguments

    | number | name |
    |---|---|
    \(rows(ArgumentName.known.map { "| \($0.number) | `\($0.text)` |" }))

    ### Fields of the header

    | number | field | type |
    |---|---|---|
    \(rows(HeaderField.allCases.map { "| \($0.rawValue) | `\($0.name)` | \($0.type.rawValue) |" }))

    """
  }

  private static func rows(_ rows: [String]) -> String { rows.joined(separator: "\n") }
}
