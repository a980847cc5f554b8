// Reads users' rule files, of the command line and of the configuration, and keeps what is wrong.

import ArgumentParser
import TraceCatalogue
import TraceExport
import TraceIO
import TraceRuleFile
import TraceRules

/// Where rules and settings come from beside the program itself.
struct RuleFileOptions: ParsableArguments {
  @Option(
    name: .customLong("rules"),
    help: ArgumentHelp(
      "A file with rules of your own, which are used beside the built-in ones. Repeatable.",
      valueName: "file"))
  var files: [String] = []

  @OptionGroup var configuration: ConfigurationOptions
}

/// Where the configuration comes from.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration file, or none; otherwise .tracecheck.yml is searched upwards from the"
        + " current directory.",
      valueName: "file"))
  var config: String?
}

/// What is wrong with files, in lines for standard error.
struct FileProblems {
  private(set) var lines = ""
  private(set) var errorCount = 0
  private(set) var warningCount = 0

  var hasErrors: Bool { errorCount > 0 }

  mutating func add(_ text: String, isError: Bool = true) {
    lines += text + "\n"
    if isError { errorCount += 1 } else { warningCount += 1 }
  }
}

/// Users' rules, read file by file. No two rules, built-in ones included, have one id.
struct RuleFileLoader {
  struct File {
    /// The path as it is shown.
    var name: String
    /// The rules without errors.
    var rules: [Rule] = []
    var hasErrors = false
  }

  private(set) var files: [File] = []
  /// Files that were read, which no report may replace.
  private(set) var paths: [String] = []
  var problems = FileProblems()
  private var identities: Set<FileIdentity> = []
  /// The names that rules of further files can't have: each stands for one rule, or for a family.
  private lazy var names = Set(Catalogue.all.flatMap { [$0.id, $0.slug, $0.family] })

  var rules: [Rule] { files.flatMap(\.rules) }

  /// Reads a file, unless it was read before under this name or another.
  ///
  /// - Parameter origin: Who named the file, for messages.
  mutating func load(_ path: String, origin: String) {
    if let identity = FileIdentity(path: path), !identities.insert(identity).inserted { return }
    var file = File(name: PrintableText.printable(path == "-" ? "standard input" : path))
    do throws(FileError) {
      let bytes = try Self.bytes(of: path, max: RuleFileLimits.bytesMax)
      paths.append(path)
      let text = String(decoding: bytes, as: UTF8.self)
      if let problem = RuleFile.encodingProblem(bytes, name: file.name) {
        problems.add(problem.text)
        file.hasErrors = true
      } else {
        let (rules, wrong) = RuleFile.parse(text, name: file.name, reservedIDs: names)
        for problem in wrong { problems.add(problem.text, isError: problem.level == .error) }
        file.hasErrors = wrong.contains { $0.level == .error }
        file.rules = rules
        names.formUnion(rules.flatMap { [$0.id, $0.slug] })
      }
    } catch {
      problems.add("\(origin): error[unreadable-file]: \(file.name): \(error.message)")
      file.hasErrors = true
    }
    files.append(file)
  }

  /// The bytes of a file; one more than allowed if it is longer.
  ///
  /// A pipe without a writer would be waited for: only those that a shell opens are read.
  static func bytes(of path: String, max: Int) throws(FileError) -> [UInt8] {
    let isOpenedByShell = ["-", "/dev/stdin"].contains(path) || path.hasPrefix("/dev/fd/")
    if !isOpenedByShell, DirectoryListing.kind(of: path) == .other {
      throw FileError.noRegularFile(path)
    }
    var bytes: [UInt8] = []
    var file = try InputFile(path: path)
    while bytes.count <= max {
      switch try file.read(into: &bytes, limit: min(65_536, max + 1 - bytes.count)) {
      case .end: return bytes
      case .bytes, .timeout, .interrupted: continue
      }
    }
    return bytes
  }
}
