import Diagnostics
import TraceFormats
import TraceModel

/// Logs of receivers: complete, truncated, doubled and damaged sentences, with other content
/// between them.
struct NMEAInputs: Inputs {
  let ending = ".nmea"

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    let newline = generator.pick(["\r\n", "\n", "\r"])
    for _ in 0..<generator.count(30) {
      bytes += line(&generator)
      bytes += Array((generator.isTrue(oneIn: 60) ? "" : newline).utf8)
    }
    if generator.isTrue(oneIn: 1000) {
      bytes += [UInt8](repeating: generator.pick([0x24, 0x2C, 0x41, 0xFF]), count: 3 << 19)
    }
    if generator.isTrue(oneIn: 3) { generator.damage(&bytes) }
    return bytes
  }

  private func line(_ generator: inout SeededGenerator) -> [UInt8] {
    switch generator.below(24) {
    case 0: return Array("# \(generator.word())".utf8)
    case 1:
      return (0..<generator.below(80)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    case 2: return Array("\(generator.date()) \(sentence(&generator))".utf8)
    case 3: return Array(sentence(&generator).utf8.prefix(generator.below(60)))
    case 4: return Array(sentence(&generator).utf8.dropFirst(generator.below(60)))
    default: return Array(sentence(&generator).utf8)
    }
  }

  private func sentence(_ generator: inout SeededGenerator) -> String {
    let kind = generator.pick([
      "RMC", "RMC", "GGA", "GGA", "GLL", "GNS", "VTG", "GSA", "ZDA", "GSV",
    ])
    let talker =
      generator.isTrue(oneIn: 40) ? generator.word() : generator.pick(["GP", "GN", "GL"])
    var fields = [talker + kind] + self.fields(kind, &generator)
    if generator.isTrue(oneIn: 10) {
      fields[generator.below(fields.count)] = generator.pick([
        "", generator.number(), "V", "0", "N",
      ])
    }
    if generator.isTrue(oneIn: 30) { fields.removeLast(generator.below(fields.count)) }
    let body = fields.joined(separator: ",")
    let sum = body.utf8.reduce(0, ^) ^ (generator.isTrue(oneIn: 25) ? 1 : 0)
    let digits = (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
    return "$\(body)" + (generator.isTrue(oneIn: 25) ? "" : "*\(digits)")
  }

  private func fields(_ kind: String, _ generator: inout SeededGenerator) -> [String] {
    let time =
      two(24, &generator) + two(60, &generator) + two(60, &generator)
      + generator.pick(["", ".5", ".123456789123"])
    let day = [two(31, &generator), two(13, &generator)]
    let position = [
      "46" + two(61, &generator) + ".\(generator.below(100_000))", generator.pick(["N", "S"]),
      "013" + two(61, &generator) + ".\(generator.below(100_000))", generator.pick(["E", "W"]),
    ]
    let height = ["1", "08", "0.9", generator.number(), "M", "46.9", "M", "", ""]
    switch kind {
    case "RMC":
      return [time, generator.pick(["A", "A", "V"])] + position
        + [generator.number(), "90.5", day.joined() + two(100, &generator), "", "", "A"]
    case "GGA": return [time] + position + height
    case "GNS": return [time] + position + ["AN", "08", "0.9", "1.5", "46.9", ""]
    case "GLL": return position + [time, "A", "A"]
    case "VTG": return ["90.5", "T", "", "M", generator.number(), "N", "3.7", "K", "A"]
    case "ZDA": return [time] + day + ["\(generator.below(10_000))", "00", "00"]
    case "GSA": return ["A", "3"] + Array(repeating: "01", count: 12) + ["1.9", "0.9", "1.5"]
    default: return ["1", "1", "00"]
    }
  }

  private func two(_ bound: Int, _ generator: inout SeededGenerator) -> String {
    let number = generator.below(bound)
    return (number < 10 ? "0" : "") + "\(number)"
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    message {
      var options = RecordingOptions()
      options.sort = generator.isTrue(oneIn: 3)
      options.strict = generator.isTrue(oneIn: 6)
      if generator.isTrue(oneIn: 4) { options.gpx.metersPerHDOP = 5 }
      let found = try NMEAReader.read(path, options: options)
      try writeAtTimes([found.trace], beside: path, &generator)
    }
  }
}

/// Tables of GPSLogger of several generations, some of which go on with another's rows.
struct GPSLoggerInputs: Inputs {
  let ending = ".csv"

  private static let names = [
    "time", "lat", "lon", "elevation", "accuracy", "bearing", "speed", "satellites", "provider",
    "hdop", "vdop", "pdop", "geoidheight", "ageofdgpsdata", "dgpsid", "activity", "battery",
    "annotation", "timestamp_ms", "time_offset", "distance", "starttimestamp_ms", "profile_name",
    "battery_charging",
  ]

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    let separator = generator.pick([",", ",", ",", ";", "\t"])
    var width = generator.pick([3, 7, 9, 18, 24])
    var names = Array(Self.names.prefix(width))
    if generator.isTrue(oneIn: 10) { names.shuffle(using: &generator) }
    if generator.isTrue(oneIn: 30) { names[generator.below(width)] = generator.word() }
    var lines = [names.joined(separator: separator)]
    for _ in 0..<generator.count(30) {
      if generator.isTrue(oneIn: 60) { width = generator.pick([9, 18, 24]) }
      let cells = (0..<width).map { column in
        let name = names.indices.contains(column) ? names[column] : ""
        return cell(name, separator, &generator)
      }
      lines.append(cells.joined(separator: separator))
    }
    var bytes = Array(lines.joined(separator: generator.pick(["\n", "\r\n"])).utf8)
    if generator.isTrue(oneIn: 3) { generator.damage(&bytes) }
    return bytes
  }

  private func cell(
    _ name: String, _ separator: String, _ generator: inout SeededGenerator
  ) -> String {
    switch name {
    case "time": return generator.date()
    case "lat", "lon":
      return generator.isTrue(oneIn: 20)
        ? generator.number() : "\(Double(generator.below(90)) + 0.5)"
    case "provider": return generator.pick(["gps", "network", "", generator.word()])
    case "annotation":
      return generator.isTrue(oneIn: 8) ? "\"\(generator.word())\"" : ""
    default:
      let number = generator.isTrue(oneIn: 3) ? "" : generator.number()
      return number.contains(separator) ? "\"\(number)\"" : number
    }
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    message {
      var options = RecordingOptions()
      options.sort = generator.isTrue(oneIn: 3)
      options.strict = generator.isTrue(oneIn: 6)
      let found = try GPSLoggerReader.read(path, options: options)
      try writeAtTimes([found.trace], beside: path, &generator)
    }
  }
}
