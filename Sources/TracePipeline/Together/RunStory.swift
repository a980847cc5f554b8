// How the files of a run were brought together, in words.
// This file must not know how they are read.

enum RunStory {
  /// What is to be known of how a trace came about; empty if nothing is.
  ///
  /// - Parameters:
  ///   - reason: Why nothing else is of the same run; empty if nothing speaks against it.
  ///   - files: The files that tell of the run's events. Nothing is merged if there is but one.
  ///   - notes: By source, what is to be known of its logs.
  static func message(
    of run: Run, _ reason: String, files: [String], _ notes: [[LogGroup.Note]]
  ) -> String {
    if files.count > 1 {
      let parts = run.members.map { member in
        let remarks = texts(of: member, notes).joined(separator: "; ")
        return member.survey.name + (remarks.isEmpty ? "" : " (\(remarks))")
      }
      return "merged from \(parts.joined(separator: ", "))"
    }
    var told: [String] = []
    for member in run.members {
      for text in texts(of: member, notes) where !told.contains(text) { told.append(text) }
    }
    if run.members.count == 1, !reason.isEmpty { told.append("judged alone: \(reason)") }
    return told.joined(separator: "; ")
  }

  private static func texts(of member: Run.Member, _ notes: [[LogGroup.Note]]) -> [String] {
    var told = texts(of: notes[member.survey.source], on: member.survey.files)
    if let note = member.offset?.note, !note.isEmpty { told.append(note) }
    if member.offset == nil { told.append("it names no time, only the process") }
    if member.survey.hasClockStep { told.append("its wall clock was set while it was recorded") }
    return told
  }

  /// The notes on some files, which are named if they are several.
  static func texts(of notes: [LogGroup.Note], on files: [String]) -> [String] {
    notes.filter { files.contains($0.path) }.map {
      files.count > 1 ? "\($0.path): \($0.text)" : $0.text
    }
  }
}
