internal import TraceModel

struct FixtureWriter {
  private(set) var bytes: [UInt8] = []

  init(_ trace: Trace) {
    let header = trace.header
    line(FixtureReader.schema)
    write(header)
    for place in header.places {
      bytes += "place \(place.id)".utf8
      append(place.latitude, place.longitude, place.radius, to: &bytes)
      line(" \(place.rank)")
    }
    for zone in header.ignoreZones {
      line("ignore \(zone.onset.nanoseconds) \(zone.offset.nanoseconds)")
    }
    for reference in header.references { write(reference) }
    for count in header.counts {
      let words = "count \(count.task.rawValue) \(count.count)"
      if count.definition.isEmpty { line(words) } else { write(words, text: count.definition) }
    }
    if let track = header.track { write(track) }
    for info in header.channels {
      if let block = trace[info.channel] { write(block, info) }
    }
    line(FixtureReader.lastLine)
  }

  private mutating func line(_ text: String) {
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes a text unless it is empty.
  private mutating func write(_ key: String, text: String) {
    guard !text.isEmpty else { return }
    bytes += "\(key) ".utf8
    FixtureText.append(text: text, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func write(_ header: TraceHeader) {
    write("id", text: header.id)
    line("origin \(header.origin.rawValue)")
    write("subject", text: header.subject)
    write("device", text: header.device)
    write("placement", text: header.placement)
    if header.handedness != .unknown { line("handedness \(header.handedness.name)") }
    write("activity", text: header.activity)
    if header.isEpochKnown {
      write("epoch", text: header.epoch)
    } else if header.epoch != TraceHeader.unknownEpoch {
      write("arbitrary-epoch", text: header.epoch)
    }
    write("source", text: header.source)
    write("license", text: header.license)
    if let seed = header.seed { line("seed \(seed)") }
    if let screen = header.screen {
      bytes += "screen".utf8
      append(screen.width, screen.height, to: &bytes)
      line("")
    }
    line("end \(header.end.nanoseconds)")
  }

  private mutating func write(_ reference: ReferenceSet) {
    line("reference \(reference.task.rawValue)")
    if let tolerance = reference.tolerance { line("tolerance \(tolerance.nanoseconds)") }
    write("units", text: reference.valueUnits)
    write("definition", text: reference.definition)
    for event in reference.events {
      bytes += "event \(event.onset.nanoseconds) \(event.offset.nanoseconds) ".utf8
      FixtureText.append(word: event.label, to: &bytes)
      bytes.append(UInt8(ascii: " "))
      FixtureText.append(word: event.originalLabel, to: &bytes)
      bytes += " \(event.hand.name) \(event.place.map(String.init) ?? "-")".utf8
      append(event.value, to: &bytes)
      line("")
    }
  }

  private mutating func write(_ track: ReferenceTrack) {
    line("track")
    var before: Int64 = 0
    for (position, time) in track.times.enumerated() {
      bytes += "\(time &- before)".utf8
      append(track.latitudes[position], track.longitudes[position], to: &bytes)
      line("")
      before = time
    }
  }

  private mutating func write(_ block: ChannelBlock, _ info: ChannelInfo) {
    let times = block.measuredTimes[block.range]
    let step = ChannelTiming(measuredTimes: times).medianInterval ?? 0
    let arrived = block.arrivedTimes == nil ? "" : " arrived"
    line("channel \(info.channel.name) \(times.first ?? 0) \(step)\(arrived)")
    for (name, text) in info.attributes.sorted(by: { $0.key < $1.key }) {
      bytes += "attribute ".utf8
      FixtureText.append(word: name, to: &bytes)
      bytes.append(UInt8(ascii: " "))
      FixtureText.append(text: text, to: &bytes)
      line("")
    }
    let rows = Rows(block, step: step)
    switch block {
    case .vector(let columns):
      let (x, y, z) = (columns.x, columns.y, columns.z)
      write(rows) { position, bytes in
        append(x[position], y[position], z[position], to: &bytes)
      }
    case .fix(let columns): write(rows, columns.values)
    case .local(let columns): write(rows, columns.values)
    case .scalar(let columns): write(rows, columns.values)
    case .heartbeat(let columns): write(rows, columns.values)
    case .touch(let columns): write(rows, columns.values)
    case .action(let columns): write(rows, columns.values)
    }
  }

  /// The times of a channel's rows.
  private struct Rows {
    var range: Range<Int>
    var measured: [Int64]
    var arrived: [Int64]?
    var step: Int64

    init(_ block: ChannelBlock, step: Int64) {
      (range, measured, arrived) = (block.range, block.measuredTimes, block.arrivedTimes)
      self.step = step
    }
  }

  private mutating func write(_ rows: Rows, value: (Int, inout [UInt8]) -> Void) {
    guard let first = rows.range.first else { return }
    var expected = rows.measured[first]
    for position in rows.range {
      let time = rows.measured[position]
      // Differences and sums wrap around, so that no time is lost.
      bytes += String(time &- expected).utf8
      if let arrived = rows.arrived { bytes += " \(arrived[position] &- time)".utf8 }
      value(position, &bytes)
      bytes.append(UInt8(ascii: "\n"))
      expected = time &+ rows.step
    }
  }

  private mutating func write(_ rows: Rows, _ values: [some FixtureValue]) {
    write(rows) { position, bytes in values[position].append(to: &bytes) }
  }
}
