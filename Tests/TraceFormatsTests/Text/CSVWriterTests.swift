import Foundation
import Testing
import TraceModel

@testable import TraceFormats

/// A directory that goes with the test.
struct TemporaryDirectory: ~Copyable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "shadowbox-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
  }
}

@Suite struct CSVWriterTests {
  static func text(_ block: ChannelBlock, _ channel: Channel) throws -> String {
    var text = ""
    try CSVWriter.write(block, of: channel) { line in text += line }
    return text
  }

  @Test func writesEachKindOfChannel() throws {
    let times = TimeColumns(measured: [-2_000_000, 1_000_000_000])
    let late = TimeColumns(measured: [0, 5], arrived: [7, 8])
    let vectors = VectorColumns(times: times, x: [0.1, .nan], y: [-0.0, 1e-20], z: [3, 4])
    #expect(
      try Self.text(.vector(vectors), .acceleration)
        == "time_ns,time_s,x,y,z\n-2000000,-0.002,0.1,-0.0,3.0\n1000000000,1,NaN,1e-20,4.0\n")
    let fixes = FixColumns(
      times: late,
      values: [Fix(latitude: 1.5, longitude: -2, speed: -1), Fix(latitude: 0, longitude: 0)])
    #expect(
      try Self.text(.fix(fixes), .location) == """
        time_ns,time_s,arrived_ns,latitude,longitude,altitude,horizontal_accuracy,speed,\
        speed_accuracy,course
        0,0,7,1.5,-2.0,,,-1.0,,
        5,0.000000005,8,0.0,0.0,,,,,

        """)
    let scalars = ScalarColumns(
      times: times, values: [Scalar(value: 1), Scalar(value: 2, accuracy: 3)])
    #expect(
      try Self.text(.scalar(scalars), .heading)
        == "time_ns,time_s,heading,heading_accuracy\n-2000000,-0.002,1.0,\n1000000000,1,2.0,3.0\n")
    let heartbeats = HeartbeatColumns(
      times: late, values: [Heartbeat(peer: 3, sequence: 9), Heartbeat(peer: -4)])
    #expect(
      try Self.text(.heartbeat(heartbeats), .heartbeat)
        == "time_ns,time_s,arrived_ns,peer,sequence\n0,0,7,3,9\n5,0.000000005,8,-4,-1\n")
    let actions = ActionColumns(times: late, values: [.arm, .continue])
    #expect(
      try Self.text(.action(actions), .action)
        == "time_ns,time_s,arrived_ns,action\n0,0,7,arm\n5,0.000000005,8,continue\n")
  }

  /// A trace with values that are hard to write in every column.
  static func randomTrace(_ generator: inout SeededGenerator) -> Trace {
    let count = Int(generator.next() % 50) + 1
    var trace = Trace(header: TraceHeader(id: "trace", origin: .recorded))
    func value() -> Double {
      generator.normal(mean: 0, standardDeviation: 90).remainder(dividingBy: 180) / 2
    }
    func optional() -> Double { generator.next() % 3 == 0 ? .nan : value() }
    let measured = (0..<count).map { Int64($0) * 19_923_173 }
    let arrived = measured.map { $0 + Int64(generator.next() % 1_000_000) }
    for channel in Channel.allCases where channel != .action {
      let times = TimeColumns(measured: measured, arrived: channel == .pressure ? nil : arrived)
      switch ChannelBlock(emptyFor: channel) {
      case .vector:
        let axes = (0..<3).map { _ in (0..<count).map { _ in Float(value()) } }
        trace.set(
          .vector(VectorColumns(times: times, x: axes[0], y: axes[1], z: axes[2])), for: channel)
      case .fix:
        let fixes = (0..<count).map { _ in
          Fix(
            latitude: value(), longitude: value(), altitude: optional(),
            horizontalAccuracy: optional(), speed: optional(), speedAccuracy: optional(),
            course: optional())
        }
        trace.set(.fix(FixColumns(times: times, values: fixes)), for: channel)
      case .local:
        let positions = (0..<count).map { _ in LocalPosition(x: value(), y: value()) }
        trace.set(.local(LocalColumns(times: times, values: positions)), for: channel)
      case .heartbeat:
        let heartbeats = (0..<count).map { _ in
          Heartbeat(
            peer: Int32(truncatingIfNeeded: generator.next() >> 33),
            sequence: Int64(generator.next() >> 11) - 1)
        }
        trace.set(
          .heartbeat(HeartbeatColumns(times: times, values: heartbeats)), for: channel)
      case .touch:
        let touches = (0..<count).map { row in
          Touch(
            x: value(), y: value(), phase: Touch.Phase.allCases[row % 4],
            pointer: Int32(truncatingIfNeeded: generator.next() >> 33))
        }
        trace.set(.touch(TouchColumns(times: times, values: touches)), for: channel)
      case .scalar, .action:
        let scalars = (0..<count).map { _ in
          Scalar(value: value(), accuracy: channel == .heading ? optional() : .nan)
        }
        trace.set(.scalar(ScalarColumns(times: times, values: scalars)), for: channel)
      }
    }
    return trace
  }

  @Test func whatIsWrittenReadsBackTheSame() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/trace.csv"
    for seed in UInt64(0)..<20 {
      var generator = SeededGenerator(seed: seed)
      let trace = Self.randomTrace(&generator)
      for channel in trace.header.channels.map(\.channel) {
        try CSVWriter.write(trace, channel: channel, to: path)
        let mapping: CSVMapping = try #require(CSVWriter.mapping(for: channel, of: trace))
        var options = CSVOptions(mapping: mapping)
        options.channel = ChannelBlock(emptyFor: channel).isVector ? channel : nil
        let read = try CSVReader.read(path, options: options)[0].trace
        // Compared as text, in which NaN equals NaN.
        let (written, found) = (trace[channel], read[channel])
        #expect("\(found as Any)" == "\(written as Any)", "seed \(seed), \(channel.name)")
      }
    }
    #expect(directory.names == ["trace.csv"])
  }

  @Test func refusesAChannelThatIsNotThere() {
    let trace = Trace(header: TraceHeader(id: "walk", origin: .recorded))
    #expect(
      message { try CSVWriter.write(trace, channel: .location, to: "/nonexistent/a.csv") }
        == "walk: expected the channel location, found no channels")
  }

  @Test func leavesNothingBehindWhenItFails() throws {
    let directory = try TemporaryDirectory()
    var generator = SeededGenerator(seed: 1)
    let trace = Self.randomTrace(&generator)
    let missing = directory.path + "/none/a.csv"
    #expect(
      message { try CSVWriter.write(trace, channel: .location, to: missing) }
        == "\(missing): expected to create the file, found \"No such file or directory\"; check "
        + "that its folder is writable")
    // With a directory in the file's place, writing succeeds and renaming fails.
    let taken = directory.path + "/taken"
    try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
    #expect(
      message { try CSVWriter.write(trace, channel: .location, to: taken) }
        == "\(taken): expected to write the file, found \"Is a directory\"; check the path and "
        + "the free disk space")
    #expect(directory.names == ["taken"])
  }
}

extension ChannelBlock {
  fileprivate var isVector: Bool {
    if case .vector = self { true } else { false }
  }
}
