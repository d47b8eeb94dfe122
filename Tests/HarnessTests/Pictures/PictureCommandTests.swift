import Foundation
import TestSupport
import Testing

/// Pictures as commands draw them: only with `SHADOWBOX_PYTHON`, as `make test` sets it.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SHADOWBOX_PYTHON"] != nil))
struct PictureCommandTests {
  /// Files in the working directory are neither run nor imported.
  @Test func nothingInTheWorkingDirectoryMatters() throws {
    let scratch = try Scratch()
    for module in ["json", "textwrap", "sitecustomize", "matplotlib"] {
      try scratch.write("open('/tmp/no-such-folder', 'w')", to: "\(module).py")
    }
    try scratch.write("backend: nonsense\nfigure.dpi: nonsense\n", to: "matplotlibrc")
    try FileManager.default.createDirectory(
      atPath: scratch.path(".venv/bin"), withIntermediateDirectories: true)
    try scratch.write("#!/bin/sh\n: > started\n", to: ".venv/bin/python", permissions: 0o755)
    let trace = Fixtures.traces.appending(path: "synthetic/punch-s01-left.h5").path
    let outcome = try Program.run(
      ["sweep", trace, "--quiet", "--picture", "p.svg"], in: scratch.url)
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
    #expect(scratch.names.contains("p.svg") && !scratch.names.contains("started"))
    let above = try Program.launch(
      "env", ["-u", "SHADOWBOX_PYTHON", Program.executable, "sweep", trace, "--picture", "q.svg"],
      in: scratch.url)
    #expect(!scratch.names.contains("started"), "\(above.errors)")
  }
}
