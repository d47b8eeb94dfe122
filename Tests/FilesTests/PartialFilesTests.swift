import Foundation
import HDF5
import Testing

@testable import Files

/// A process has one list of partial files, so each test runs in its own process.
@Suite struct PartialFilesTests {
  @Test func onlyListedFilesAreRemoved() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      for name in ["listed", "forgotten", "other"] {
        try Data().write(to: URL(fileURLWithPath: folder.file(name)))
      }
      PartialFiles.insert(folder.file("listed"))
      PartialFiles.insert(folder.file("absent"))
      PartialFiles.insert(folder.file("forgotten"))
      PartialFiles.remove(folder.file("forgotten"))
      PartialFiles.remove(folder.file("never listed"))
      PartialFiles.removeAll()
      #expect(try folder.content == ["forgotten", "other"])
      try Data().write(to: URL(fileURLWithPath: folder.file("listed")))
      PartialFiles.removeAll()
      #expect(try folder.content == ["forgotten", "listed", "other"])
    }
  }

  @Test func anInterruptedFileLeavesNothing() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try HDF5File.create(atomicallyAt: folder.file("whole.h5")).commit()
      let file = try HDF5File.create(atomicallyAt: folder.file("a.h5"))
      #expect(try folder.content.count == 2)
      PartialFiles.removeAll()
      #expect(try folder.content == ["whole.h5"])
      let error = #expect(throws: HDF5Error.self) { try file.commit() }
      #expect(error?.errorNumber == ENOENT)
      #expect(try folder.content == ["whole.h5"])
    }
  }

  /// A finished file must not be listed, because another file may have its name by then.
  @Test(arguments: [true, false])
  func aFinishedFileIsNotListed(isCommitted: Bool) async {
    await #expect(processExitsWith: .success) { [isCommitted] in
      let folder = try TemporaryFolder()
      let file = try HDF5File.create(atomicallyAt: folder.file("a.h5"))
      let partial = try #require(try folder.content.first)
      if isCommitted { try file.commit() } else { try file.close() }
      try Data().write(to: URL(fileURLWithPath: folder.file(partial)))
      PartialFiles.removeAll()
      #expect(try folder.content == [partial] + (isCommitted ? ["a.h5"] : []))
    }
  }

  @Test func manyThreadsMayListFiles() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask {
            let path = folder.file("\(number)")
            PartialFiles.insert(path)
            try? Data().write(to: URL(fileURLWithPath: path))
            if number % 2 == 0 { PartialFiles.remove(path) }
          }
        }
      }
      PartialFiles.removeAll()
      #expect(try Set(folder.content) == Set((0..<100).map { "\($0 * 2)" }))
    }
  }

  /// Each thread removes leftovers, which may be files that another thread has just created.
  @Test func manyThreadsMayWriteTheSameFile() async throws {
    let folder = try TemporaryFolder()
    let failures = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var failures: [String] = []
          for _ in 0..<2000 {
            do throws(SystemError) {
              try PartialFile(beside: folder.file("a")).commit()
            } catch {
              failures.append("\(error)")
            }
          }
          return failures
        }
      }
      return await group.reduce([], +)
    }
    #expect(failures.isEmpty, "\(failures.count), e.g. \(failures.first ?? "")")
    #expect(try folder.content == ["a"])
  }

  /// A file removed before it is opened again would be recreated without a lock.
  @Test func aFileRemovedMeanwhileIsCreatedAgain() throws {
    let folder = try TemporaryFolder()
    var opened: [String] = []
    var closed: [String] = []
    let file = try PartialFile.opened(
      beside: folder.file("a"), orThrow: { $0 },
      opening: { path throws(SystemError) in
        if opened.isEmpty { for name in (try? folder.content) ?? [] { unlink(folder.file(name)) } }
        opened.append(path)
        return path
      }, closing: { closed.append($0) })
    #expect(opened.count == 2 && closed == [opened[0]] && file.opened == opened[1])
    #expect(try folder.content.map(folder.file) == [file.partial.path])
    try file.partial.commit()
    #expect(try folder.content == ["a"])
  }

  @Test func aFileThatIsAlwaysRemovedIsAnError() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: SystemError.self) {
      try PartialFile.opened(
        beside: folder.file("a"), orThrow: { $0 },
        opening: { _ throws(SystemError) in
          for name in (try? folder.content) ?? [] { unlink(folder.file(name)) }
        },
        closing: { _ in })
    }
    #expect(error?.number == EBUSY)
    #expect(try folder.content.isEmpty)
  }

  /// Another user of the folder may put a link in the file's place.
  @Test func aLinkPutThereMeanwhileIsNotFollowed() throws {
    let folder = try TemporaryFolder()
    let own = folder.file("own")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: own))
    let error = #expect(throws: SystemError.self) {
      try PartialFile.opened(
        beside: folder.file("a"), orThrow: { $0 },
        opening: { path throws(SystemError) in
          for name in (try? folder.content) ?? [] where name.hasSuffix(".partial") {
            unlink(folder.file(name))
            symlink(own, folder.file(name))
          }
          close(open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600))
        }, closing: { _ in })
    }
    #expect(error?.number == EBUSY)
    #expect(try Data(contentsOf: URL(fileURLWithPath: own)) == Data("mine".utf8))
  }
}
