import ChildProcesses
import Diagnostics
import Evaluation
import Files
import Foundation
import Reports
import Results

final class CommitRunner {
  struct Plan {
    /// The command that builds a commit; empty = nothing is built.
    var command: [String]
    /// The program that is measured: relative to the work tree's working folder, or absolute.
    var program: String
    var input: BisectInput
    var only: [String]
    /// How long the build, and the run, may take.
    var limit: Duration
  }

  struct Unmeasured: Error {
    var reason: String
    /// The last lines that the program printed.
    var lastLines: [String] = []
  }

  private let plan: Plan
  private let tree: BisectWorktree
  private let repository: GitRepository
  private var known: [String: Result<String, Unmeasured>] = [:]

  init(_ plan: Plan, _ tree: BisectWorktree, _ repository: GitRepository) {
    (self.plan, self.tree, self.repository) = (plan, tree, repository)
  }

  /// The folder in the work tree that corresponds to the working folder in the checkout.
  private var folder: String {
    repository.prefix.isEmpty ? tree.path : tree.path + "/" + repository.prefix
  }

  /// The results of a commit, which is built and measured once.
  /// - Throws: ``Unmeasured``, or an error that the commit has not caused.
  func results(of commit: String) throws -> MeasuredResults {
    if let outcome = known[commit] { return try read(outcome.get(), of: commit) }
    do {
      let file = try measure(commit, to: "results-\(commit).h5", builds: true)
      known[commit] = .success(file)
      return try read(file, of: commit)
    } catch let error as Unmeasured {
      known[commit] = .failure(error)
      throw error
    }
  }

  /// The results of a second run of the commit that was measured last.
  func repeatedResults(of commit: String) throws -> MeasuredResults {
    try read(try measure(commit, to: "again.h5", builds: false), of: commit)
  }

  private func read(_ file: String, of commit: String) throws -> MeasuredResults {
    do {
      var results = try MeasuredResults(reading: file)
      results.commit = commit
      return results
    } catch let error as Failure {
      throw Unmeasured(reason: "its results cannot be read: \(error)")
    }
  }

  private func measure(_ commit: String, to name: String, builds: Bool) throws -> String {
    if builds { try prepare(commit) }
    let output = tree.file(name)
    let only = plan.only.flatMap { ["--only", $0] }
    let words = ["run"] + arguments + only + ["--deterministic", "--quiet", "-o", output]
    try run([plan.program] + words, "\(plan.program) run")
    guard FileManager.default.fileExists(atPath: output) else {
      throw Unmeasured(reason: "\(plan.program) run wrote no results")
    }
    return output
  }

  private func prepare(_ commit: String) throws {
    try tree.checkOut(commit)
    guard FileManager.default.fileExists(atPath: folder) else {
      throw Unmeasured(reason: "it has no folder \(repository.prefix)")
    }
    if !plan.command.isEmpty { try run(plan.command, plan.command[0]) }
    // After the build, which may change the files of the commit.
    if let suite = plan.input.suite {
      do {
        try tree.write(suite.text, to: suite.place)
      } catch let error as Failure where error.kind == .badData {
        throw Unmeasured(reason: error.description)
      }
    }
  }

  /// The suite of the work tree, or the recordings where they are.
  private var arguments: [String] {
    plan.input.suite.map { [tree.path + "/" + $0.place] } ?? plan.input.arguments
  }

  /// - Throws: ``Unmeasured``, unless the program succeeds.
  private func run(_ words: [String], _ title: String) throws {
    let log = tree.file("log")
    let descriptor = open(
      log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw fileError("\(log): cannot be written: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    guard let executable = executable(words[0]) else {
      throw Unmeasured(reason: "it has no program \(words[0])")
    }
    let ending: ChildProcess.Ending
    do {
      // What a killed program leaves in its folder of temporary files goes with the work tree.
      let settings = ["PWD": folder, "TMPDIR": GitRepository.parent(of: tree.path)]
      let program = try ProgramRun(
        executable, Array(words.dropFirst()), in: folder, errors: .file(descriptor),
        variables: GitRepository.cleared.merging(settings) { $1 }, limit: plan.limit)
      // A log that cannot be written is not a failure of the commit.
      let log = FileHandle(fileDescriptor: descriptor)
      let output = FileHandle(fileDescriptor: program.output)
      while let bytes = try? output.read(upToCount: 1 << 16), !bytes.isEmpty,
        (try? log.write(contentsOf: bytes)) != nil
      {}
      ending = program.finish()
    } catch let error as ChildProcess.LaunchError {
      throw Unmeasured(reason: "\(title) cannot be started: \(error.reason)")
    }
    guard ending != .exited(0) else { return }
    ExitDuties.waitForTheEnd()
    throw Unmeasured(reason: "\(title) \(Self.text(ending))", lastLines: Self.lastLines(of: log))
  }

  /// The program that a word names: a path in the working folder, or a name in `PATH`.
  private func executable(_ word: String) -> String? {
    if word.hasPrefix("/") { return word }
    guard word.contains("/") else { return ProgramRun.candidates(named: word).first }
    let path = folder + "/" + word
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  private static func text(_ ending: ChildProcess.Ending) -> String {
    switch ending {
    case .exited(let status): "ended with exit code \(status)"
    case .killed(let signal): "was killed by signal \(signal)"
    case .tookTooLong: "took longer than --timeout"
    }
  }

  private static func lastLines(of log: String) -> [String] {
    guard let file = FileHandle(forReadingAtPath: log), let size = try? file.seekToEnd() else {
      return []
    }
    try? file.seek(toOffset: size > 1 << 14 ? size - 1 << 14 : 0)
    let text = String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
    return text.split(separator: "\n").suffix(10).map { inLine(String($0.prefix(500))) }
  }
}
