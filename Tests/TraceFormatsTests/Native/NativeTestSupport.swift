import Foundation
import TraceModel

/// A folder for one test, removed afterwards.
final class NativeTestFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "shadowbox-native-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: file(name)))
  }

  func write(_ bytes: Data, to name: String) throws {
    try bytes.write(to: URL(fileURLWithPath: file(name)))
  }

  var content: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

extension Trace {
  /// A trace with one of everything: small enough to damage it in many places, and with one channel
  /// that is long enough to be stored in compressed chunks.
  static var sampler: Trace {
    var trace = Trace(header: .sampler)
    let times = (0..<1500).map { Int64($0) * 20_000_000 }
    trace.set(
      .vector(
        VectorColumns(
          times: TimeColumns(measured: times), x: times.map { Float($0 % 7) / 8 },
          y: times.map { Float($0 % 11) - 0.1 }, z: times.map { _ in 9.80665 })),
      for: .acceleration)
    trace.set(
      .vector(
        VectorColumns(
          times: TimeColumns(measured: [0, 5, 5, 3], arrived: [10, 10, 10, 11]),
          x: [1, .nan, -.infinity, -0.0], y: [0, 1, 2, 3], z: [.leastNonzeroMagnitude, 1, 2, 3])),
      for: .userAcceleration, attributes: ["gravity_removal": "low pass at 0.3 Hz"])
    trace.set(.vector(VectorColumns()), for: .rotationRate)
    trace.set(
      .fix(
        FixColumns(
          times: TimeColumns(measured: [1_000_000_000, 2_000_000_001]),
          values: [
            Fix(
              latitude: 47.376_886_123_456, longitude: 8.541_694_987_654, altitude: 408.5,
              horizontalAccuracy: -1, speed: 1.25, speedAccuracy: 0.5, course: 359.9),
            Fix(latitude: -90, longitude: 180),
          ])), for: .location)
    trace.set(
      .local(
        LocalColumns(
          times: TimeColumns(measured: [2, 9]),
          values: [LocalPosition(x: -1234.062_5, y: 0.1), LocalPosition(x: .nan, y: 1e9)])),
      for: .local)
    let scalars = [Scalar(value: 101_325.5, accuracy: 12), Scalar(value: .nan)]
    for channel in [Channel.heading, .pressure, .odometer] {
      trace.set(
        .scalar(ScalarColumns(times: TimeColumns(measured: [7, 8]), values: scalars)),
        for: channel)
    }
    trace.set(
      .heartbeat(
        HeartbeatColumns(
          times: TimeColumns(measured: [3, 1, 1], arrived: [4, 5, 5]),
          values: [
            Heartbeat(peer: .max, sequence: .max), Heartbeat(peer: -1, sequence: 0),
            Heartbeat(peer: 0),
          ])), for: .heartbeat)
    trace.set(
      .touch(
        TouchColumns(
          times: TimeColumns(measured: [1, 2, 3, 3], arrived: [1, 4, 4, 5]),
          values: [
            Touch(x: 187.333_333_333_333_34, y: 0, phase: .began, pointer: .max),
            Touch(x: -0.0, y: .nan, phase: .moved, pointer: .max),
            Touch(x: 1e9, y: .infinity, phase: .ended, pointer: -1),
            Touch(x: 5, y: 6, phase: .cancelled),
          ])), for: .touch, attributes: ["letters": "5"])
    trace.set(
      .action(
        ActionColumns(
          times: TimeColumns(measured: Action.allCases.indices.map { Int64($0) }),
          values: Action.allCases)),
      for: .action)
    return trace
  }
}

extension TraceHeader {
  fileprivate static var sampler: TraceHeader {
    var header = TraceHeader(id: "sampler", origin: .synthetic)
    header.subject = "s1"
    header.device = "Téléphone 📱"
    header.placement = "left wrist"
    header.handedness = .left
    header.screen = ScreenSize(width: 375, height: 667.5)
    header.activity = "boxing"
    header.epoch = "2022-05-01T10:00:03.000000250Z"
    header.isEpochKnown = true
    header.source = "made by the tests"
    header.license = "CC0-1.0"
    header.seed = .max
    header.end = TraceInstant(nanoseconds: 60_000_000_001)
    header.places = [
      Place(id: 7, latitude: 47.25, longitude: 8.5, radius: 25, rank: 0),
      Place(id: 0, latitude: 47.5, longitude: 8.75, radius: .nan, rank: 1),
    ]
    header.references = [.samplerPunches, ReferenceSet(task: .visit, events: []), .samplerVisit]
    header.references[1].task = .drop
    header.references.sort { $0.task < $1.task }
    header.track = ReferenceTrack(
      times: [0, 1_000_000_000], latitudes: [47.1, 47.2], longitudes: [8.1, 8.2])
    header.ignoreZones = [
      IgnoreZone(onset: .zero, offset: TraceInstant(nanoseconds: 5_000_000_000))
    ]
    return header
  }
}

extension ReferenceSet {
  fileprivate static var samplerPunches: ReferenceSet {
    let names = [
      "", "straight", "left hook", "unlabelled", "+20", "ä b", "%", "a@b.c", "none", " ",
    ]
    let events = names.enumerated().map { position, name in
      ReferenceEvent(
        onset: TraceInstant(nanoseconds: Int64(position) * 1_000_000_000),
        offset: TraceInstant(nanoseconds: Int64(position) * 1_000_000_000 + 80_000_000),
        label: name, originalLabel: position % 2 == 0 ? name : "raw \(name)",
        hand: Hand.allCases[position % 5], value: position == 3 ? .nan : 42.125)
    }
    return ReferenceSet(
      task: .punch, events: events, valueUnits: "m s-2", tolerance: .milliseconds(250),
      definition: "the fist's first contact")
  }

  fileprivate static var samplerVisit: ReferenceSet {
    ReferenceSet(
      task: .visit,
      events: [
        ReferenceEvent(onset: .zero, place: 7),
        ReferenceEvent(onset: TraceInstant(nanoseconds: 5), place: .max),
        ReferenceEvent(onset: TraceInstant(nanoseconds: 6), place: nil),
      ])
  }
}

/// A trace as text in which NaN equals NaN and -0 differs from 0, so that traces can be compared
/// bit by bit.
func fingerprint(_ trace: Trace) -> String {
  var header = trace.header
  // The order of a dictionary does not count.
  header.channels = []
  var lines: [String] = ["\(header)"]
  for info in trace.header.channels {
    guard let block = trace[info.channel] else { continue }
    lines.append("\(info.channel) \(info.count) \(info.attributes.sorted { $0.key < $1.key })")
    lines.append("\(block.range) \(block.arrivedTimes.map { "\($0)" } ?? "-")")
    for row in block.range { lines.append("\(block.measuredTimes[row]) \(block.value(at: row))") }
  }
  return lines.joined(separator: "\n")
}
