@testable import Evaluation
import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// Native traces are read in a process of their own.
@Suite struct NativeFileTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fixtures").standardized

  private func process() throws -> NativeReaderProcess {
    try NativeReaderProcess(program: Program.executable)
  }

  /// NaN equals NaN here.
  private func described(_ trace: Trace) throws -> String {
    let encoder = ReadingReply.encoder
    encoder.outputFormatting = .sortedKeys
    let header = String(decoding: try encoder.encode(trace.header), as: UTF8.self)
    return trace.header.channels.reduce(header) { "\($0) \(trace[$1.channel] as Any)" }
  }

  @Test func whatIsHandedOverIsWhatWasRead() throws {
    let scratch = try Scratch()
    let folder = Fixtures.traces
    let recorded = ["recorded/cerknicko-jezero.h5", "synthetic/punch-s01-right.h5"]
    var paths = recorded.map { folder.appending(path: $0).path }
    var trace = try NativeTrace.read(paths[0])
    trace.header.track = ReferenceTrack(times: [0, 5], latitudes: [1, .nan], longitudes: [2, 3])
    trace.header.ignoreZones = [IgnoreZone(onset: .zero, offset: TraceInstant(nanoseconds: 9))]
    trace.header.places = [Place(id: 3, latitude: 1, longitude: 2, radius: .nan, rank: 4)]
    trace.header.seed = .max
    trace.header.subject = "a \"quoted\"\n\u{1F94A} name"
    trace.header.references = [
      ReferenceSet(task: .punch, events: [ReferenceEvent(onset: .zero, label: "jab", place: 3)])
    ]
    trace.set(
      .heartbeat(
        HeartbeatColumns(
          times: TimeColumns(measured: [1, 2], arrived: [3, 3]),
          values: [Heartbeat(peer: 1), Heartbeat(peer: 2, sequence: 7)])), for: .heartbeat)
    trace.set(
      .action(ActionColumns(times: TimeColumns(measured: [4]), values: [.confirm])), for: .action)
    try NativeTrace.write(trace, to: scratch.path("full.h5"))
    paths.append(scratch.path("full.h5"))
    let reader = try process()
    // One process reads them all.
    for path in paths {
      var unread: [String] = []
      let expected = try NativeTrace.read(path, unread: &unread)
      let (found, names) = try reader.read(path, memory: NativeFile.memory)
      #expect(try described(found) == described(expected) && names == unread)
    }
    let foreign = Self.fixtures.appending(path: "oldest-format.h5").path
    var unread: [String] = []
    _ = try? NativeTrace.read(foreign, unread: &unread)
    #expect(try reader.read(foreign, memory: NativeFile.memory).unread == unread)
  }

  @Test func anErrorOfTheReaderIsHandedOver() throws {
    let path = "no such file.h5"
    let expected = #expect(throws: TraceError.self) { try NativeTrace.read(path) }
    let reader = try process()
    let found = #expect(throws: TraceError.self) { try reader.read(path, memory: 1 << 30) }
    #expect(found == expected)
  }

  /// libhdf5 1.10.8 dies of these two; another version may find the damage itself.
  @Test(arguments: ["fill-value", "text"])
  func aFileOnWhichTheLibraryGivesWayIsToldAsDamaged(name: String) throws {
    let scratch = try Scratch()
    let path = Self.fixtures.appending(path: "damaged/\(name).h5").path
    let good = Fixtures.traces.appending(path: "synthetic/punch-s01-right.h5").path
    for arguments in [
      ["info", path], ["info", good, path], ["replay", path, "--rate", "max"],
      ["convert", path, "-o", "new.h5"],
    ] {
      let outcome = try Program.run(arguments, in: scratch.url)
      #expect(outcome.status == 65, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.hasPrefix("error: \(path)"), "\(outcome.errors)")
      #expect(outcome.output.isEmpty != arguments.contains(good), "\(outcome.output)")
    }
    #expect(scratch.names == [])
  }

  /// Its columns are larger than what it may take.
  @Test(.longer) func memoryIsBounded() throws {
    let scratch = try Scratch()
    let path = scratch.path("still.h5")
    var trace = Trace(header: TraceHeader(id: "still", origin: .recorded))
    let count = LongTests.count(quick: 2_000_000, long: 20_000_000)
    trace.header.end = TraceInstant(nanoseconds: Int64(count) * 10_000_000)
    let still = [Float](repeating: 0, count: count)
    trace.set(
      .vector(
        VectorColumns(
          times: TimeColumns(measured: (0..<Int64(count)).map { $0 * 10_000_000 }), x: still,
          y: still, z: still)), for: .userAcceleration)
    try NativeTrace.write(trace, to: path)
    let error = #expect(throws: TraceError.self) { try process().read(path, memory: 1 << 20) }
    #expect(error?.place.hasPrefix(path) == true && error?.kind == .badData)
    #expect(try process().read(path, memory: 2 << 30).0[.userAcceleration]?.count == count)
  }
}
