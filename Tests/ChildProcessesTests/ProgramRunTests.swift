import ChildProcesses
import Foundation
import TestSupport
import Testing

/// Shell scripts that run to their end, whatever they do.
@Suite struct ProgramRunTests {
  private struct Outcome {
    var ending: ChildProcess.Ending
    var output: Data
    var message: String
    var text: String { String(decoding: output, as: UTF8.self) }
  }

  private func run(
    _ script: String, in folder: String? = nil, variables: [String: String?] = [:],
    limit: Duration = .seconds(60)
  ) throws -> Outcome {
    let run = try ProgramRun(
      "/bin/sh", ["-c", script], in: folder, variables: variables, limit: limit)
    let stream = FileHandle(fileDescriptor: run.output, closeOnDealloc: false)
    let output = try stream.readToEnd() ?? Data()
    return Outcome(ending: run.finish(), output: output, message: run.message)
  }

  @Test(
    arguments: [
      ("exit 0", .exited(0)), ("exit 3", .exited(3)), ("exit 255", .exited(255)),
      ("kill -SEGV $$", .killed(signal: SIGSEGV)), ("kill -KILL $$", .killed(signal: SIGKILL)),
    ] as [(String, ChildProcess.Ending)])
  func theEndingIsReported(script: String, ending: ChildProcess.Ending) throws {
    #expect(try run(script).ending == ending)
  }

  @Test func theStreamsAreSeparate() throws {
    let outcome = try run("echo out; echo ' why ' >&2; exit 1")
    #expect(outcome.text == "out\n" && outcome.message == "why")
  }

  /// Three times the size of the largest pipe.
  @Test func longOutputIsWhole() throws {
    let outcome = try run("head -c 3145728 /dev/zero; head -c 100000 /dev/zero >&2")
    #expect(outcome.output.count == 3_145_728 && outcome.ending == .exited(0))
    #expect(outcome.message.utf8.count == 16 << 10)
  }

  @Test func folderAndVariablesAreTheCallers() throws {
    let scratch = try Scratch()
    let folder = scratch.url.resolvingSymlinksInPath().path
    let outcome = try run(
      "pwd -P; echo \"$A ${HOME-none}\"; cat", in: folder, variables: ["A": "b c", "HOME": nil])
    // Its input is empty.
    #expect(outcome.text == "\(folder)\nb c none\n")
  }

  @Test func whatTakesTooLongIsKilled() throws {
    let outcome = try run("echo begun; exec sleep 600", limit: .milliseconds(200))
    #expect(outcome.ending == .tookTooLong && outcome.text == "begun\n")
  }

  #if os(Linux)
    /// Also if it keeps the output open.
    @Test func whatTheProgramHasStartedEndsWithIt() throws {
      let outcome = try run("sleep 600 & echo $!")
      #expect(outcome.ending == .exited(0))
      let process = outcome.text.trimmingCharacters(in: .newlines)
      func isRunning() -> Bool {
        let link = "/proc/\(process)/exe"
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil
      }
      // It is killed, but may not be gone yet.
      var patience = 2000
      while isRunning(), patience > 0 {
        usleep(1000)
        patience -= 1
      }
      #expect(!process.isEmpty && !isRunning())
    }
  #endif

  @Test func aProgramThatIsNotThereIsAnError() throws {
    let error = #expect(throws: ChildProcess.LaunchError.self) {
      try ProgramRun("/nowhere/program", [], limit: .seconds(1))
    }
    #expect(error?.number == ENOENT && error?.reason == "No such file or directory")
  }

  @Test func relativeFoldersOfThePathAreNotSearched() throws {
    let scratch = try Scratch()
    try scratch.write("#!/bin/sh\n", to: "tool", permissions: 0o755)
    try scratch.write("", to: "text")
    let path = ":.:/nowhere:\(scratch.url.path)"
    #expect(ProgramRun.candidates(named: "tool", path: path) == [scratch.path("tool")])
    #expect(ProgramRun.candidates(named: "text", path: path) == [])
    #expect(ProgramRun.candidates(named: "tool", path: "") == [])
  }
}
