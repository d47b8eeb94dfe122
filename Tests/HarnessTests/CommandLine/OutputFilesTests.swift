import Foundation
import TestSupport
import Testing

/// An output replaces a file of its kind, and no other one without `--force`.
@Suite struct OutputFilesTests {
  private let scratch: Scratch

  private static let made = MadeFiles(["synth punches --duration 30s -o p.h5"])

  init() throws {
    scratch = try Scratch()
    try Self.made.copy(to: scratch)
    try scratch.write(
      "schema: shadowbox-suite/1\ntraces: {all: p.h5}\nentries: [{detector: punch, traces: all}]\n",
      to: "s.yml")
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  @Test(arguments: [
    (["run", "s.yml", "-o", "mine.h5"], "mine.h5"),
    (["run", "s.yml", "-o", "r.h5", "--log", "notes.txt"], "notes.txt"),
    (["sweep", "p.h5", "--csv", "mine.csv"], "mine.csv"),
    (["convert", "p.h5", "--channel", "user_acceleration", "-o", "mine.csv"], "mine.csv"),
    (["trim", "p.h5", "--from", "1s", "-o", "mine.h5"], "mine.h5"),
    (["export", "p.h5", "-o", "mine.trace"], "mine.trace"),
    (["synth", "walking", "--duration", "20s", "-o", "mine.h5"], "mine.h5"),
  ])
  func keepsFilesOfOthers(arguments: [String], file: String) throws {
    try scratch.write("a precious file\n", to: file)
    let refused = try run(arguments)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("\(file): expected no file or "), "\(refused.errors)")
    #expect(refused.errors.contains("--force"))
    #expect(try scratch.bytes(of: file) == Data("a precious file\n".utf8))
    let forced = try run(arguments + ["--force"])
    #expect(forced.status == 0, "\(forced.errors)")
    #expect(try scratch.bytes(of: file) != Data("a precious file\n".utf8))
    // A file of the command's own is replaced without a question.
    let again = try run(arguments)
    #expect(again.status == 0, "\(again.errors)")
  }

  /// A recording is no results file.
  @Test func resultsDoNotReplaceATrace() throws {
    try #require(try run(["synth", "walking", "--duration", "20s", "-o", "w.h5"]).status == 0)
    let before = try scratch.bytes(of: "w.h5")
    let outcome = try run(["run", "s.yml", "-o", "w.h5"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("expected no file or a results file of Shadowbox"))
    #expect(try scratch.bytes(of: "w.h5") == before)
  }

  @Test(arguments: [
    ["run", "s.yml", "-o", "r.csv"], ["sweep", "p.h5", "-o", "r.csv"],
    ["tune", "p.h5", "--results", "r.json"], ["tune", "p.h5", "-o", "r.h5"],
    ["sweep", "p.h5", "--csv", "r.h5"], ["synth", "punches", "-o", "p"],
  ])
  func refusesOtherEndings(arguments: [String]) throws {
    let outcome = try run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("expected a name that ends in ."), "\(outcome.errors)")
  }

  /// An open stream is no place for a rename: it would replace what the stream appends to.
  @Test(arguments: [
    (["sweep", "p.h5", "--csv"], "/dev/stdout"), (["sweep", "p.h5", "--csv"], "/dev/fd/1"),
    (["sweep", "p.h5", "--csv"], "/proc/self/fd/1"), (["sweep", "p.h5", "--csv"], "link"),
    (["sweep", "p.h5", "--csv"], "../dev/./stdout"), (["sweep", "p.h5", "--csv"], "fd/1"),
    (["run", "s.yml", "-o", "r.h5", "--log"], "/dev/stdout"),
    (["replay", "p.h5", "--rate", "1000x", "--timing"], "/dev/stdout"),
  ])
  func streamsAreNotReplaced(arguments: [String], output: String) throws {
    try scratch.write("precious\n", to: "log.txt")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("link"), withDestinationPath: "/dev/stdout")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("fd"), withDestinationPath: "/proc/self/fd")
    let above = String(repeating: "../", count: 20) + output.dropFirst(3)
    let words = arguments + [output.hasPrefix("..") ? above : output, "--force"]
    let outcome = try Program.launch(
      "sh", ["-c", "exec \"$0\" \"$@\" >> log.txt", Program.executable] + words, in: scratch.url)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("expected the name of a file to write"), "\(outcome.errors)")
    #expect(try scratch.text(of: "log.txt").hasPrefix("precious\n"))
    #expect(scratch.names.contains("r.h5") == false)
  }

  /// Before the work: it would be lost.
  @Test(arguments: [
    ["run", "s.yml", "-o", "r.h5/"], ["trim", "p.h5", "--from", "1s", "-o", "new.h5/"],
    ["sweep", "p.h5", "--csv", "out/c.csv/"],
  ])
  func namesOfFoldersAreRefused(arguments: [String]) throws {
    let outcome = try run(arguments)
    #expect(outcome.status == 64)
    #expect(
      outcome.errors.contains("expected the name of a file to write, found that of a folder"),
      "\(outcome.errors)")
  }

  /// As text, both names would be one.
  @Test func namesThatAreNoTextAreRefused() throws {
    for byte in ["377", "376"] {
      let name = "\"$(printf 'out\\\(byte).h5')\""
      let outcome = try Program.launch(
        "sh", ["-c", "exec \"$0\" synth punches -o \(name)", Program.executable], in: scratch.url)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("argument 4: expected UTF-8 text"), "\(outcome.errors)")
    }
    #expect(scratch.names == ["p.h5", "s.yml"])
  }

  /// Positions that only their owner may read are not for everybody afterwards.
  @Test(arguments: [
    (["trim", "p.h5", "--from", "1s", "-o", "out.h5"], "out.h5"),
    (["sweep", "p.h5", "--csv", "out.csv"], "out.csv"),
    (["run", "s.yml", "-o", "out.h5"], "out.h5"),
  ])
  func permissionsStay(arguments: [String], file: String) throws {
    #expect(try run(arguments).status == 0)
    let path = scratch.path(file)
    for mode in [0o600, 0o644, 0o660] as [mode_t] {
      #expect(chmod(path, mode) == 0)
      // Only root may give a file away.
      let owner: uid_t = getuid() == 0 ? 12_345 : getuid()
      #expect(chown(path, owner, getgid()) == 0)
      var (before, after) = (stat(), stat())
      #expect(stat(path, &before) == 0)
      #expect(try run(arguments).status == 0)
      #expect(stat(path, &after) == 0)
      #expect(after.st_mode & 0o7777 == mode && after.st_uid == owner)
      #expect(after.st_ino != before.st_ino)
    }
  }

  @Test func reportsFoldersThatItMakes() throws {
    let trim = try run(["trim", "p.h5", "--from", "1s", "-o", "new/deep/t.h5"])
    #expect(trim.status == 0)
    #expect(trim.errors.contains("made folder new/deep\n"), "\(trim.errors)")
    let again = try run(["trim", "p.h5", "--from", "1s", "-o", "new/deep/u.h5"])
    #expect(!again.errors.contains("made folder"))
    // The default folder needs no report.
    #expect(!(try run(["run", "s.yml"]).errors.contains("made folder")))
  }
}
