internal import TraceModel

struct FixtureReader {
  static let schema = "shadowbox-fixture/1"
  static let lastLine = "complete"

  private var scanner: FixtureScanner
  private var header = TraceHeader(id: "", origin: .recorded)
  private var blocks: [(channel: Channel, block: ChannelBlock, attributes: [String: String])] = []
  /// The lines of the statements that a fixture has at most once.
  private var seen: [String: Int] = [:]
  /// Whether lines of a reference may follow.
  private var isInReference = false

  init(_ bytes: [UInt8], name: String) { scanner = FixtureScanner(bytes, name: name) }

  mutating func read() throws(TraceError) -> Trace {
    let schema = scanner.keyword()
    guard schema == Self.schema else {
      throw scanner.refused(
        "\"\(Self.schema)\" in the first line", FixtureText.quoted(schema),
        remedy: "pass a fixture that shadowbox export wrote")
    }
    try scanner.endLine()
    while try readStatement() {}
    try requireStatements()
    return try FixtureCheck(name: scanner.name).checked(trace)
  }

  private var trace: Trace {
    var trace = Trace(header: header)
    for (channel, block, attributes) in blocks {
      trace.set(block, for: channel, attributes: attributes)
    }
    return trace
  }

  /// Reads a statement; false = it is the last one.
  private mutating func readStatement() throws(TraceError) -> Bool {
    guard !scanner.isAtEnd else {
      throw scanner.refused(
        "\"\(Self.lastLine)\" as the last line", "the end of the file",
        remedy: "export the trace again: the file is truncated")
    }
    guard !scanner.isAtEndOfLine else {
      try scanner.endLine()
      return true
    }
    let line = scanner.line
    let key = scanner.keyword()
    if key.hasPrefix("#") {
      scanner.skipLine()
      return true
    }
    if key == Self.lastLine {
      try scanner.endLine()
      while !scanner.isAtEnd { try scanner.endLine() }
      return false
    }
    if isInReference, try readReferenceLine(key) { return true }
    isInReference = false
    if try readHeaderLine(key, line) { return true }
    try readTableLine(key, line)
    return true
  }

  private mutating func requireOnce(_ key: String, _ line: Int) throws(TraceError) {
    guard let first = seen.updateValue(line, forKey: key) else { return }
    throw scanner.refused("one \"\(key)\"", "another one, after that of line \(first)", at: line)
  }

  private func requireStatements() throws(TraceError) {
    for key in ["id", "origin", "end"] where seen[key] == nil {
      throw scanner.refused("a line \"\(key) …\"", "none", remedy: "add the line")
    }
  }

  /// Reads a statement of the header; false = it is another one.
  private mutating func readHeaderLine(_ key: String, _ line: Int) throws(TraceError) -> Bool {
    if let field = Self.texts[key] {
      try requireOnce(key, line)
      header[keyPath: field] = try scanner.text()
      return true
    }
    switch key {
    case "origin":
      header.origin = try scanner.choice(TraceOrigin.allCases, \.rawValue, "an origin")
    case "handedness": header.handedness = try scanner.choice(Hand.allCases, \.name, "a hand")
    case "screen": header.screen = try screen()
    case "seed": header.seed = try scanner.integer("a seed from 0 to 2^64 - 1")
    case "end":
      header.end = TraceInstant(nanoseconds: try scanner.integer("an integer: the end in ns"))
    case "epoch", "arbitrary-epoch":
      try requireOnce("epoch", line)
      header.isEpochKnown = key == "epoch"
      header.epoch = try scanner.text()
      guard EpochTime.nanoseconds(of: header.epoch) != nil else {
        throw scanner.refused(
          "an instant such as 2022-05-01T10:00:03Z", FixtureText.quoted(header.epoch), at: line)
      }
      return true
    default: return false
    }
    try requireOnce(key, line)
    try scanner.endLine()
    return true
  }

  private mutating func screen() throws(TraceError) -> ScreenSize {
    let expected = "a width and a height of 10 to 100000 points"
    let (width, height): (Double, Double) = (
      try scanner.number(expected), try scanner.number(expected)
    )
    guard let size = ScreenSize(width: width, height: height) else {
      throw scanner.refused(expected, "\(width) and \(height)")
    }
    return size
  }

  private static var texts: [String: WritableKeyPath<TraceHeader, String>] {
    [
      "id": \.id, "subject": \.subject, "device": \.device, "placement": \.placement,
      "activity": \.activity, "source": \.source, "license": \.license,
    ]
  }

  private mutating func readTableLine(_ key: String, _ line: Int) throws(TraceError) {
    switch key {
    case "place":
      header.places.append(
        Place(
          id: try scanner.integer("an id"), latitude: try scanner.number("a latitude"),
          longitude: try scanner.number("a longitude"), radius: try scanner.number("a radius"),
          rank: try scanner.integer("a rank")))
    case "ignore":
      header.ignoreZones.append(
        IgnoreZone(onset: try time("an onset"), offset: try time("an offset")))
    case "reference":
      let task = try scanner.choice(ReferenceTask.allCases, \.rawValue, "a task")
      try requireOnce("reference \(task.rawValue)", line)
      header.references.append(ReferenceSet(task: task, events: []))
      isInReference = true
    case "count":
      header.counts.append(try count(line))
      return
    case "track":
      try requireOnce(key, line)
      try scanner.endLine()
      return try readTrack()
    case "channel": return try readChannel(line)
    default:
      throw scanner.refused(
        "a statement such as reference, event, channel or \(Self.lastLine)",
        FixtureText.quoted(key),
        at: line)
    }
    try scanner.endLine()
  }

  /// Reads a count, which is in place of a reference, to the end of its line.
  private mutating func count(_ line: Int) throws(TraceError) -> ReferenceCount {
    let task = try scanner.choice(ReferenceTask.countable, \.rawValue, "a task")
    try requireOnce("reference \(task.rawValue)", line)
    let expected = "a number of events from 0 to \(ReferenceCount.greatest)"
    let count: Int = try scanner.integer(expected)
    guard (0...ReferenceCount.greatest).contains(count) else {
      throw scanner.refused(expected, "\(count)", at: line)
    }
    return ReferenceCount(task: task, count: count, definition: try scanner.text())
  }

  private mutating func time(_ what: String) throws(TraceError) -> TraceInstant {
    TraceInstant(nanoseconds: try scanner.integer("an integer: \(what) in ns"))
  }

  /// Reads a line of a reference; false = it belongs to none.
  private mutating func readReferenceLine(_ key: String) throws(TraceError) -> Bool {
    let last = header.references.count - 1
    if ["tolerance", "units", "definition"].contains(key) {
      try requireOnce("\(key) of \(header.references[last].task.rawValue)", scanner.line)
    }
    switch key {
    case "tolerance":
      header.references[last].tolerance = .nanoseconds(
        try scanner.integer("an integer: a tolerance in ns", as: Int64.self))
    case "units":
      header.references[last].valueUnits = try scanner.text()
      return true
    case "definition":
      header.references[last].definition = try scanner.text()
      return true
    case "event": header.references[last].events.append(try event())
    default: return false
    }
    try scanner.endLine()
    return true
  }

  private mutating func event() throws(TraceError) -> ReferenceEvent {
    let (onset, offset) = (try time("an onset"), try time("an offset"))
    let (label, original) = (try scanner.word("a label"), try scanner.word("an original label"))
    let hand = try scanner.choice(Hand.allCases, \.name, "a hand")
    let word = try scanner.word("the id of a place, or -")
    guard word.isEmpty || Int32(word) != nil else {
      throw scanner.refused("the id of a place, or -", FixtureText.quoted(word))
    }
    return ReferenceEvent(
      onset: onset, offset: offset, label: label, originalLabel: original, hand: hand,
      place: Int32(word), value: try scanner.number("a value, or nan"))
  }

  private mutating func readTrack() throws(TraceError) {
    var track = ReferenceTrack(times: [], latitudes: [], longitudes: [])
    var time: Int64 = 0
    while scanner.isAtRow {
      time &+= try scanner.integer("an integer: ns since the row before", as: Int64.self)
      track.times.append(time)
      track.latitudes.append(try scanner.number("a latitude"))
      track.longitudes.append(try scanner.number("a longitude"))
      try scanner.endLine()
    }
    header.track = track
  }

  private mutating func readChannel(_ line: Int) throws(TraceError) {
    let channel = try scanner.choice(Channel.allCases, \.name, "a channel")
    try requireOnce("channel \(channel.name)", line)
    let start = try scanner.integer("an integer: the first time in ns", as: Int64.self)
    let step = try scanner.integer("an integer: the usual interval in ns", as: Int64.self)
    let hasArrivals = !scanner.isAtEndOfLine
    if hasArrivals {
      let word = try scanner.word("\"arrived\" or nothing")
      guard word == "arrived" else {
        throw scanner.refused("\"arrived\" or nothing", FixtureText.quoted(word))
      }
    }
    try scanner.endLine()
    let attributes = try readAttributes()
    var rows = FixtureRows(start: start, step: step, hasArrivals: hasArrivals)
    let block = try rows.block(of: channel, &scanner)
    blocks.append((channel, block, attributes))
  }

  private mutating func readAttributes() throws(TraceError) -> [String: String] {
    var attributes: [String: String] = [:]
    while !scanner.isAtRow {
      var ahead = scanner
      guard ahead.keyword() == "attribute" else { break }
      let name = try ahead.word("a name")
      guard attributes[name] == nil else {
        throw scanner.refused(
          "attributes with different names", FixtureText.quoted(name) + " twice")
      }
      attributes[name] = try ahead.text()
      scanner = ahead
    }
    return attributes
  }
}
