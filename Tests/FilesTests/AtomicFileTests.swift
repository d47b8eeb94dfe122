import Foundation
import Testing
import TraceModel

@testable import Files

@Suite struct AtomicFileTests {
  /// The list of partial files belongs to a whole process, so the test runs in a separate one.
  @Test func leavesNothingBehindWhenItIsInterrupted() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let (path, beside) = (folder.file("a.csv"), folder.file("beside"))
      let whole = try AtomicFile(path: path, temporaryPath: beside)
      try whole.write("text")
      try whole.commit()
      // The temporary name is free again.
      try Data().write(to: URL(fileURLWithPath: beside))
      PartialFiles.removeAll()
      #expect(try folder.content == ["a.csv", "beside"])
      let broken = try AtomicFile(path: path, temporaryPath: folder.file("other"))
      try broken.write("more")
      #expect(try folder.content == ["a.csv", "beside", "other"])
      PartialFiles.removeAll()
      #expect(try folder.content == ["a.csv", "beside"])
      #expect(
        message { try broken.commit() }
          == "\(path): expected to write the file, found \"No such file or directory\"; check the "
          + "path and the free disk space")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
    }
  }

  #if os(Linux)
    @Test func reportsAFullDisk() throws {
      // A link to the device on which every write fails because of missing space.
      let folder = try TemporaryFolder()
      let (path, beside) = (folder.file("a.csv"), folder.file("beside"))
      try FileManager.default.createSymbolicLink(
        atPath: beside, withDestinationPath: "/dev/full")
      let file = try AtomicFile(path: path, temporaryPath: beside)
      #expect(
        message {
          try file.write("text")
          try file.commit()
        } == "\(path): expected to write the file, found \"No space left on device\"; check the "
          + "path and the free disk space")
    }
  #endif
}
