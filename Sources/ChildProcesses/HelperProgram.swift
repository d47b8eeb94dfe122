import Foundation

/// A program that helps this one, started with its own configuration off.
///
/// It starts in `/`, where nobody leaves a file for it, and with a stated list of variables, so that
/// neither a folder of recordings nor a dot file has a say in what it does. Programs that are measured,
/// and the commands of the user, are not helpers: they have the user's environment and folder.
package struct HelperProgram: Sendable {
  package let name: String
  /// The arguments that come first and switch off what it would read by itself.
  package let switches: [String]
  /// Variables besides those that every helper has.
  private let variables: [String: String]

  package static let gpsbabel = HelperProgram("gpsbabel", switches: ["-p", "/dev/null"])
  package static let strip = HelperProgram("strip")
  package static let python = HelperProgram(
    "python3", switches: ["-I", "-B"],
    variables: ["MATPLOTLIBRC": "/dev/null", "MPLBACKEND": "Agg"])

  /// The measured program runs under it: it keeps its own folder, and its environment without
  /// ``valgrindVariables``.
  package static let valgrind = HelperProgram("valgrind", switches: ["--command-line-only=yes"])
  package static let valgrindVariables: [String: String?] = [
    "VALGRIND_OPTS": nil, "VALGRIND_LIB": nil, "DEBUGINFOD_URLS": nil,
  ]

  /// No hooks, file watchers, pagers, editors, or programs for signatures and passwords run, nothing is
  /// fetched, and no garbage is collected. Larger files than the limit of memory are not held, see Git's
  /// core.bigFileThreshold.
  package static let git = HelperProgram(
    "git",
    switches: [
      "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.pager=cat", "core.editor=false",
      "core.sshCommand=false", "credential.helper=",
      "gpg.program=false", "gpg.ssh.program=false", "gpg.x509.program=false",
      "protocol.allow=never", "safe.bareRepository=explicit", "gc.auto=0", "maintenance.auto=false",
      "log.showSignature=false", "advice.detachedHead=false", "worktree.useRelativePaths=false",
      "submodule.recurse=false", "checkout.workers=1", "i18n.logOutputEncoding=UTF-8",
      "core.quotePath=false",
    ].flatMap { ["-c", $0] },
    variables: [
      "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ATTR_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0",
      "GIT_ALLOC_LIMIT": "512m",
      "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "false", "GIT_PAGER": "cat", "GIT_EDITOR": "false",
    ])

  private init(_ name: String, switches: [String] = [], variables: [String: String] = [:]) {
    (self.name, self.switches, self.variables) = (name, switches, variables)
  }

  /// The program's file: the first in an absolute folder of the `PATH`; nil = it is not installed.
  package func file(
    path: String? = ProcessInfo.processInfo.environment["PATH"]
  ) -> String? {
    ProgramRun.candidates(named: name, path: path).first
  }

  /// The variables of a helper: languages and the time zone are those of the user, the `PATH` has only
  /// absolute folders, and no file is in its home folder. Nothing tells the system's loader, an
  /// interpreter or the helper what else to load.
  func environment(
    from own: [String: String] = ProcessInfo.processInfo.environment
  ) -> [String: String] {
    let folders = (own["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      .filter { $0.hasPrefix("/") }
    return own.filter { ["LANG", "LANGUAGE", "TZ"].contains($0.key) || $0.key.hasPrefix("LC_") }
      .merging(["PATH": folders.joined(separator: ":"), "HOME": "/dev/null"]) { $1 }
      .merging(variables) { $1 }
  }

  /// Starts the program, which writes nothing but its output and the files that its arguments name.
  ///
  /// - Parameters:
  ///   - file: see ``file(path:)``.
  ///   - arguments: those after the switches; paths are absolute.
  ///   - variables: further ones.
  package func start(
    _ file: String, _ arguments: [String], input: ChildProcess.Stream = .null,
    variables: [String: String] = [:], limit: Duration
  ) throws -> ProgramRun {
    try ProgramRun(
      file, switches + arguments, in: "/", input: input, inherits: false,
      variables: environment().merging(variables) { $1 }, limit: limit)
  }
}
