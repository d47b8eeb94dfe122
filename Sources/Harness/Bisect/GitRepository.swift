import ChildProcesses
import Diagnostics
import Foundation
import Reports

/// The git repository of a checkout. It is only read: the checkout, its index, its branches and its
/// own bisection stay as they are.
struct GitRepository {
  /// The folder of the checkout.
  let top: String
  /// The working folder within the checkout; empty = the checkout itself.
  let prefix: String
  /// The folder that all work trees share.
  let common: String
  /// The longest time for a command of git.
  private let limit: Duration
  /// Switches with the folders of other users that the user has named as safe.
  private let safe: [String]

  /// Variables that select a repository or an index, as git sets them for hooks (`git rev-parse
  /// --local-env-vars`). The programs of a commit must not write there.
  static let cleared: [String: String?] = Dictionary(
    uniqueKeysWithValues: [
      "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX",
      "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE",
      "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_REPLACE_REF_BASE",
      "GIT_INTERNAL_SUPER_PREFIX", "GIT_CEILING_DIRECTORIES",
    ].map { ($0, nil) })

  /// - Throws: wrong use outside of a checkout.
  init(of folder: String, limit: Duration = .seconds(3600)) throws {
    self.limit = limit
    if let (path, kind) = GitFiles.obstacle(around: folder) {
      throw badData(
        "\(path): expected a regular file of git's, found \(kind); git would wait for it")
    }
    var facts = stat()
    let isOwn = stat(folder, &facts) == 0 && facts.st_uid == geteuid()
    safe = isOwn ? [] : UserSettings.safeFolders.flatMap { ["-c", "safe.directory=\($0)"] }
    let answer = try Self.run(
      safe + ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir"],
      in: folder, limit: .seconds(10))
    let lines = Self.lines(answer.output)
    try requireUse(
      answer.status == 0 && lines.count >= 2 && !lines[0].isEmpty,
      "\(folder): expected a checkout of a git repository, found "
        + (answer.message.isEmpty ? "none" : "\"\(answer.message)\"")
        + "; start bisect in a checkout")
    (top, common) = (lines[0], lines[1])
    prefix = Self.path(resolvedPath(folder), within: resolvedPath(top)) ?? ""
  }

  /// Settings without which a filter or a hook that others name starts no program. Git has hooks in its
  /// settings from 2.54 on.
  private static let off = [
    "filter": [("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")],
    "hook": [("event", ""), ("enabled", "false")],
  ]

  /// Variables that take the programs out of the filters and hooks that the settings of a work tree name.
  func variablesWithoutPrograms(in folder: String) throws -> [String: String] {
    let settings = try output(of: ["config", "--null", "--name-only", "--list"], in: folder)
    try requireData(
      !settings.unicodeScalars.contains("\u{FFFD}"),
      "\(common)/config: expected UTF-8, found other bytes")
    // Bytes as git compares them: no accent is put together with a dot, or with a letter.
    let keys = Array(settings.utf8).split(separator: 0)
    let changed = Self.off.sorted { $0.key < $1.key }.flatMap { kind, values in
      keys.filter { $0.starts(with: "\(kind).".utf8) }
        .compactMap { key in key.lastIndex(of: UInt8(ascii: ".")).map { Array(key[..<$0]) } }
        .uniqued().map { String(decoding: $0, as: UTF8.self) }
        .flatMap { name in values.map { ("\(name).\($0)", $1) } }
    }
    var variables = ["GIT_CONFIG_COUNT": "\(changed.count)"]
    for (number, (key, value)) in changed.enumerated() {
      variables["GIT_CONFIG_KEY_\(number)"] = key
      variables["GIT_CONFIG_VALUE_\(number)"] = value
    }
    return variables
  }

  /// The part of a path below a folder; empty = the folder itself, nil = outside. Paths are compared
  /// by bytes, as the system does.
  static func path(_ path: String, within folder: String) -> String? {
    if path.utf8.elementsEqual(folder.utf8) { return "" }
    let start = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
    guard path.utf8.starts(with: start.utf8) else { return nil }
    return String(Substring(path.utf8.dropFirst(start.utf8.count)))
  }

  /// The folder that a path's last part is in, by bytes; that of `/` and of a mere name is `/`.
  static func parent(of path: String) -> String {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  /// Not by characters: a carriage return and a line feed are one.
  private static func lines(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }

  /// Returns the full name of the commit that a revision stands for.
  func commit(_ revision: String, option: String) throws -> String {
    let answer =
      revision.isEmpty || revision.utf8.first == UInt8(ascii: "-")
      ? nil : try run(["rev-parse", "--verify", "--quiet", "\(revision)^{commit}"])
    guard let answer, answer.status == 0 else {
      let isShallow = try run(["rev-parse", "--is-shallow-repository"]).output == "true"
      throw wrongUse(
        "\(option) \(revision): expected a commit, found no such revision"
          + (isShallow
            ? "; the clone is shallow: git fetch --unshallow fetches the others"
            : "; git log --oneline lists them"))
    }
    return answer.output
  }

  /// Returns `bad` and its ancestors without the ancestors of `goods`, the best to measure next first.
  func candidates(_ bad: String, _ goods: [String]) throws -> [String] {
    // Each line has a hash, its distance and its branches.
    try lines(["rev-list", "--bisect-all", bad] + goods.map { "^" + $0 })
      .compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  /// Returns all commits, each after its ancestors; where those leave a choice, the older date first.
  func commits() throws -> [Substring] {
    try output(of: ["rev-list", "--all", "--reflog", "--date-order", "--reverse"])
      .split(separator: "\n")
  }

  /// Returns the newest common ancestors of two commits.
  func mergeBases(_ one: String, _ other: String) throws -> [String] {
    let answer = try run(["merge-base", "--all", one, other])
    return answer.status == 0 ? answer.output.split(separator: "\n").map(String.init) : []
  }

  func facts(of commit: String) throws -> BisectReport.Commit {
    let lines = try lines(
      ["log", "-1", "--no-color", "--no-decorate", "--format=%H%n%aI%n%P%n%s%n.", commit])
    guard lines.count >= 5 else {
      throw childFailed("git log \(commit): expected facts of a commit, found none")
    }
    return BisectReport.Commit(
      hash: lines[0], authorDate: lines[1], subject: lines[3],
      parents: lines[2].split(separator: " ").map(String.init))
  }

  private func lines(_ words: [String]) throws -> [String] {
    Self.lines(try output(of: words))
  }

  /// Runs git and returns its output.
  /// - Parameter tree: another work tree; nil = the checkout.
  /// - Throws: a failed child, unless git succeeds.
  @discardableResult func output(
    of words: [String], in tree: String? = nil, variables: [String: String] = [:]
  ) throws -> String {
    // Otherwise settings of the repository may name any folder as the work tree.
    let place = tree.map { ["GIT_DIR": $0 + "/.git", "GIT_WORK_TREE": $0] } ?? [:]
    let answer = try Self.run(
      safe + words, in: tree ?? top, variables: variables.merging(place) { $1 },
      limit: tree == nil ? min(limit, .seconds(60)) : limit)
    guard answer.status == 0 else {
      throw childFailed("git \(words[0]): expected success, found \"\(answer.message)\"")
    }
    return answer.output
  }

  private func run(_ words: [String]) throws -> Answer {
    try Self.run(safe + words, in: top, limit: min(limit, .seconds(60)))
  }

  struct Answer {
    var status: Int32
    var output: String
    var message: String
  }

  static func run(
    _ words: [String], in folder: String, variables: [String: String] = [:], limit: Duration
  ) throws -> Answer {
    guard let git = HelperProgram.git.file() else {
      throw childFailed("expected git in PATH, found none; install git")
    }
    let run: ProgramRun
    do {
      run = try HelperProgram.git.start(
        git, ["-C", folder] + words, variables: variables, limit: limit)
    } catch let error as ChildProcess.LaunchError {
      throw childFailed("git \(words[0]): cannot be started: \(error.reason)")
    }
    var output = try FileHandle(fileDescriptor: run.output).readToEnd() ?? Data()
    if output.last == UInt8(ascii: "\n") { output.removeLast() }
    let ending = run.finish()
    guard case .exited(let status) = ending else {
      throw childFailed(
        "git \(words[0]): "
          + (ending == .tookTooLong
            ? "no answer after \(limit); is one of its files a pipe?" : "was killed"))
    }
    return Answer(
      status: status, output: String(decoding: output, as: UTF8.self), message: run.message)
  }
}
