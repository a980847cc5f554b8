"""The recorder, its runs and its tests as a package of their own: small enough to be built again and
again, with planted bugs or under a sanitizer. Its files are copies; the build folder stays."""

import os
import pathlib
import shutil
import subprocess

from executable import ROOT

FOLDER = ROOT / ".build" / "recorder"
PACKAGE = FOLDER / "package"
LAYERS = ["TraceModel", "TraceFormat", "TraceCodecs", "TraceIO", "TraceRecorder", "CTraceAtomics",
          "CTraceChecksum", "CZstd", "CZlib"]
RULES = ["TraceNotation", "TraceLifecycle", "TraceRules", "TraceRecorderTesting"]

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let features: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
func layer(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: features)
}
let package = Package(
  name: "recorder",
  platforms: [.macOS(.v13), .iOS(.v13)],
  dependencies: [.package(path: "PARSER")],
  targets: [
    layer("TraceModel"),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    .target(name: "CTraceAtomics"),
    .target(name: "CTraceChecksum"),
    layer("TraceFormat", ["TraceModel", "CTraceChecksum"]),
    layer("TraceNotation", ["TraceModel"]),
    layer("TraceLifecycle", ["TraceModel"]),
    layer("TraceCodecs", ["TraceFormat", "CZstd", "CZlib"]),
    layer("TraceIO", ["TraceFormat", "CTraceAtomics"]),
    layer("TraceRules", ["TraceModel", "TraceLifecycle", "TraceNotation"]),
    layer("TraceRecorder", ["TraceModel", "TraceFormat", "TraceIO", "CTraceAtomics"]),
    layer(
      "TraceRecorderTesting",
      ["TraceModel", "TraceFormat", "TraceIO", "TraceNotation", "TraceRecorder", "TraceRules"]),
    .executableTarget(
      name: "recorder",
      dependencies: [
        "TraceModel", "TraceFormat", "TraceCodecs", "TraceIO", "TraceRecorder", "CTraceAtomics",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: features),
    .testTarget(
      name: "TraceRecorderTests",
      dependencies: [
        "TraceRecorder", "TraceRecorderTesting", "TraceModel", "TraceFormat", "TraceIO",
        "TraceRules",
      ],
      swiftSettings: features),
  ],
  swiftLanguageModes: [.v6]
)
"""

MAIN = """\
import ArgumentParser

struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(subcommands: [RecorderRuns.self])
}
Program.main()
"""


def runs():
    """The recorder's runs among the developers' tools, but for the generator of its calls."""
    return [path for path in sorted((ROOT / "Sources/tracedev").glob("Recorder*.swift"))
            if path.name != "RecorderCalls.swift"]


def put(path, text):
    """Writes a file only if it changes, so that what is built stays built."""
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def prepare(changes=()):
    """Copies the sources, with changes: path below Sources, text, text instead of it."""
    texts = {"Package.swift": MANIFEST.replace("PARSER", str(ROOT / ".build/checkouts/swift-argument-parser"))}
    for target in LAYERS + RULES:
        for path in (ROOT / "Sources" / target).rglob("*"):
            if path.suffix in (".swift", ".h", ".c", ".modulemap"):
                texts[str(path.relative_to(ROOT))] = path.read_text()
    for path in runs():
        texts[f"Sources/recorder/{path.name}"] = path.read_text()
    texts["Sources/recorder/main.swift"] = MAIN
    for path in (ROOT / "Tests/TraceRecorderTests").glob("*.swift"):
        texts[f"Tests/TraceRecorderTests/{path.name}"] = path.read_text()
    for path, old, new in changes:
        path = f"Sources/{path}"
        assert texts[path].count(old) == 1, f"{path} has {texts[path].count(old)} times: {old}"
        texts[path] = texts[path].replace(old, new)
    if PACKAGE.exists():
        for path in [path for part in ("Sources", "Tests") for path in (PACKAGE / part).rglob("*")]:
            if path.is_file() and str(path.relative_to(PACKAGE)) not in texts:
                path.unlink()
    for name, text in texts.items():
        put(PACKAGE / name, text)


def swift(command, *arguments, sanitizer=None, **options):
    """swift build or swift test in the package, in a build folder for each sanitizer."""
    scratch = FOLDER / (f"build-{sanitizer}" if sanitizer else "build")
    line = ["swift", command, "--package-path", str(PACKAGE), "--scratch-path", str(scratch), *arguments]
    if sanitizer:
        line.append(f"--sanitize={sanitizer}")
    return subprocess.run(line, capture_output=True, text=True, **options)


def build(*changes, sanitizer=None):
    """Builds the runs, and says where the executable is: as they ship, or for a sanitizer's debug build."""
    prepare(changes)
    kind = [] if sanitizer else ["-c", "release"]
    result = swift("build", *kind, "--product", "recorder", sanitizer=sanitizer)
    if result.returncode != 0:
        raise RuntimeError(result.stdout[-4000:] + result.stderr[-2000:])
    folder = swift("build", *kind, "--show-bin-path", sanitizer=sanitizer).stdout.strip()
    return os.path.join(folder, "recorder")
