import Diagnostics
import PackedFiles
import TraceFormats
import TraceModel

/// Recordings of a phone app in an archive, with damaged tables.
struct AppInputs: Inputs {
  enum App {
    case phyphox, sensorLogger, sensorLog
  }

  let ending = ".zip"
  let app: App

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var files = tables(&generator).map { (name: $0.0, content: Array($0.1.utf8)) }
    if generator.isTrue(oneIn: 2) {
      let victim = generator.below(files.count)
      generator.damage(&files[victim].content)
    }
    if generator.isTrue(oneIn: 8) {
      let victim = generator.below(files.count)
      files[victim].content = Gzip.member(files[victim].content)
    }
    if generator.isTrue(oneIn: 20) { files.remove(at: generator.below(files.count)) }
    if generator.isTrue(oneIn: 20) { files.append((name: "other.bin", content: [0, 1, 2])) }
    return Zip(files).bytes
  }

  private func tables(_ generator: inout SeededGenerator) -> [(String, String)] {
    switch app {
    case .phyphox: phyphox(&generator)
    case .sensorLogger: sensorLogger(&generator)
    case .sensorLog: [("watch.csv", sensorLog(&generator))]
    }
  }

  private func row(_ time: String, _ count: Int, _ generator: inout SeededGenerator) -> [String] {
    [time]
      + (0..<count).map { _ in
        generator.isTrue(oneIn: 12) ? generator.number() : "\(Double(generator.below(2000)) / 100)"
      }
  }

  private func time(_ index: Int, _ generator: inout SeededGenerator) -> String {
    generator.isTrue(oneIn: 15) ? generator.number() : "\(Double(index) / 50 - 0.01)"
  }

  // MARK: phyphox

  private func phyphox(_ generator: inout SeededGenerator) -> [(String, String)] {
    let separator = generator.pick([",", ";", "\t"])
    let (name, unit) = generator.pick([
      ("Accelerometer.csv", "m/s^2"), ("Linear Accelerometer.csv", "m/s^2"),
      ("Gyroscope.csv", "rad/s"), ("Raw Data.csv", "m/s^2"),
    ])
    let prefix = generator.pick(["", "", "Linear Acceleration ", "Gyroscope "])
    let header = ["Time (s)"] + ["x", "y", "z"].map { "\(prefix)\($0) (\(unit))" }
    var lines = [header.map { "\"\($0)\"" }.joined(separator: separator)]
    for index in 0..<generator.count(150) {
      lines.append(row(time(index, &generator), 3, &generator).joined(separator: separator))
    }
    var clock = ["\"event\"\(separator)\"experiment time\"\(separator)\"system time\""]
    for index in 0..<generator.below(8) {
      let event = index % 2 == 0 ? "\"START\"" : "\"PAUSE\""
      let cells = [
        event, time((index + 1) / 2 * 20, &generator), "\(1_700_000_000 + index * 7)",
      ]
      clock.append(
        (generator.isTrue(oneIn: 12) ? row(event, 2, &generator) : cells)
          .joined(separator: separator))
    }
    return [
      (name, lines.joined(separator: "\n")), ("meta/time.csv", clock.joined(separator: "\n")),
      ("meta/device.csv", "\"property\",\"value\"\n\"deviceModel\",\"\(generator.word())\"\n"),
    ]
  }

  // MARK: Sensor Logger

  private func sensorLogger(_ generator: inout SeededGenerator) -> [(String, String)] {
    func table(_ columns: String, _ count: Int) -> String {
      var lines = ["time,seconds_elapsed,\(columns)"]
      for index in 0..<generator.count(40) {
        let time =
          generator.isTrue(oneIn: 15)
          ? generator.number() : "\(1_700_000_000_000_000_000 + index * 10_000_000)"
        lines.append(row(time, count + 1, &generator).joined(separator: ","))
      }
      return lines.joined(separator: "\n")
    }
    let names = ["Accelerometer", "TotalAcceleration", "AccelerometerUncalibrated", "Gyroscope"]
    let annotation = "\(1_700_000_000_000_000_000),0,\(generator.word()),1"
    let platform = generator.pick(["ios", "android", "iOS", "", "x"])
    return [
      ("\(generator.pick(names)).csv", table("z,y,x", 3)),
      ("Location.csv", table("speed,bearing,horizontalAccuracy,altitude,longitude,latitude", 6)),
      ("Barometer.csv", table("relativeAltitude,pressure", 2)),
      ("Annotation.csv", "time,seconds_elapsed,text,millisecond_press_duration\n\(annotation)\n"),
      (
        "Metadata.csv",
        "device name,platform,appVersion,standardisation\n\(generator.word()),\(platform),1.4,"
          + generator.pick(["true", "false", ""])
      ),
    ]
  }

  // MARK: SensorLog

  private func sensorLog(_ generator: inout SeededGenerator) -> String {
    let suffix = generator.isTrue(oneIn: 2)
    func name(_ bare: String, _ unit: String) -> String { suffix ? "\(bare)(\(unit))" : bare }
    let header =
      [name("loggingTime", "txt"), name("locationTimestamp_since1970", "s")]
      + [name("locationLatitude", "WGS84"), name("locationLongitude", "WGS84")]
      + [name("accelerometerTimestamp_sinceReboot", "s")]
      + ["X", "Y", "Z"].map { name("accelerometerAcceleration\($0)", "G") }
      + [name("altimeterTimestamp_sinceReboot", "s"), name("altimeterPressure", "kPa")]
    var lines = [header.joined(separator: ",")]
    var (fix, pressure) = (["0", "0", "0"], ["0", "0"])
    for index in 0..<generator.count(60) {
      let instant = time(index + 1000, &generator)
      if generator.isTrue(oneIn: 9) { fix = row("17000000\(10 + index % 90)", 2, &generator) }
      if generator.isTrue(oneIn: 9) { pressure = row(instant, 1, &generator) }
      let cells = [generator.date()] + fix + row(instant, 3, &generator) + pressure
      lines.append(cells.joined(separator: ","))
    }
    return lines.joined(separator: "\n")
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    readRecording(path, &generator)
  }
}

/// Archives, and files packed with gzip, whose own bytes are damaged.
struct ZipInputs: Inputs {
  let ending = ".zip"

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    let table = "\"Time (s)\",\"X (rad/s)\",\"Y (rad/s)\",\"Z (rad/s)\"\n"
    let rows = (0..<generator.count(400)).map { "\($0),1,2,3\n" }.joined()
    let content = Array((table + rows).utf8)
    var bytes: [UInt8]
    if generator.isTrue(oneIn: 3) {
      bytes = (0...generator.below(3)).flatMap { _ in Gzip.member(content) }
    } else {
      bytes = archive(content, &generator).bytes
    }
    for _ in 0..<generator.below(5) where !bytes.isEmpty {
      let position = generator.below(bytes.count)
      switch generator.below(6) {
      case 0: bytes[position] = UInt8(truncatingIfNeeded: generator.next())
      case 1: bytes[position] = generator.pick([0, 1, 0x7F, 0x80, 0xFF])
      case 2: bytes.removeSubrange(position..<min(bytes.count, position + generator.below(20)))
      case 3: bytes.insert(contentsOf: bytes.prefix(generator.below(60)), at: position)
      case 4: if generator.isTrue(oneIn: 4) { bytes.removeSubrange(position...) }
      default:
        // The directory, where the sizes and the offsets are.
        let near = max(0, bytes.count - 1 - generator.below(200))
        bytes[near] = generator.pick([0, 0xFF, UInt8(truncatingIfNeeded: generator.next())])
      }
    }
    return bytes
  }

  private func archive(_ content: [UInt8], _ generator: inout SeededGenerator) -> Zip {
    let oddities: [Zip.Oddity] = [
      .dataDescriptor, .encryptedFlag, .zip64, .wrongChecksum, .unknownMethod,
    ]
    var zip = Zip([(name: "Gyroscope.csv", content: content)])
    if generator.isTrue(oneIn: 3) { zip.oddities = [generator.pick(oddities)] }
    let names = ["../Gyroscope.csv", "meta/time.csv", "/", "", "__MACOSX/a", "Gyroscope.csv"]
    for _ in 0..<generator.below(3) {
      zip.members.append((name: generator.pick(names), content: Array(generator.word().utf8)))
    }
    return zip
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    readRecording(path, &generator)
  }
}

private func readRecording(_ path: String, _ generator: inout SeededGenerator) -> String? {
  message {
    var options = RecordingOptions()
    options.sort = generator.isTrue(oneIn: 3)
    options.strict = generator.isTrue(oneIn: 6)
    options.pauses = generator.pick([.keep, .insert])
    options.signs = generator.pick([.recorded, .android])
    let recording = try RecordingReader.read(path, options: options)
    var traces: [Trace] = []
    for imported in recording.traces { traces.append(try imported.trace) }
    try writeAtTimes(traces, beside: path, &generator)
  }
}
