import Foundation
import PackedFiles
import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

/// Recordings of each app from a seed: the reader returns what was written, however it is packed,
/// and every column survives the native format bit for bit.
@Suite struct AppRoundTripTests {
  enum App: String, CaseIterable, Sendable {
    case phyphox, sensorLogger, sensorLog
  }

  /// Values of one channel that are written as text, and expected as numbers.
  struct Column {
    var times: [Int64] = []
    var values: [[Double]] = []
  }

  struct Made {
    var files: [(String, String)]
    var vectors: [Channel: Column]
    var positions = Column()
  }

  @Test(.longer, arguments: App.allCases, 1...LongTests.count(quick: 4, long: 12))
  func everyColumnStays(app: App, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let made = AppMaker(app: app, generator: &generator).made
    let folder = try RecordingFolder()
    let packed = made.files.map { (name: $0.0, content: Gzip.member(Array($0.1.utf8))) }
    let paths = try [
      folder.write(made.files, in: "rec"), folder.write(Zip(made.files).bytes, to: "rec.zip"),
      folder.write(Zip(packed, [.dataDescriptor]).bytes, to: "packed.zip"),
    ]
    for path in paths {
      let imported = try RecordingReader.read(path).traces[0]
      try expect(imported, made, "seed \(seed) \(path)")
      try NativeTrace.write(imported.source, to: folder.path("a.h5"))
      let back = try NativeTrace.read(folder.path("a.h5"))
      let trace = try imported.trace
      #expect(back.header == trace.header, "seed \(seed)")
      for info in trace.header.channels {
        let isSame = "\(back[info.channel] as Any)" == "\(trace[info.channel] as Any)"
        #expect(isSame, "seed \(seed) \(info.channel.name)")
      }
    }
  }

  private func expect(_ imported: ImportedTrace, _ made: Made, _ comment: String) throws {
    let trace = try imported.trace
    let times = (made.vectors.values + [made.positions]).flatMap(\.times)
    let origin = try #require(times.min())
    #expect(imported.report.losses.count == 0, "\(comment)")
    #expect(imported.report.samples == times.count, "\(comment)")
    for (channel, column) in made.vectors {
      guard case .vector(let found)? = trace[channel] else {
        Issue.record("no \(channel) \(comment)")
        continue
      }
      #expect(found.measuredTimes == column.times.map { $0 - origin }, "\(comment)")
      #expect(found.x == column.values.map { Float($0[0]) }, "\(comment)")
      #expect(found.y == column.values.map { Float($0[1]) }, "\(comment)")
      #expect(found.z == column.values.map { Float($0[2]) }, "\(comment)")
    }
    guard !made.positions.times.isEmpty, case .fix(let found)? = trace[.location] else { return }
    #expect(found.measuredTimes == made.positions.times.map { $0 - origin }, "\(comment)")
    #expect(found.values.map(\.latitude) == made.positions.values.map { $0[0] }, "\(comment)")
    #expect(found.values.map(\.longitude) == made.positions.values.map { $0[1] }, "\(comment)")
    #expect(found.values.map(\.altitude) == made.positions.values.map { $0[2] }, "\(comment)")
  }
}

/// Writes recordings.
private struct AppMaker {
  private(set) var made: AppRoundTripTests.Made

  init(app: AppRoundTripTests.App, generator: inout SeededGenerator) {
    made = AppRoundTripTests.Made(files: [], vectors: [:])
    switch app {
    case .phyphox: makePhyphox(&generator)
    case .sensorLogger: makeSensorLogger(&generator)
    case .sensorLog: makeSensorLog(&generator)
    }
  }

  private static func number(_ generator: inout SeededGenerator, _ scale: Double) -> Double {
    (Double(generator.next() % 2_000_001) / 1_000_000 - 1) * scale
  }

  /// Times that mostly go on, at times stand still.
  private static func times(
    _ generator: inout SeededGenerator, from start: Int64
  ) -> [Int64] {
    var time = start
    return (0..<(1 + Int(generator.next() % 300))).map { _ in
      time += Int64(generator.next() % 30_000_000)
      return time
    }
  }

  private static func seconds(_ time: Int64) -> String {
    let (whole, rest) = (time / 1_000_000_000, time % 1_000_000_000)
    let digits = String(abs(rest))
    let sign = time < 0 ? "-" : ""
    return "\(sign)\(abs(whole))." + String(repeating: "0", count: 9 - digits.count) + digits
  }

  private mutating func makePhyphox(_ generator: inout SeededGenerator) {
    let dialects = PhyphoxTests.Dialect.all
    let dialect = dialects[Int(generator.next() % UInt64(dialects.count))]
    let sensors: [(String, Channel, String)] = [
      ("Accelerometer.csv", .acceleration, "m/s^2"),
      ("Linear Accelerometer.csv", .userAcceleration, "m/s^2"),
      ("Gyroscope.csv", .rotationRate, "rad/s"),
    ]
    for (name, channel, unit) in sensors {
      var column = AppRoundTripTests.Column()
      var rows = ["\"Time (s)\",\"X (\(unit))\",\"Y (\(unit))\",\"Z (\(unit))\""]
      for time in Self.times(&generator, from: -5_000_000) {
        let values = (0..<3).map { _ in Self.number(&generator, 50) }
        column.times.append(time)
        column.values.append(values)
        rows.append(([Self.seconds(time)] + values.map { "\($0)" }).joined(separator: ","))
      }
      made.files.append((name, dialect.text(rows)))
      made.vectors[channel] = column
    }
    made.files.append(("meta/time.csv", dialect.text(PhyphoxTests.time)))
  }

  private mutating func makeSensorLogger(_ generator: inout SeededGenerator) {
    let zero: Int64 = 1_700_000_000_123_456_789
    let sensors: [(String, Channel)] = [
      ("TotalAcceleration.csv", .acceleration), ("Accelerometer.csv", .userAcceleration),
      ("Gyroscope.csv", .rotationRate),
    ]
    for (name, channel) in sensors {
      var column = AppRoundTripTests.Column()
      var text = "time,seconds_elapsed,z,y,x\n"
      for time in Self.times(&generator, from: zero) {
        let values = (0..<3).map { _ in Self.number(&generator, 50) }
        column.times.append(time)
        column.values.append(values)
        text += "\(time),0,\(values[2]),\(values[1]),\(values[0])\n"
      }
      made.files.append((name, text))
      made.vectors[channel] = column
    }
    var text = "time,seconds_elapsed,speed,altitude,longitude,latitude\n"
    for time in Self.times(&generator, from: zero) {
      let values = [
        Self.number(&generator, 90), Self.number(&generator, 180), Self.number(&generator, 9000),
      ]
      made.positions.times.append(time)
      made.positions.values.append(values)
      text += "\(time),0,-1,\(values[2]),\(values[1]),\(values[0])\n"
    }
    made.files.append(("Location.csv", text))
  }

  /// Each row is new for one of the groups, and repeats the others.
  private mutating func makeSensorLog(_ generator: inout SeededGenerator) {
    let header =
      "loggingTime(txt),accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),"
      + "accelerometerAccelerationY(G),accelerometerAccelerationZ(G),motionTimestamp_sinceReboot(s),"
      + "motionRotationRateX(rad/s),motionRotationRateY(rad/s),motionRotationRateZ(rad/s)"
    let boot: Int64 = 1_724_267_319_000_000_000
    var rows = [header]
    var groups = [(time: Int64(0), values: [0.0, 0, 0]), (time: 0, values: [0, 0, 0])]
    let channels = [Channel.acceleration, .rotationRate]
    var time: Int64 = 5_000_000_000
    for index in 0..<(2 + Int(generator.next() % 300)) {
      // Whole milliseconds, so that the wall time is exact and the clocks differ by `boot`.
      time += 1_000_000 * (1 + Int64(generator.next() % 30))
      let group = index < 2 ? index : Int(generator.next() % 2)
      groups[group] = (time, (0..<3).map { _ in Self.number(&generator, 8) })
      let channel = channels[group]
      let scale = channel == .acceleration ? standardGravity : 1
      made.vectors[channel, default: .init()].times.append(boot + time)
      made.vectors[channel, default: .init()].values.append(groups[group].values.map { $0 * scale })
      let cells = groups.map { group in
        ([Self.seconds(group.time)] + group.values.map { "\($0)" }).joined(separator: ",")
      }
      rows.append(([CivilTime.text(nanoseconds: boot + time)] + cells).joined(separator: ","))
    }
    made.files = [("my_iOS_device.csv", rows.joined(separator: "\n"))]
  }
}
