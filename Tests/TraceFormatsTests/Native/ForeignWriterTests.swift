import Foundation
import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

/// A trace that another program wrote according to `traces/FORMAT.md`: texts of variable length,
/// wider numbers, columns left out, no dimension scales.
@Suite struct ForeignWriterTests {
  private let folder: NativeTestFolder

  init() throws {
    folder = try NativeTestFolder()
    // Tests/Fixtures/by_h5py.py made it.
    try folder.write(Data(contentsOf: Fixtures.folder.appending(path: "by-h5py.h5")), to: "a.h5")
  }

  @Test func itsReadingsAreRead() throws {
    let trace = try NativeTrace.read(folder.file("a.h5"))
    let block = try #require(trace[.acceleration])
    #expect(block.measuredTimes == [0, 10_000_000, 20_000_000])
    #expect(block.value(at: 1) == .vector(Vector3(x: -1.25, y: 1, z: 9.5)))
    guard case .vector(let last) = block.value(at: 2) else { return }
    #expect(last.x.isNaN && last.z == 9.25)
  }

  @Test func itsHeaderIsRead() throws {
    let header = try NativeTrace.readHeader(folder.file("a.h5"))
    #expect(header.id == "by-h5py")
    #expect(header.subject == "Jürg")
    #expect(header.origin == .recorded)
    #expect(header.isEpochKnown)
    #expect(header.seed == nil)
    #expect(header.end == TraceInstant(nanoseconds: 30_000_000))
    #expect(header.device == "" && header.handedness == .unknown)
  }

  @Test func itsHeartbeatsAreReadWithoutACounter() throws {
    let block = try #require(try NativeTrace.read(folder.file("a.h5"))[.heartbeat])
    #expect(block.measuredTimes == [1, 2] && block.arrivedTimes == [4, 4])
    #expect(block.value(at: 0) == .heartbeat(Heartbeat(peer: 7)))
    #expect(block.value(at: 1) == .heartbeat(Heartbeat(peer: -1, sequence: -1)))
  }

  @Test func itsReferencesAreRead() throws {
    let punches = try #require(try NativeTrace.readHeader(folder.file("a.h5")).reference(.punch))
    #expect(punches.tolerance == .milliseconds(250))
    #expect(punches.events.map(\.onset.nanoseconds) == [5, 15])
    #expect(punches.events.map(\.offset.nanoseconds) == [6, 15])
    #expect(punches.events.map(\.label) == ["left hook", ""])
    #expect(punches.events.map(\.originalLabel) == ["left hook", ""])
    #expect(punches.events.allSatisfy { $0.hand == .unknown && $0.place == nil })
    #expect(punches.events.map(\.value.isNaN) == [true, true])
  }
}
