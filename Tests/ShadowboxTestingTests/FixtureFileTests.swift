import Foundation
import ShadowboxTesting
import Testing
import TraceFixtures
import TraceModel

@Suite struct FixtureFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "shadowbox-fixtures-\(UUID().uuidString)")

  private func write(_ bytes: [UInt8], to name: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: folder.appending(path: name))
  }

  @Test func aFolderIsReadInTheOrderOfNames() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for number in [3, 1, 2] {
      try write(Knocks.person(number).fixture(), to: "\(number).trace")
    }
    try write(Array("other".utf8), to: "notes.txt")
    try write(Array("other".utf8), to: ".hidden.trace")
    let traces = try Trace.fixtures(in: folder.path)
    #expect(traces == (1...3).map { Knocks.person($0) })
    #expect(try Trace(fixtureAt: folder.path + "/2.trace") == Knocks.person(2))
  }

  @Test func whatCannotBeReadIsNamed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write([0xFF], to: "a.txt")
    let path = folder.path
    func error(_ body: () throws -> Void) -> String? {
      (#expect(throws: TraceError.self) { try body() })?.description
    }
    #expect(
      error { _ = try Trace(fixtureAt: path + "/none.trace") }?.contains(
        "none.trace: expected a fixture, found No such file") == true)
    #expect(error { _ = try Trace(fixtureAt: path) }?.contains("Is a directory") == true)
    #expect(
      error { _ = try Trace.fixtures(in: path) }?.contains("expected files *.trace, found none")
        == true)
    #expect(
      error { _ = try Trace.fixtures(in: path + "/none") }?.contains("a folder of fixtures") == true
    )
    #expect(
      error { _ = try Trace(fixtureAt: path + "/a.txt") }?.contains(
        "a.txt:1: expected \"shadowbox-fixture/1\"") == true)
  }
}
