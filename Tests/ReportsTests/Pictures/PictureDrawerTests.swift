@testable import Reports
@testable import Results
@testable import Evaluation
import Diagnostics
import Foundation
import Results
import TestSupport
import Testing

/// With interpreters made of shell: what becomes of a picture must be told whatever Python does.
@Suite struct PictureDrawerTests {
  /// A program that stands for Python: it can import matplotlib, and draws what `drawing` says.
  private static func python(_ drawing: String, in scratch: Scratch) throws -> String {
    try program("case \"$4\" in 'import matplotlib') exit 0;; esac\n" + drawing, in: scratch)
  }

  private static func program(
    _ text: String, in scratch: Scratch, at name: String = "python"
  ) throws -> String {
    let url = scratch.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    return url.path
  }

  private static func drawer(
    _ python: String, limit: Duration = .seconds(60)
  ) throws -> PictureDrawer {
    try PictureDrawer(environment: ["SHADOWBOX_PYTHON": python], limit: limit)
  }

  private func failure(_ body: () throws -> Void) -> Failure? {
    do {
      try body()
      return nil
    } catch {
      return error as? Failure
    }
  }

  @Test func takesTheNamedInterpreterAndNoOther() throws {
    let scratch = try Scratch()
    let bad = try Self.program("echo no matplotlib here >&2; exit 1", in: scratch, at: "bad")
    let error = failure {
      _ = try PictureDrawer(
        environment: ["SHADOWBOX_PYTHON": bad, "PATH": "/usr/bin"], executable: nil)
    }
    #expect(error?.kind == .fileError)
    #expect(
      error?.description.contains("found \(bad) (no matplotlib here); run \"make .venv/installed\"")
        == true)
    let missing = failure { _ = try Self.drawer("/nowhere/python") }
    #expect(
      missing?.description.contains(
        "SHADOWBOX_PYTHON=/nowhere/python, which is no program that you may run") == true
    )
  }

  @Test func looksBesideTheProgramAndAboveItAndOnThePath() throws {
    let scratch = try Scratch()
    let above = try Self.program("exit 0", in: scratch, at: "project/.venv/bin/python")
    let onPath = try Self.program("exit 0", in: scratch, at: "bin/python3")
    let environment = ["PATH": "/nowhere:" + scratch.path("bin")]
    let executable = try Self.program("", in: scratch, at: "project/.build/release/shadowbox")
    #expect(
      try PictureDrawer(environment: environment, executable: executable).python
        == above)
    // One without matplotlib is passed over.
    _ = try Self.program("exit 1", in: scratch, at: "project/.venv/bin/python")
    #expect(
      try PictureDrawer(environment: environment, executable: executable).python
        == onPath)
    let error = failure {
      _ = try PictureDrawer(environment: ["PATH": ""], executable: nil)
    }
    #expect(
      error?.description.hasPrefix("a picture needs Python with matplotlib: found no python3; run")
        == true)
  }

  /// A folder such as /tmp may hold what somebody else made.
  @Test(.enabled(if: getuid() == 0, "needs the right to give files away"))
  func anEnvironmentOfSomebodyElseIsPassedOver() throws {
    let scratch = try Scratch()
    _ = try Self.program("exit 0", in: scratch, at: "project/.venv/bin/python")
    let executable = try Self.program("", in: scratch, at: "project/.build/release/shadowbox")
    func python() throws -> String {
      try PictureDrawer(environment: [:], executable: executable).python
    }
    #expect(try python() == scratch.path("project/.venv/bin/python"))
    #expect(chown(scratch.path("project/.venv"), 12_345, 0) == 0)
    #expect(throws: Failure.self) { try python() }
  }

  /// Such folders lie in the working directory, an empty one is it.
  @Test func relativeFoldersOfThePathAreNotSearched() throws {
    let scratch = try Scratch()
    _ = try Self.program("exit 0", in: scratch, at: "python3")
    let relative = String(repeating: "../", count: 30) + scratch.url.path.dropFirst()
    let error = failure {
      _ = try PictureDrawer(environment: ["PATH": ":.:\(relative)"], executable: nil)
    }
    #expect(error?.description.contains("found no python3;") == true)
  }

  @Test(
    arguments: [
      (
        "echo 'Traceback:' >&2; echo 'ValueError: x' >&2; exit 3",
        "found exit code 3: ValueError: x"
      ),
      ("exit 0", "found no output: without a message"),
      ("kill -SEGV $$", "found an end by signal 11"),
    ])
  func reportsTheError(drawing: String, expected: String) throws {
    let scratch = try Scratch()
    try scratch.write("old", to: "p.png")
    let drawer = try Self.drawer(Self.python(drawing, in: scratch))
    let error = failure { try drawer.draw(Samples.curve, to: scratch.path("p.png")) }
    #expect(error?.kind == .childFailed)
    #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
    #expect(try scratch.bytes(of: "p.png") == Data("old".utf8))
    #expect(scratch.names == ["p.png", "python"])
  }

  @Test func stopsAHangingInterpreter() throws {
    let scratch = try Scratch()
    let python = try Self.python("exec sleep 600", in: scratch)
    let drawer = try Self.drawer(python, limit: .milliseconds(200))
    let error = failure { try drawer.draw(Samples.curve, to: scratch.path("p.png")) }
    #expect(error?.description.contains("found no picture after 0.2 seconds") == true)
  }

  @Test func passesTheFiguresAndRenamesThePicture() throws {
    let scratch = try Scratch()
    // The script returns its input as the picture.
    let drawer = try Self.drawer(Self.python("cat", in: scratch))
    try drawer.draw(Samples.curve, to: scratch.path("new/p.svg"))
    #expect(try scratch.bytes(of: "new/p.svg") == Data(try jsonText(Samples.curve.document).utf8))
    // The format is an argument.
    let formats = try Self.drawer(Self.python("echo \"$5\"", in: scratch))
    try formats.draw(Samples.curve, to: scratch.path("p.PDF"))
    #expect(try scratch.bytes(of: "p.PDF") == Data("pdf\n".utf8))
  }

  @Test func refusesWhereItCannotWrite() throws {
    let scratch = try Scratch()
    try scratch.write("a file", to: "file")
    #expect(failure { _ = try OutputFiles().checked("p.jpg", .picture) }?.kind == .wrongUse)
    #expect(
      failure { _ = try OutputFiles().checked(scratch.path("file/p.png"), .picture) }?.kind
        == .fileError)
    let drawer = try Self.drawer(Self.python("cat", in: scratch))
    #expect(throws: (any Error).self) {
      try drawer.draw(Samples.curve, to: scratch.path("file/p.png"))
    }
  }
}
