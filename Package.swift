// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
    swiftSettings: settings)
}

/// The apps that come with Shadowbox; the program registers them in `main.swift`.
let apps = ["FightApp", "HikeApp", "WorkoutApp", "TicTacToeApp", "PictureGuessApp"]

func named(_ targets: [String]) -> [Target.Dependency] { targets.map { .byName(name: $0) } }

let package = Package(
  name: "shadowbox",
  products: [
    .library(name: "TraceModel", targets: ["TraceModel"]),
    .library(name: "Detectors", targets: ["Detectors"]),
    .library(name: "Apps", targets: ["AppEngines"] + apps),
    .library(name: "AppIO", targets: ["AppIO", "SealedThreads"]),
    .library(name: "Replay", targets: ["Replay"]),
    .library(name: "Synthesis", targets: ["Synthesis"]),
    .library(name: "TraceFormats", targets: ["TraceFormats"]),
    .library(name: "Scoring", targets: ["Scoring"]),
    .library(name: "Tuning", targets: ["Tuning"]),
    .library(name: "GSLSearch", targets: ["GSLSearch"]),
    .library(name: "Evaluation", targets: ["Evaluation"]),
    .library(name: "ShadowboxTesting", targets: ["ShadowboxTesting", "TraceFixtures"]),
    .library(name: "Harness", targets: ["Harness"]),
    .executable(name: "shadowbox", targets: ["shadowbox"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
  ],
  targets: [
    // Pure Swift: no Foundation, no Dispatch, no files, no clock, no global state, no C.
    library("TraceModel"),
    library("Detectors", ["TraceModel"]),
    library("AppEngines", ["TraceModel", "Detectors"]),
    library("FightApp", ["AppEngines", "TraceModel", "Detectors"], exclude: ["RULES.md"]),
    library("HikeApp", ["AppEngines", "TraceModel", "Detectors"], exclude: ["RULES.md"]),
    library("WorkoutApp", ["AppEngines", "TraceModel", "Detectors"], exclude: ["RULES.md"]),
    library("TicTacToeApp", ["AppEngines", "TraceModel", "Detectors"], exclude: ["RULES.md"]),
    library("PictureGuessApp", ["AppEngines", "TraceModel", "Detectors"], exclude: ["RULES.md"]),
    library("Replay", ["TraceModel", "Detectors"]),
    library("Synthesis", ["TraceModel"]),
    library("Scoring", ["TraceModel"]),
    library("TraceFixtures", ["TraceModel"]),
    // The page of a report: HTML, style, script, and the compiled form of the above (make page, wasm).
    .target(
      name: "Page",
      exclude: [
        "page.wasm.gz", "sources.sha256", "page.html", "page.css", "page.js", "script.sha256",
        "Script", "bundle",
      ]),
    .target(
      name: "CPictures",
      exclude: ["common.py", "history.py", "recall.py", "replay.py", "tuning.py"]),
    library("PageRuns", ["TraceModel", "Detectors", "Replay", "Scoring"]),
    // The rest.
    library(
      "Pacing",
      [
        "TraceModel", "Detectors", "Replay", "Scoring", "Diagnostics", "Clocks", "Files",
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ]),
    .systemLibrary(
      name: "CHDF5", pkgConfig: "hdf5", providers: [.apt(["libhdf5-dev"]), .brew(["hdf5"])]),
    .systemLibrary(
      name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
    .systemLibrary(
      name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(name: "CSpawn"),
    .systemLibrary(name: "CTicks"),
    // What every part outside of the wall needs: errors with a kind, and numbers as text.
    library("Diagnostics", ["TraceModel"]),
    // The only target that reads clocks and sleeps.
    library("Clocks", ["TraceModel", "CTicks"]),
    // Files that are written whole or not at all, locked, read while they stay as they are, unpacked;
    // threads.
    library("Files", ["TraceModel", "Diagnostics", "Clocks", "CZlib"]),
    library("ChildProcesses", ["TraceModel", "Diagnostics", "Clocks", "Files", "CSpawn"]),
    library("HDF5", ["Files", "CHDF5"]),
    library("Digests", ["Diagnostics", "Files", "CCrypto"]),
    // Random tokens, password hashes and sealed messages.
    library("Secrets", ["CCrypto"]),
    // The messages of PictureGuessApp that only its two players can read.
    library("SealedThreads", ["AppEngines", "PictureGuessApp", "Secrets", "TraceModel"]),
    library("GSL", ["CGSL"]),
    library(
      "TraceFormats",
      [
        "TraceModel", "TraceFixtures", "HDF5", "ChildProcesses", "Diagnostics", "Files", "CZip",
      ]),
    library(
      "AppIO",
      [
        "AppEngines", "HikeApp", "WorkoutApp", "TicTacToeApp", "TraceModel", "Files", "Digests",
        "Diagnostics", "Secrets", "CCurl",
      ]),
    library("TraceTools", ["TraceModel", "Detectors", "Scoring", "GSL"]),
    library("Tuning", ["TraceModel", "Detectors", "Replay", "Scoring"]),
    // GSL is under the GPL: only a program that tunes links it.
    library("GSLSearch", ["GSL", "Tuning"]),
    // What an app developer calls from a test: nothing in its graph is a C library, or Foundation.
    library(
      "Evaluation",
      [
        "TraceModel", "Detectors", "AppEngines", "Replay", "Scoring", "Tuning", "Diagnostics",
        "PageRuns",
      ]),
    // Assertions for the tests of an app.
    library(
      "ShadowboxTesting",
      [
        "TraceModel", "TraceFixtures", "Detectors", "AppEngines", "Replay", "Scoring",
        "Evaluation", "Diagnostics",
      ]),
    library(
      "ExternalDetectors",
      [
        "TraceModel", "Detectors", "Replay", "Evaluation", "ChildProcesses", "Diagnostics",
        "Digests", "Clocks",
      ]),
    // Files of results: written, read in every version, and as a comparison needs them.
    library(
      "Results",
      [
        "TraceModel", "Detectors", "AppEngines", "Replay", "Scoring", "Tuning", "Evaluation",
        "HDF5", "Diagnostics", "Files", "TraceFormats",
      ]),
    library(
      "Reports",
      [
        "TraceModel", "Detectors", "AppEngines", "Replay", "Scoring", "Tuning", "Evaluation",
        "HDF5", "ChildProcesses", "Diagnostics", "Digests", "Pacing", "Clocks", "Files",
        "TraceFormats", "TraceTools", "Results", "History", "PageRuns", "Page", "CPictures",
      ]),
    // Two programs measured side by side.
    library("Speed", ["Scoring", "Evaluation", "ChildProcesses", "Diagnostics", "Files"]),
    // Figures of earlier runs, in a database of SQLite.
    library("History", ["Scoring", "Diagnostics", "Files", "CSQLite"]),
    // The command line. A module called CommandLine would hide Swift's own type of that name.
    library(
      "Harness",
      [
        "TraceModel", "TraceFixtures", "Detectors", "AppEngines", "Replay", "Synthesis",
        "TraceFormats", "TraceTools", "Scoring", "Tuning", "Evaluation", "ExternalDetectors",
        "Reports", "Results", "History", "PageRuns",
        "Pacing", "Speed", "Digests", "Diagnostics", "ChildProcesses", "Clocks", "Files", "HDF5",
        "GSL",
        "GSLSearch", "Secrets", "Yams",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "shadowbox", dependencies: ["Harness", "SealedThreads"] + named(apps),
      swiftSettings: settings),

    tests("TraceModel"),
    // The examples of doc comments.
    .testTarget(
      name: "ExampleTests",
      dependencies: ["TraceModel", "Detectors", "Replay", "Scoring", "Evaluation"],
      swiftSettings: settings),
    tests("Detectors", ["TraceModel"]),
    .testTarget(
      name: "AppsTests",
      dependencies: [
        "AppEngines", "TraceModel", "Detectors", "Synthesis", "HikeSamples", "TestSupport",
      ] + named(apps), swiftSettings: settings),
    tests(
      "AppIO",
      [
        "AppEngines", "SealedThreads", "TraceModel", "TraceFormats", "Digests", "Secrets",
        "HikeSamples", "HostileServer", "PackedFiles",
      ] + named(apps)),
    tests("Replay", ["TraceModel", "Detectors"]),
    tests("Synthesis", ["TraceModel"]),
    tests(
      "Pacing",
      [
        "TraceModel", "Replay", "Diagnostics",
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ]),
    tests("TraceFixtures", ["TraceModel", "Synthesis"]),
    tests(
      "PageRuns",
      [
        "TraceModel", "TraceFormats", "Detectors", "Replay", "Scoring", "Synthesis", "Evaluation",
        "Digests",
      ]),
    tests(
      "ShadowboxTesting",
      [
        "TraceModel", "TraceFixtures", "Detectors", "AppEngines", "Evaluation", "Replay",
        "Scoring", "Synthesis",
      ]),
    tests("Clocks", ["TraceModel"]),
    tests("Files", ["TraceModel", "HDF5"]),
    tests("ChildProcesses"),
    tests("HDF5"),
    tests("GSL"),
    tests("Digests"),
    tests("Secrets", ["PictureGuessApp", "TraceModel"]),
    tests(
      "TraceFormats",
      ["TraceModel", "Detectors", "Replay", "Synthesis", "HDF5", "PackedFiles"]),
    .target(
      name: "HikeSamples", dependencies: ["HikeApp", "AppEngines", "Detectors", "TraceModel"],
      path: "Tests/HikeSamples", swiftSettings: settings),
    .target(
      name: "PackedFiles", dependencies: ["CZlib"], path: "Tests/PackedFiles",
      swiftSettings: settings),
    .target(
      name: "HostileServer", path: "Tests/HostileServer",
      swiftSettings: settings),
    tests("TraceTools", ["TraceModel", "Synthesis", "Detectors", "GSL"]),
    .target(
      name: "CoverageSimulation", dependencies: ["Scoring", "TraceModel", "Tuning"],
      path: "Tests/CoverageSimulation", swiftSettings: settings),
    .executableTarget(
      name: "coverage", dependencies: ["CoverageSimulation"], path: "Tests/Coverage",
      swiftSettings: settings),
    tests("Scoring", ["TraceModel", "CGSL", "CoverageSimulation"]),
    tests("History", ["Scoring", "Diagnostics", "TraceModel"]),
    tests("Tuning", ["TraceModel", "Detectors", "Replay", "Scoring", "Synthesis", "GSLSearch"]),
    tests(
      "Evaluation",
      [
        "TraceModel", "Detectors", "Replay", "Synthesis", "Scoring", "Tuning", "GSLSearch",
        "PageRuns", "Diagnostics",
      ]),
    tests(
      "ExternalDetectors",
      ["TraceModel", "Detectors", "Replay", "Evaluation", "Diagnostics"]),
    tests(
      "Reports",
      [
        "TraceModel", "Detectors", "AppEngines", "HDF5", "Scoring", "Tuning", "GSLSearch",
        "Evaluation", "Results", "Diagnostics", "TraceFormats",
      ]),
    tests(
      "Results",
      [
        "TraceModel", "Detectors", "AppEngines", "HDF5", "Scoring", "Tuning", "Evaluation",
        "Reports", "Replay", "TraceFormats", "Files", "Diagnostics",
      ]),
    tests(
      "Harness",
      [
        "TraceModel", "TraceFixtures", "Detectors", "AppEngines", "SealedThreads", "Replay",
        "Synthesis", "TraceFormats", "TraceTools", "Scoring", "Tuning", "Evaluation", "Reports",
        "Results", "PageRuns", "Pacing", "Speed", "Diagnostics", "Digests", "Files", "HDF5",
        "shadowbox", "soak",
        "SwingExample",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + named(apps)),
    .executableTarget(
      name: "soak",
      dependencies: [
        "TraceModel", "TraceFixtures", "TraceFormats", "HDF5", "AppIO", "Evaluation", "Reports",
        "Results", "Harness", "Diagnostics", "PackedFiles", "HostileServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Tests/Soak", swiftSettings: settings),
    // The example package's detector, without a build of the package: its settings are its own.
    .executableTarget(
      name: "SwingExample", dependencies: ["TraceModel", "Detectors", "Harness"],
      path: "Tests/Examples/SwingDetector", exclude: ["Package.swift"]),
    // One comparison of two speeds, for the proofs of Benchmarks/Gate.
    .executableTarget(
      name: "speedtrial",
      dependencies: [
        "TraceModel", "Detectors", "Harness", "Speed", "Scoring", "Diagnostics", "ChildProcesses",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Tests/SpeedTrial", swiftSettings: settings),
    tests("Speed", ["Scoring", "Evaluation", "Diagnostics", "speedtrial"]),
    .target(
      name: "TestSupport", dependencies: ["Synthesis", "TraceModel"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .testTarget(name: "WallTests", dependencies: ["TestSupport"], swiftSettings: settings),
    .testTarget(name: "PythonTests", dependencies: ["TestSupport"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// `make docs` sets this. Nobody else fetches the plugin.
if Context.environment["SHADOWBOX_DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"))
}
