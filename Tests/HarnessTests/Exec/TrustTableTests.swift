import Files
import Foundation
import TestSupport
import Testing

/// The table "Files" of SECURITY.md: each kind of file, and that those that are not trusted start nothing.
@Suite struct TrustTableTests {
  private static let rows = Result {
    let text = try String(contentsOf: Fixtures.root.appending(path: "SECURITY.md"), encoding: .utf8)
    let part = text.components(separatedBy: "\n### Files\n").last ?? ""
    return part.prefix(upTo: part.range(of: "\n## ")?.lowerBound ?? part.endIndex)
      .split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  @Test func allKindsHaveARow() throws {
    let rows = try Self.rows.get()
    #expect(rows.map { $0[0] } == InputKind.allCases.map(\.rawValue))
    for (row, kind) in zip(rows, InputKind.allCases) {
      #expect(row.count == 3 && (row[1] == "yes") == kind.mayNamePrograms, "\(row)")
    }
  }

  @Test(.longer, arguments: InputKind.allCases.filter { !$0.mayNamePrograms })
  func startsNothing(kind: InputKind) throws {
    #expect(try Self.rows.get().contains { $0[0] == kind.rawValue && $0[1] == "no" })
    let bench = try TrustBench()
    let files = HostileFiles(bench.scratch)
    let commands = try files.commands(reading: kind)
    for arguments in commands.prefix(LongTests.count(quick: 2, long: commands.count)) {
      let outcome = try bench.run(arguments)
      #expect([0, 2, 64, 65].contains(outcome.status), "\(arguments): \(outcome)")
      #expect(!bench.hasStarted, "\(arguments): \(outcome)")
    }
  }

  /// A suite is a program: it starts what it names.
  @Test func aSuiteStartsItsPrograms() throws {
    let bench = try TrustBench()
    #expect(try bench.run(["run", "s.yml", "-o", "o.h5", "--quiet"]).status == 0)
    #expect(bench.hasStarted)
  }

  /// Each argument of a command that names a file to read is of a kind that the table has.
  @Test func allArgumentsHaveAKind() throws {
    let outcome = try Program.run(["--experimental-dump-help"], in: Fixtures.root)
    let help = try JSONDecoder().decode(Help.self, from: Data(outcome.output.utf8))
    let found = Set(help.command.files(""))
    #expect(found.subtracting(Self.kinds.keys) == [], "without a kind")
    #expect(Set(Self.kinds.keys).subtracting(found) == [], "no longer there")
    // The cache and what is replaced have no argument of their own.
    #expect(
      Set(Self.kinds.values.joined()).union([.cache, .earlierOutput]) == Set(InputKind.allCases))
  }

  private static let kinds: [String: [InputKind]] = {
    let result: [InputKind] = [.results]
    let inputs: [InputKind] = [.suite, .trace]
    return [
      "run <input>": inputs, "gate <input>": inputs, "bisect <input>": inputs,
      "sweep <trace>": inputs, "tune <trace>": inputs, "enroll <trace>": inputs,
      "compare <base>": result, "compare <head>": result, "report <file>": result,
      "rerun <file>": result, "history add <results>": result, "export <file>": [.trace, .results],
      "info <file>": [.trace, .recording, .results, .sweep, .tuning, .comparison],
      "history import <file>": [.history], "validate <file>": [.trace, .recording],
      "convert <recording>": [.trace, .recording], "replay <trace>": [.trace],
      "shrink <trace>": [.trace], "bench <trace>": [.trace], "resample <trace>": [.trace],
      "trim <trace>": [.trace], "merge <part>": [.trace], "align <first>": [.trace],
      "align <second>": [.trace], "anonymize <trace>": [.trace], "synth <scenario>": [.scenarios],
      "--decisions": [.decisions], "--traces": [.trace], "--module": [.module], "--profile": [.day],
      "--history": [.history],
      "--parameters": [.parameters, .profiles], "--base-parameters": [.parameters, .profiles],
      "--head-parameters": [.parameters, .profiles], "--base-results": result,
      "--head-results": result, "--base-suite": [.suite], "--head-suite": [.suite],
      "--reference": [.labels, .trace, .recording], "--detections": [.labels, .recording],
      "--ignore": [.labels], "--files": [.recordingTable], "--from": result,
    ]
  }()
}

/// What `--experimental-dump-help` prints.
private struct Help: Decodable {
  var command: Command

  struct Command: Decodable {
    var commandName: String
    var arguments: [Argument]?
    var subcommands: [Command]?

    /// The arguments that name files to read: `run <input>`, or the name of an option.
    func files(_ parents: String) -> [String] {
      let own = (arguments ?? []).filter(\.isRead).map { argument in
        argument.option ?? "\(parents)\(commandName) <\(argument.valueName ?? "")>"
      }
      let path = commandName == "shadowbox" ? "" : "\(parents)\(commandName) "
      return own
        + (subcommands ?? []).filter { $0.commandName != "help" }
        .flatMap { $0.files(path) }
    }
  }

  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
    }
    var kind: String
    var valueName: String?
    var abstract: String?
    var names: [Name]?

    var option: String? {
      kind == "positional" ? nil : names?.first { $0.kind == "long" }.map { "--\($0.name)" }
    }

    var isRead: Bool {
      let (value, text) = (valueName ?? "", abstract ?? "")
      // Programs, folders of caches, and what is written.
      let written = ["Write", "Draw", "The same", "The file to write"]
      let isWritten = option == "--output" || written.contains(where: text.hasPrefix)
      return !isWritten
        && (kind == "positional" || value.hasSuffix("file") || option == "--traces")
    }
  }
}
