import Foundation
import TestSupport
import Testing

@testable import ChildProcesses

/// Helpers read no configuration but what this program gives them.
@Suite struct HelperProgramTests {
  private static let helpers: [HelperProgram] = [.gpsbabel, .strip, .python, .git]
  private static let common = ["HOME", "LANG", "LANGUAGE", "PATH", "TZ"]

  private func output(_ run: ProgramRun) throws -> String {
    let stream = FileHandle(fileDescriptor: run.output, closeOnDealloc: false)
    let bytes = try stream.readToEnd() ?? Data()
    #expect(run.finish() == .exited(0), "\(run.message)")
    return String(decoding: bytes, as: UTF8.self)
  }

  /// With a script in its place: what it sees.
  @Test(arguments: helpers.map(\.name)) func startsWithStatedVariables(name: String) throws {
    let helper = try #require(Self.helpers.first { $0.name == name })
    let scratch = try Scratch()
    try scratch.write("#!/bin/sh\npwd; env\n", to: name, permissions: 0o755)
    let lines = try output(helper.start(scratch.path(name), [], limit: .seconds(60)))
      .split(separator: "\n")
    #expect(lines.first == "/")
    // The shell adds two of its own.
    let own = Self.common + helper.environment(from: [:]).keys + ["PWD", "SHLVL", "_"]
    let names = lines.dropFirst().map { String($0.prefix { $0 != "=" }) }
    #expect(names.allSatisfy { own.contains($0) || $0.hasPrefix("LC_") }, "\(names)")
  }

  @Test(arguments: [
    "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "GCONV_PATH", "LOCPATH", "NLSPATH", "BASH_ENV",
    "ENV", "IFS", "GIT_DIR", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS",
    "GIT_EXEC_PATH", "GIT_TRACE", "GIT_TRACE2_EVENT", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND",
    "XDG_CONFIG_HOME", "SSH_ASKPASS", "PAGER", "LESSOPEN", "PYTHONPATH", "PYTHONSTARTUP",
    "PYTHONHOME", "PYTHONINSPECT", "MPLCONFIGDIR", "GPSBABELINI", "QT_PLUGIN_PATH",
    "VALGRIND_OPTS", "NODE_OPTIONS", "DEBUGINFOD_URLS", "TMPDIR",
  ])
  func passesNothingElseOn(variable: String) {
    for helper in Self.helpers {
      #expect(helper.environment(from: [variable: "x"])[variable] == nil, "\(helper.name)")
    }
  }

  @Test func passesOnLanguageAndAbsoluteFolders() {
    let own = [
      "PATH": ".:/usr/bin::bin:/bin", "LANG": "C.UTF-8", "LC_TIME": "C", "TZ": "UTC", "HOME": "/x",
    ]
    #expect(
      HelperProgram.strip.environment(from: own) == [
        "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "LC_TIME": "C", "TZ": "UTC",
        "HOME": "/dev/null",
      ])
    #expect(HelperProgram.strip.environment(from: [:])["PATH"] == "/usr/bin:/bin")
    #expect(HelperProgram.git.environment(from: own)["GIT_ALLOW_PROTOCOL"] == "none")
  }

  /// The home folder has settings, and so has the folder of Python's temporary files.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["SHADOWBOX_PYTHON"] != nil, "needs matplotlib"))
  func pythonReadsNoSettings() throws {
    let scratch = try Scratch()
    try scratch.write("raise SystemExit('started')", to: "matplotlib.py")
    try scratch.write("raise SystemExit('started')", to: "usercustomize.py")
    try FileManager.default.createDirectory(
      atPath: scratch.path(".config/matplotlib"), withIntermediateDirectories: true)
    try scratch.write("savefig.dpi: 13", to: ".config/matplotlib/matplotlibrc")
    let python = try #require(ProcessInfo.processInfo.environment["SHADOWBOX_PYTHON"])
    let script = "import matplotlib as m; print(m.matplotlib_fname(), m.rcParams['savefig.dpi'])"
    let run = try HelperProgram.python.start(
      python, ["-c", script], variables: ["HOME": scratch.url.path], limit: .seconds(60))
    #expect(try output(run) == "/dev/null figure\n")
  }

  /// The folder of the measured program, and the home folder, name a file to write.
  @Test(.enabled(if: HelperProgram.valgrind.file() != nil, "valgrind is not installed"))
  func valgrindReadsNoSettings() throws {
    let scratch = try Scratch()
    try scratch.write("mine", to: "victim")
    try scratch.write("--log-file=\(scratch.path("victim"))\n", to: ".valgrindrc")
    let valgrind = try #require(HelperProgram.valgrind.file())
    let run = try ProgramRun(
      valgrind, HelperProgram.valgrind.switches + ["-q", "--tool=none", "/bin/true"],
      in: scratch.url.path,
      variables: HelperProgram.valgrindVariables.merging(["HOME": scratch.url.path]) { $1 },
      limit: .seconds(60))
    _ = try output(run)
    #expect(try scratch.text(of: "victim") == "mine")
    #expect(
      HelperProgram.valgrindVariables.keys.sorted()
        == ["DEBUGINFOD_URLS", "VALGRIND_LIB", "VALGRIND_OPTS"])
  }
}
