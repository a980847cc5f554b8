// `query`: SQL over captures.

public import ArgumentParser
import TraceConfiguration
import TraceExport
import TraceIO
import TraceModel
import TracePipeline
import TraceQuery

extension AnswerFormat: ExpressibleByArgument {}

struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Answers a question in SQL about captures.",
    discussion: """
      Captures become tables of a database (traces, launches, states, durations, spans, events, \
      findings, terminations, captures), and views of it answer common questions. All columns \
      with their units are listed by --schema.

      With --db the tables are kept in a file, the index, and the next call reads only captures \
      that are new or have changed. Without captures, the question is put to the index as it is.

      The exit status is 0 also where there are findings, and 2 where the SQL is wrong.

      Examples:
        tracecheck query 'SELECT app_version, count(*) FROM traces GROUP BY 1' captures/
        tracecheck query 'SELECT * FROM slowest_background_entries LIMIT 10' captures/
        tracecheck query --db captures.db 'SELECT * FROM kills_explained' captures/
        tracecheck query -f weekly.sql --format csv captures/ > weekly.csv
        tracecheck query --schema
      """)

  @Argument(
    help: ArgumentHelp("The question; none with -f, which takes it from a file.", valueName: "sql"))
  var sql: String?

  @OptionGroup var capturePaths: CapturePaths

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Read the SQL from this file; - reads it from standard input."))
  var file: String?

  @Option(
    help: ArgumentHelp(
      "Keep the tables in this file, and bring it up to date with the captures.",
      valueName: "file"))
  var db: String?

  @Option(
    help: ArgumentHelp(
      "How the answer is written: table, csv, json or jsonl. In csv texts are made harmless for"
        + " terminals and spreadsheets; json has them as they are."))
  var format = AnswerFormat.table

  @Flag(help: "Print the tables and views with all columns and units, and end.")
  var schema = false

  @OptionGroup(title: "Input options") var input: InputOptions
  @OptionGroup(title: "Rule options") var rules: RuleOptions

  func run() throws {
    if schema {
      if sql != nil || file != nil { throw UsageError("--schema takes no SQL") }
      return try printOutput(Array(QuerySchema.text.utf8))
    }
    do {
      try answer()
    } catch let error as QueryError {
      switch error.kind {
      case .interrupted: throw CaptureFailure.interrupted
      case .sql, .database: throw UsageError(PrintableText.printable(error.text, scalarsMax: 8_192))
      }
    }
  }

  private func answer() throws {
    let (question, paths) = try questionAndPaths()
    let named = try namedPaths(paths)
    if db == "" || db == "-" {
      throw UsageError("--db takes the name of a file, in which the index is kept")
    }
    guard let named else {
      guard let db else {
        throw UsageError(
          "there is nothing to ask about: name captures or directories, or an index with --db")
      }
      try requireNoReading()
      Interrupt.catchNext()
      let isWhole = try QueryStore.with(.file(try Self.present(db)), onlyReads: true) {
        try $0.beginReading()
        try checkParts(of: $0, question, db)
        let isFinished = try tellUnfinished($0, db)
        let isWhole = try tellProblems(of: $0)
        try answer(question, from: $0)
        return isWhole && isFinished
      }
      throw CommandExit(code: isWhole || input.allowDamaged ? .done : .damagedInput)
    }
    let inputs = try named.inputs()
    if db != nil, inputs.hasLiveEntries {
      throw UsageError("--db keeps an index of files, and an input is a pipe or a device")
    }
    let (configuration, files) = try rules.effectiveConfiguration(failOn: nil)
    if let db {
      var places = OutputPlaces(
        inputs: inputs.pathsNotToOverwrite + capturePaths.filesFrom + files
          + [file].compactMap { $0 })
      try places.add(db)
    }
    var run = configuration.run()
    run.format = try input.format()
    run.overrides = try input.overrides()
    configuration.printExpiryWarnings()
    for logs in inputs.binaryLogs { printProblems(ProblemText.lines(of: logs)) }
    Interrupt.catchNext()
    let settings = QuerySettings(input, rules, configuration, files: files).text
    var place = QueryStore.Place.temporary
    if let db { place = .file(db) }
    let isWhole = try QueryStore.with(place) { store in
      let progress = Progress(startNanoseconds: ProcessEnvironment.monotonicNanoseconds())
      let parts = QueryParts(tables: question.tables)
      defer { progress.clear() }
      try QueryLoading(
        store: store, run: run, settings: settings, parts: db == nil ? parts : parts.union(.life),
        progress: progress
      ).load(inputs)
      progress.clear()
      let isWhole = try tellProblems(of: store, inputs)
      try answer(question, from: store)
      return isWhole
    }
    throw CommandExit(code: isWhole || input.allowDamaged ? .done : .damagedInput)
  }

  // MARK: The question

  private func questionAndPaths() throws -> (Question, [String]) {
    guard let file else {
      guard let sql else {
        throw UsageError(
          "there is no question: give SQL, for example 'SELECT * FROM traces', or a file with it"
            + " after -f")
      }
      return (try Question(sql), capturePaths.paths)
    }
    if file == "" { throw UsageError("-f names no file") }
    let paths = [sql].compactMap { $0 } + capturePaths.paths
    if file == "-", (paths + capturePaths.filesFrom).contains(CaptureInputs.standardInput) {
      throw UsageError("standard input can be read only once, and - is given twice")
    }
    let bytes = try RuleFileLoader.bytes(of: file, max: Question.bytesMax)
    let shown = PrintableText.printable(file)
    guard bytes.count <= Question.bytesMax else {
      throw UsageError("\(shown) is longer than \(Question.bytesMax >> 20) MiB")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else {
      throw UsageError("\(shown) isn't UTF-8, and SQL is")
    }
    return (try Question(text), paths)
  }

  /// The captures that are named; nil if there are none.
  private func namedPaths(_ paths: [String]) throws -> CapturePaths? {
    if paths.isEmpty, capturePaths.filesFrom.isEmpty, !capturePaths.isNulSeparated { return nil }
    var named = capturePaths
    named.paths = paths
    return named
  }

  private func answer(_ question: Question, from store: QueryStore) throws {
    var writer = format.makeWriter()
    var output = OutputStream.standardOutput
    func flush(_ isLast: Bool) throws {
      if writer.output.isEmpty || (!isLast && writer.output.count < Self.bufferBytes) { return }
      try output.write(writer.output)
      writer.output.removeAll(keepingCapacity: true)
    }
    try question.answer(from: store) {
      writer.begin($0)
    } row: {
      writer.row($0)
      try flush(false)
      return !output.isClosed
    }
    writer.end()
    try flush(true)
  }

  private static let bufferBytes = 65_536

  // MARK: The index

  private static func present(_ path: String) throws -> String {
    switch DirectoryListing.kind(of: path) {
    case .file: return path
    case .missing:
      throw UsageError(
        "there is no index \(PrintableText.printable(path)) yet; name the captures that it is of")
    case .directory, .other:
      throw UsageError("\(PrintableText.printable(path)) is no file, and --db takes one")
    }
  }

  /// Options that say how captures are read say nothing where none is read.
  private func requireNoReading() throws {
    let hasOptions =
      input.from != nil || !input.headerFields.isEmpty || !rules.only.isEmpty
      || !rules.skip.isEmpty || !rules.thresholds.isEmpty || !rules.severities.isEmpty
      || rules.profile != nil || rules.watchdog != nil || !rules.files.files.isEmpty
      || ![nil, "none"].contains(rules.files.configuration.config)
    if hasOptions {
      throw UsageError("without captures nothing is read or judged again; name them too")
    }
  }

  /// Refuses a question about tables that the index was never asked for.
  private func checkParts(of store: QueryStore, _ question: Question, _ db: String) throws {
    let needed = QueryParts(tables: question.tables)
    let isMissing = try store.captures().contains { capture in
      [.read, .damaged].contains(capture.status) && !needed.isSubset(of: capture.parts)
    }
    if isMissing {
      throw UsageError(
        "\(PrintableText.printable(db)) doesn't hold all tables that are asked for, as spans and"
          + " events are read only when a question names them; name the captures too")
    }
  }

  /// Tells that the index doesn't hold all that it was made for.
  private func tellUnfinished(_ store: QueryStore, _ db: String) throws -> Bool {
    guard let why = try store.setting(QueryLoading.unfinishedName) else { return true }
    let line = PrintableText.printable(
      "\(db): the index is unfinished: \(why); name the captures again", scalarsMax: 8_192)
    printProblems(Array("\(line)\n".utf8))
    return false
  }

  /// Tells what was wrong with captures, in the order in which they were named.
  ///
  /// - Parameter inputs: What was read; nil if nothing was.
  /// - Returns: False if one was unreadable or damaged.
  private func tellProblems(of store: QueryStore, _ inputs: CaptureInputs? = nil) throws -> Bool {
    var isWhole = true
    var statuses: [String: KnownCapture] = [:]
    let names = inputs?.files.map(\.path) ?? []
    let places = Dictionary(zip(names, names.indices)) { first, _ in first }
    func place(_ capture: KnownCapture) -> (Int, Int64) {
      (places[capture.path] ?? .max, capture.number ?? .max)
    }
    for capture in try store.captures().sorted(by: { place($0) < place($1) }) {
      for line in capture.problems?.split(separator: "\n") ?? [] {
        // The index may be a stranger's.
        printProblems(Array("\(PrintableText.printable(String(line), scalarsMax: 8_192))\n".utf8))
      }
      if capture.status == .damaged || capture.status == .unreadable { isWhole = false }
      statuses[capture.path] = capture
    }
    guard let inputs else { return isWhole }
    for failure in inputs.failures { printProblems(ProblemText.lines(of: failure)) }
    isWhole = isWhole && inputs.failures.isEmpty
    var hits = [Int](repeating: 0, count: inputs.directories.count)
    for (file, directory) in zip(inputs.files, inputs.directoriesOfFiles) {
      guard let directory, let capture = statuses[file.path] else { continue }
      if capture.status != .passedOver || capture.format != nil { hits[directory] += 1 }
    }
    for (directory, count) in zip(inputs.directories, hits) where count == 0 {
      let failure = inputs.failure(ofEmpty: directory)
      printProblems(ProblemText.lines(of: JudgedCapture(path: directory, failure: failure)))
      isWhole = false
    }
    return isWhole
  }
}
