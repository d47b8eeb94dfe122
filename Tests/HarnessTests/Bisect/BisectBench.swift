import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// A git repository whose commits are a detector, `exec:./blow rule`, with a threshold in a file.
struct BisectBench {
  struct Commit {
    /// The threshold.
    var least: Int
    var builds = true
    /// Positions in the list; nil = the commit before it.
    var parents: [Int]?
    /// The threshold of the suite's second entry.
    var other = 5
    /// Where the folder of the suite leads instead of being one.
    var link: String?
  }

  let scratch: Scratch
  /// Their names, in the order of the list.
  let commits: [String]

  /// The sizes of the blows in the trace, at readings 10, 30, 50 and 70 of 10 ms each.
  static let sizes = [10, 20, 30, 40]

  var checkout: URL { scratch.url.appending(path: "my checkout") }
  var folder: URL { checkout.appending(path: "my detector") }

  init(_ commits: [Commit]) throws {
    scratch = try Scratch()
    let checkout = scratch.url.appending(path: "my checkout")
    for name in ["my checkout", "tmp"] {
      try FileManager.default.createDirectory(
        at: scratch.url.appending(path: name), withIntermediateDirectories: false)
    }
    try scratch.write(Self.stream(commits), to: "stream")
    let made = try Program.launch(
      "sh",
      [
        "-c",
        """
        set -e; git init -q -b main .; git config user.name a; git config user.email a@example.org
        git fast-import --quiet --export-marks=../marks <../stream; git reset -q --hard
        mkdir -p 'my detector'
        """,
      ], in: checkout)
    try #require(made.status == 0, "\(made.errors)")
    try Self.trace.copy(to: scratch)
    try FileManager.default.moveItem(
      atPath: scratch.path("t.h5"), toPath: scratch.path("my checkout/my detector/t.h5"))
    var names = [String](repeating: "", count: commits.count)
    for line in try scratch.text(of: "marks").split(separator: "\n") {
      let words = line.split(separator: " ")
      if let mark = Int(words[0].dropFirst()), names.indices.contains(mark - 1) {
        names[mark - 1] = String(words[1])
      }
    }
    self.commits = names
  }

  private static let trace = MadeFiles { scratch in
    var trace = Trace(header: TraceHeader(id: "t", origin: .synthetic))
    var columns = VectorColumns()
    for index in 0..<100 {
      let time = Int64(index) * 10_000_000
      let size = index % 20 == 10 && index < 80 ? Float(sizes[index / 20]) : 1
      columns.append(Vector3(x: size, y: 2, z: 0.5), measured: time, arrived: time)
    }
    trace.set(.vector(columns), for: .userAcceleration)
    let events = sizes.indices.map { index in
      ReferenceEvent(
        onset: TraceInstant(nanoseconds: Int64(index * 20 + 10) * 10_000_000), label: "blow")
    }
    trace.header.references = [ReferenceSet(task: .punch, events: events)]
    trace.header.end = TraceInstant(nanoseconds: 1_000_000_000)
    try NativeTrace.write(trace, to: scratch.path("t.h5"))
  }

  /// Detects every sample whose x is above the threshold.
  private static let detector = #"""
    #!/bin/sh
    . "./$1"
    printf 'shadowbox-detector/1\nname blow\nchannel user_acceleration\ntask punch\nready\n'
    while read -r word number time arrived x rest; do
      case $word in
        sample) if test "${x%%.*}" -gt "$least"; then echo "detect $number $time"; fi ;;
        end) echo done ;;
      esac
    done

    """#

  private static let suite = """
    schema: shadowbox-suite/1
    traces: {all: ["t*.h5"]}
    entries:
      - {name: blow, detector: "exec:./blow rule", traces: all}
      - {name: other, detector: "exec:./blow other", traces: all}

    """

  /// The history for `git fast-import`; commit n has mark n + 1.
  private static func stream(_ commits: [Commit]) -> String {
    commits.enumerated().map { index, commit in
      func data(_ text: String) -> String { "data \(text.utf8.count)\n\(text)\n" }
      func file(_ name: String, _ text: String, _ mode: String = "100644") -> String {
        "M \(mode) inline \"\(name)\"\n" + data(text)
      }
      let parents = commit.parents ?? (index > 0 ? [index - 1] : [])
      let author = "a <a@example.org> \(1_700_000_000 + index * 86_400) +0000\n"
      let links = parents.enumerated().map { "\($0 == 0 ? "from" : "merge") :\($1 + 1)\n" }
      let files =
        commit.link.map { file("my detector", $0, "120000") }
        ?? (file("my detector/blow", detector, "100755")
          + file("my detector/rule", "least=\(commit.least)\n")
          + file("my detector/other", "least=\(commit.other)\n")
          + file("my detector/suite.yml", suite)
          + file(
            "my detector/build",
            "#!/bin/sh\necho building \(index)\ntouch built\n"
              + (commit.builds ? "" : "echo 'no such type' >&2; exit 3\n"), "100755"))
      return "commit refs/heads/\(index == commits.count - 1 ? "main" : "c\(index)")\n"
        + "mark :\(index + 1)\nauthor \(author)committer \(author)" + data("Change \(index)")
        + links.joined() + "deleteall\n" + files + file(".gitignore", "*.h5\nbuilt\n") + "\n"
    }.joined()
  }

  // MARK: Running

  static let building = ["--program", Program.executable, "--", "./build"]

  /// Runs `bisect` from the first commit to the last in the folder of the suite.
  func run(
    _ arguments: [String] = ["suite.yml"], good: String? = nil, bad: String? = nil,
    build: [String] = [], variables: [String: String] = [:], in place: URL? = nil
  ) throws -> Program.Outcome {
    let settings = variables.merging(["TMPDIR": scratch.path("tmp")]) { $1 }
    return try Program.launch(
      "env",
      settings.map { "\($0)=\($1)" } + [Program.executable, "bisect"]
        + ["--good", good ?? commits[0], "--bad", bad ?? commits[commits.count - 1]]
        + arguments + build, in: place ?? folder)
  }

  /// Starts `bisect` from the first commit to the last.
  func start(build: [String] = []) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: Program.executable)
    process.arguments =
      ["bisect", "--good", commits[0], "--bad", commits[commits.count - 1], "suite.yml"] + build
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TMPDIR": scratch.path("tmp")]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// The result as JSON.
  func found(
    _ arguments: [String] = ["suite.yml"], good: String? = nil, bad: String? = nil,
    build: [String] = [], variables: [String: String] = [:]
  ) throws -> Found {
    let outcome = try run(
      arguments + ["--format", "json"], good: good, bad: bad, build: build, variables: variables)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try outcome.decoded(Found.self)
  }

  struct Found: Decodable {
    struct Commit: Decodable {
      var hash: String
      var subject: String
    }
    struct Step: Decodable {
      var commit: Commit
      var verdict: String
      var reason: String
    }
    struct Value: Decodable {
      var name: String
      var value: Double?
      var unit: String
    }
    struct Sample: Decodable {
      var entry: String
      var trace: String
      var timeNs: Int64
      var reading: Int?
      var channel: String?
      var values: [Value]
    }
    struct Flip: Decodable {
      var entry: String
      var change: String
      var newestReading: Int?
    }
    struct Change: Decodable {
      var entry: String?
      var name: String
    }
    var isFound: Bool
    var suspects: [Commit]
    var before: Commit
    var after: Commit
    var steps: [Step]
    var flips: [Flip]
    var changes: [Change]
    var decision: String
    var firstDifferingSample: Sample?
  }

  // MARK: What must stay

  /// Every file of the checkout and its repository with its contents.
  func contents() throws -> [String: Data] {
    Dictionary(
      uniqueKeysWithValues: try FileManager.default.subpathsOfDirectory(atPath: checkout.path)
        .map { name in
          (name, (try? Data(contentsOf: checkout.appending(path: name))) ?? Data())
        })
  }

  /// The names in the temporary folder.
  var temporaryFiles: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: scratch.path("tmp"))) ?? []
  }

  @discardableResult
  func git(_ words: String...) throws -> String {
    let outcome = try Program.launch("git", words, in: checkout)
    try #require(outcome.status == 0, "\(words): \(outcome.errors)")
    return outcome.output
  }
}
