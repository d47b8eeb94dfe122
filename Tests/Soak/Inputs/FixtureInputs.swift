import Diagnostics
import TraceFixtures
import TraceFormats
import TraceModel

/// Fixtures with all kinds of statements, in any order, with fields that are missing, left over or out
/// of range.
struct FixtureInputs: Inputs {
  let ending = ".trace"

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var lines = ["shadowbox-fixture/1", "id \(text(&generator))"]
    lines += ["origin \(generator.pick(["recorded", "synthetic"]))", "end 900000000000"]
    for _ in 0..<generator.below(4) { lines.append(contentsOf: statement(&generator)) }
    for channel in Channel.allCases where generator.isTrue(oneIn: 3) {
      lines += rows(of: channel, &generator)
    }
    if !generator.isTrue(oneIn: 60) { lines.append("complete") }
    if generator.isTrue(oneIn: 60) { lines.swapAt(0, generator.below(lines.count)) }
    let end = generator.isTrue(oneIn: 10) ? "\r\n" : "\n"
    var bytes = Array((lines.joined(separator: end) + end).utf8)
    if generator.isTrue(oneIn: 3) { generator.damage(&bytes) }
    return bytes
  }

  private func text(_ generator: inout SeededGenerator) -> String {
    generator.isTrue(oneIn: 40) ? generator.word() : generator.pick(["a", "b c", "\\0A", "-", "é"])
  }

  private func statement(_ generator: inout SeededGenerator) -> [String] {
    let integer = generator.isTrue(oneIn: 60) ? generator.number() : "\(generator.below(1000))"
    return switch generator.below(9) {
    case 0: ["subject \(text(&generator))"]
    case 1: ["handedness \(generator.pick(["left", "right", "unknown"]))"]
    case 2: ["epoch \(generator.isTrue(oneIn: 9) ? generator.date() : "2022-05-01T10:00:03Z")"]
    case 3: ["seed \(integer)", "screen 375 \(generator.isTrue(oneIn: 9) ? integer : "667.5")"]
    case 4: ["place \(integer) 46.05 14.5 \(number(&generator)) 0"]
    case 5: ["ignore \(integer) 900"]
    case 6: ["track", "\(integer) \(number(&generator)) 14", "5 46 14"]
    case 7: ["# \(text(&generator))", ""]
    default:
      [
        "reference \(generator.pick(["punch", "visit", "presence", "split"]))",
        "tolerance \(integer)",
        "event \(integer) 2000 jab - left - \(number(&generator))", "event 5 6 - - lead 3 nan",
      ]
    }
  }

  private func number(_ generator: inout SeededGenerator) -> String {
    generator.isTrue(oneIn: 200)
      ? generator.number()
      : generator.pick(["nan", "inf", "-inf", "0", "-0", "1e-05", "3.4e+38", "0.1"])
  }

  private func rows(of channel: Channel, _ generator: inout SeededGenerator) -> [String] {
    let hasArrivals = generator.isTrue(oneIn: 3)
    var lines = ["channel \(channel.name) 0 10000000\(hasArrivals ? " arrived" : "")"]
    if generator.isTrue(oneIn: 3) { lines.append("attribute made_by \(text(&generator))") }
    for _ in 0..<generator.count(30) {
      var fields = [generator.isTrue(oneIn: 300) ? generator.number() : "\(generator.below(9))"]
      if hasArrivals { fields.append("\(generator.below(1000))") }
      fields += values(of: channel, &generator)
      if generator.isTrue(oneIn: 400) { fields.removeLast() }
      if generator.isTrue(oneIn: 400) { fields.append("1") }
      lines.append(fields.joined(separator: " "))
    }
    return lines
  }

  private func values(of channel: Channel, _ generator: inout SeededGenerator) -> [String] {
    let count =
      switch channel {
      case .acceleration, .userAcceleration, .rotationRate: 3
      case .location: 7
      case .heading, .pressure, .odometer, .local: 2
      case .heartbeat, .touch, .action: 0
      }
    if channel == .action { return [generator.pick(["arm", "disarm", "pause"])] }
    if channel == .touch {
      let phase = generator.pick(["began", "moved", "ended", "cancelled"])
      return [number(&generator), number(&generator), phase, "\(generator.below(3))"]
    }
    if channel == .heartbeat { return ["\(generator.below(9))", "-1"] }
    let another = count == 3 ? "nan:7fc00001" : "nan:fff8000000000000"
    return (0..<count).map { _ in generator.isTrue(oneIn: 9) ? another : number(&generator) }
  }

  /// What is read is written again and must be the same.
  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    message {
      let options = RecordingOptions()
      let recording = try RecordingReader.read(path, options: options)
      guard recording.recognition.format == .fixture, let read = recording.traces.first else {
        return
      }
      let trace = try Trace(reading: read.source)
      let bytes = try trace.fixture()
      let again = try Trace(fixture: bytes, name: path)
      guard try again.fixture() == bytes else { preconditionFailure("\(path): another trace") }
    }
  }
}
