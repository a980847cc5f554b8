// Finds and reads the configuration file and the rules it names, and puts the command line above
// them. The only file that knows where configuration files lie.

import TraceCatalogue
import TraceConfiguration
import TraceExport
import TraceIO
import TraceImport
import TraceModel
import TracePipeline
import TraceRules

/// A configuration with the files that it was read from.
struct LoadedConfiguration {
  var configuration = Configuration()
  var rules = Catalogue.all
  /// Files that were read, which no report may replace.
  var paths: [String] = []
}

extension RuleOptions {
  /// What holds, with everything that was said about it.
  ///
  /// - Throws: ``CommandExit`` after telling what is wrong with the files; ``UsageError`` for the
  ///   command line.
  func effectiveConfiguration(
    failOn: FailureLevel?
  ) throws -> (effective: EffectiveConfiguration, paths: [String]) {
    let loaded = try files.load()
    let effective = EffectiveConfiguration(
      rules: loaded.rules, configuration: loaded.configuration,
      commandLine: try settings(RuleTable(namesRules ? loaded.rules : [])),
      failOn: failOn.flatMap { FailOn(rawValue: $0.rawValue) },
      today: CalendarDate(secondsSince1970: ProcessEnvironment.secondsSince1970()))
    if loaded.configuration.apps.isEmpty, effective.settings(app: nil).options.rules.isEmpty {
      let file = loaded.configuration.file.map { ", with \($0)," } ?? ""
      throw UsageError(
        "--only and --skip\(file) leave no rule to check; 'tracecheck rules' lists all rules")
    }
    return (effective, loaded.paths)
  }
}

extension RuleFileOptions {
  /// Reads the files with rules and the configuration, and tells what is wrong with them.
  ///
  /// - Throws: ``CommandExit`` if they can't be used.
  func load() throws -> LoadedConfiguration { try configuration.load(ruleFiles: files) }
}

extension ConfigurationOptions {
  /// The word instead of a file that says there shall be none.
  private static let noFile = "none"

  /// The patterns for log lines that the configuration has, for commands that need nothing else
  /// of it.
  ///
  /// - Throws: ``CommandExit`` if the configuration can't be used.
  func capturePatterns() throws -> CapturePatterns {
    try load(ruleFiles: nil).configuration.patterns
  }

  /// Reads the files with rules and the configuration, and tells what is wrong with them.
  ///
  /// - Parameter ruleFiles: Files with rules beside those that the configuration names; nil if no
  ///   rules are needed, so that what the configuration says of unknown ones doesn't matter.
  /// - Throws: ``CommandExit`` if they can't be used.
  fileprivate func load(ruleFiles: [String]?) throws -> LoadedConfiguration {
    var loader = RuleFileLoader()
    for path in ruleFiles ?? [] {
      if path.isEmpty { throw UsageError("--rules names no file") }
      if path == "-" { throw UsageError("--rules takes a file, and not standard input") }
      loader.load(path, origin: "--rules")
    }
    // The configuration may speak of these too.
    let given = loader.rules
    var loaded = LoadedConfiguration()
    if let path = try configurationPath() {
      loaded.paths.append(path)
      let (configuration, found) = ConfigurationFile.parse(
        try RuleFileLoader.bytes(of: path, max: ConfigurationLimits.bytesMax),
        name: PrintableText.printable(path), rules: Catalogue.all + given
      ) { files in
        guard ruleFiles != nil else { return [] }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        for file in files {
          let name = file.name.value
          loader.load(name.hasPrefix("/") ? name : folder + name, origin: file.place)
        }
        return Array(loader.rules.dropFirst(given.count))
      }
      // A rule that isn't known may be one of a file that couldn't be read.
      let isIncomplete = ruleFiles == nil || loader.problems.hasErrors
      for problem in found where !(isIncomplete && problem.code == .unknownRule) {
        loader.problems.add(problem.text)
      }
      loaded.configuration = configuration
    }
    printProblems(Array(loader.problems.lines.utf8))
    if loader.problems.hasErrors { throw CommandExit(code: .usage) }
    loaded.rules += loader.rules
    loaded.paths += loader.paths
    return loaded
  }

  /// The file to read; nil for none.
  private func configurationPath() throws(UsageError) -> String? {
    switch config {
    case Self.noFile?: return nil
    case ""?: throw UsageError("--config names no file")
    case "-"?:
      throw UsageError("--config takes a file, and not standard input; --config none uses no file")
    case let path?: return path
    case nil: return try Self.searchedPath()
    }
  }

  /// The nearest configuration file in the current folder or above it. Something else of this name
  /// is a mistake: nobody would notice that what was written isn't used.
  private static func searchedPath() throws(UsageError) -> String? {
    var above = ""
    for _ in 0..<ConfigurationLimits.foldersMax {
      let path = above + ConfigurationFile.name
      switch DirectoryListing.kind(of: path) {
      case .file: return path
      case .directory: throw unusable(path, "a directory")
      case .other: throw unusable(path, "a pipe or a device")
      case .missing: if DirectoryListing.isLink(path) { throw unusable(path, "a broken link") }
      }
      // The root is its own parent.
      guard let here = FileIdentity(folder: above + "."),
        let next = FileIdentity(folder: above + ".."), here != next
      else { return nil }
      above += "../"
    }
    return nil
  }

  private static func unusable(_ path: String, _ what: String) -> UsageError {
    UsageError(
      "\(path) is \(what), and a configuration file is needed; remove it, or name another file"
        + " with --config, or --config none")
  }
}

extension EffectiveConfiguration {
  /// A run that reads and judges captures as the configuration says.
  func run() -> CheckRun {
    var run = CheckRun(terms: terms)
    run.lines = lines
    return run
  }

  /// How log lines are read: an app's own by the patterns of the configuration.
  var lines: LineOptions { LineOptions(patterns: configuration.patterns) }

  /// Apps whose rules are kept ready, where the configuration tells apps apart: captures of one
  /// app mostly follow each other.
  private static let appsMax = 4

  /// Makes the terms on which each trace is judged.
  var terms: TraceTerms.Maker {
    var known: [String?: (settings: AppliedSettings, plans: RulePlans)] = [:]
    return { header, path in
      // Without sections for apps the same holds for all of them.
      let app = configuration.apps.isEmpty ? nil : header.string(.appBundleID)
      let settings: AppliedSettings
      let plans: RulePlans
      if let last = known[app] {
        settings = last.settings
        plans = last.plans
      } else {
        settings = self.settings(app: app)
        plans = RulePlans(settings.options)
        if known.count >= Self.appsMax { known.removeAll() }
        known[app] = (settings, plans)
      }
      return TraceTerms(plans: plans) { finding, traceID in
        settings.suppression(of: finding, path: path, traceID: traceID).map {
          SuppressedFinding(
            finding: finding, reason: $0.reason, expires: $0.expires.map { "\($0)" },
            origin: $0.origin.description)
        }
      }
    }
  }

  /// Tells which suppressions no longer apply.
  func printExpiryWarnings() {
    let text = configuration.expiryWarnings(today: today).map { $0.text + "\n" }.joined()
    if !text.isEmpty { printProblems(Array(text.utf8)) }
  }
}
