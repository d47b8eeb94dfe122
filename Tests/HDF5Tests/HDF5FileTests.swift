import Foundation
import Testing

@testable import HDF5

@Suite struct HDF5FileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, values: [Int64] = [1, 2, 3]) throws {
    let file = try HDF5File.create(atomicallyAt: folder.file(name))
    let group = try file.root().createGroup("counts")
    try group.createDataset("count", of: Int64.self, shape: [values.count]).write(values)
    try group.setAttribute("units", "1")
    try file.commit()
  }

  @Test func aFileAppearsOnlyWhenItIsCommitted() throws {
    let file = try HDF5File.create(atomicallyAt: folder.file("a.h5"))
    #expect(try folder.content.count == 1)
    #expect(try folder.content[0].hasPrefix(".a.h5."))
    #expect(try folder.content[0].hasSuffix(".partial"))
    try file.commit()
    #expect(try folder.content == ["a.h5"])
  }

  /// A child process that is started meanwhile inherits the descriptor, and with it any lock, which
  /// would then outlive the commit and keep the finished file from being opened.
  @Test func aFileBeingWrittenIsNotLocked() throws {
    let file = try HDF5File.create(atomicallyAt: folder.file("a.h5"))
    let partial = try folder.file(#require(folder.content.first))
    let descriptor = open(partial, O_RDONLY)
    defer { close(descriptor) }
    #expect(descriptor >= 0)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0, "errno \(errno)")
    flock(descriptor, LOCK_UN)
    try file.commit()
    _ = try HDF5File.open(folder.file("a.h5"))
  }

  @Test func aReleasedFileLeavesNothing() throws {
    try write("a.h5", values: [7])
    do {
      let file = try HDF5File.create(atomicallyAt: folder.file("a.h5"))
      _ = try file.root().createDataset("x", of: Double.self, shape: [10])
    }
    #expect(try folder.content == ["a.h5"])
    let file = try HDF5File.open(folder.file("a.h5"))
    let values: [Int64] = try file.root().openGroup("counts").openDataset("count").read()
    #expect(values == [7])
  }

  @Test func aCommitReplacesTheFileOfThatName() throws {
    try write("a.h5", values: [1])
    try write("a.h5", values: [2, 3])
    let file = try HDF5File.open(folder.file("a.h5"))
    #expect(try file.root().openGroup("counts").openDataset("count").read() as [Int64] == [2, 3])
  }

  @Test func equalContentMakesEqualBytes() throws {
    let values = (0..<100_000).map { Int64($0 * $0 % 977) }
    try write("a.h5", values: values)
    // Times in a file would have whole seconds.
    Thread.sleep(forTimeInterval: 1.1)
    try write("b.h5", values: values)
    #expect(try folder.bytes("a.h5") == folder.bytes("b.h5"))
  }

  @Test func aClosedFileRefusesFurtherUse() throws {
    try write("a.h5")
    let file = try HDF5File.open(folder.file("a.h5"))
    let group = try file.root().openGroup("counts")
    try file.close()
    try file.close()
    #expect(throws: HDF5Error.self) { try file.root() }
    #expect(throws: HDF5Error.self) { try group.openDataset("count") }
    #expect(throws: HDF5Error.self) { try file.commit() }
  }

  @Test func theSystemsErrorNumberIsReported() throws {
    let absent = #expect(throws: HDF5Error.self) { try HDF5File.open(folder.file("absent.h5")) }
    #expect(absent?.errorNumber == ENOENT)
    let noFolder = #expect(throws: HDF5Error.self) {
      try HDF5File.create(atomicallyAt: folder.file("absent/a.h5"))
    }
    #expect(noFolder?.errorNumber == ENOENT)
    let isFolder = #expect(throws: HDF5Error.self) {
      try HDF5File.create(atomicallyAt: folder.path)
    }
    #expect(isFolder?.errorNumber == EISDIR)
    #expect(try folder.content == [])
  }

  @Test func aDeviceIsNotReplaced() {
    let error = #expect(throws: HDF5Error.self) {
      try HDF5File.create(atomicallyAt: "/dev/null")
    }
    #expect(error?.errorNumber == EEXIST)
  }

  /// `/dev/full` cannot be renamed onto, so the folder vanishes: commit has to report the same,
  /// that the file is not where it should be.
  @Test func aFailedCommitIsReportedAndLeavesNothing() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("inner"), withIntermediateDirectories: false)
    let file = try HDF5File.create(atomicallyAt: folder.file("inner/a.h5"))
    try FileManager.default.removeItem(atPath: folder.file("inner"))
    let error = #expect(throws: HDF5Error.self) { try file.commit() }
    #expect(error?.errorNumber == ENOENT)
    #expect(try folder.content == [])
  }

  /// An error of a dataset while it was released must not be lost.
  @Test func anErrorThatNobodyCouldCatchIsReportedByClose() throws {
    let file = try HDF5File.create(atomicallyAt: folder.file("a.h5"))
    file.noteLateError(HDF5Error(operation: "H5Dclose", file: "a.h5", reason: "disk full"))
    let error = #expect(throws: HDF5Error.self) { try file.commit() }
    #expect(error?.operation == "H5Dclose")
    #expect(try folder.content == [])
  }

  @Test func theWholeErrorStackIsReported() throws {
    let path = folder.file("text.h5")
    try Data("no HDF5 at all, whatever its name says".utf8).write(to: URL(fileURLWithPath: path))
    let error = try #require(#expect(throws: HDF5Error.self) { try HDF5File.open(path) })
    #expect(error.operation == "H5Fopen")
    #expect(error.file == path)
    #expect(error.stack.count >= 3)
    #expect(error.stack.first?.function == "H5Fopen")
    #expect(error.stack.last?.minor == "Not an HDF5 file")
    #expect(error.reason == error.stack.last?.message)
    let lines = error.description.split(separator: "\n")
    #expect(lines.count == error.stack.count + 1)
    #expect(lines[0].hasPrefix("\(path): H5Fopen: "))
    #expect(lines[1].hasPrefix("  H5Fopen: "))
  }

  @Test func noThreadPrintsErrors() async {
    let silent = await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: HDF5Library.isSilent) }.start()
    }
    #expect(silent)
    #expect(HDF5Library.isSilent)
  }

  @Test func manyThreadsMayUseTheLibraryAtOnce() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          let values = (0..<5000).map { Int64($0 &* number) }
          try write("\(number).h5", values: values)
          let file = try HDF5File.open(folder.file("\(number).h5"))
          let read: [Int64] = try file.root().openGroup("counts").openDataset("count").read()
          #expect(read == values)
          #expect(throws: HDF5Error.self) { try HDF5File.open(folder.file("absent")) }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func cutOffFilesAreErrors() throws {
    try write("a.h5", values: (0..<4000).map { Int64($0) })
    let whole = try folder.bytes("a.h5")
    for length in stride(from: 0, to: whole.count, by: 97) {
      try whole.prefix(length).write(to: URL(fileURLWithPath: folder.file("cut.h5")))
      #expect(throws: HDF5Error.self, "cut to \(length) of \(whole.count) bytes") {
        try HDF5File.open(folder.file("cut.h5"))
      }
    }
  }
}

extension TemporaryFolder: @unchecked Sendable {}
