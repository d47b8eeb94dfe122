import TraceModel

/// A trace with any values in all of its parts.
struct RandomTrace {
  private var generator: SeededGenerator
  private(set) var trace: Trace

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    trace = Trace(header: TraceHeader(id: "", origin: .recorded))
    trace = Trace(header: header())
    for channel in Channel.allCases where !isTrue(oneIn: 3) {
      trace.set(block(of: channel), for: channel, attributes: attributes())
    }
  }

  private mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
  private mutating func isTrue(oneIn count: Int) -> Bool { below(count) == 0 }
  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }

  private mutating func text() -> String {
    pick([
      "", "-", "a", "left hook", " blanks ", "é", "💥", "a\u{301}", "a\nb\r\n", "\\", "\\0A",
      "\u{7F}",
      "\u{0}", "#", "complete", "x\ty", "\u{2028}",
    ])
  }

  private mutating func double() -> Double {
    switch below(4) {
    case 0: Double(bitPattern: generator.next())
    case 1:
      pick([0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 1e22, 1e23])
    case 2: Double(below(2_000_001) - 1_000_000) / 1000
    default: Double.random(in: -180...180, using: &generator)
    }
  }

  private mutating func float() -> Float {
    switch below(3) {
    case 0: Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
    case 1: pick([0, -0.0, .nan, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
    default: Float.random(in: -160...160, using: &generator)
    }
  }

  /// The end of every trace: the latest time that a recording can have.
  private static let end = Int64.max / 2

  private mutating func time() -> TraceInstant {
    TraceInstant(nanoseconds: Int64(below(1_000_000_000)))
  }

  private mutating func attributes() -> [String: String] {
    var attributes: [String: String] = [:]
    for _ in 0..<below(3) { attributes[pick(["a", "b c", "", "-", "é"])] = text() }
    return attributes
  }

  private mutating func header() -> TraceHeader {
    var header = TraceHeader(id: "t" + text(), origin: pick(TraceOrigin.allCases))
    (header.subject, header.device, header.placement) = (text(), text(), text())
    (header.activity, header.source, header.license) = (text(), text(), text())
    header.handedness = pick(Hand.allCases)
    if isTrue(oneIn: 2) { header.seed = generator.next() }
    if isTrue(oneIn: 2) {
      header.screen = ScreenSize(
        width: pick([10, 320, 100_000]), height: Double.random(in: 10...1000, using: &generator))
    }
    if isTrue(oneIn: 2) { header.setEpoch(nanoseconds: Int64(below(1 << 60))) }
    if isTrue(oneIn: 4) { header.isEpochKnown.toggle() }
    header.end = TraceInstant(nanoseconds: Self.end)
    for _ in 0..<below(3) {
      header.places.append(
        Place(
          id: Int32(truncatingIfNeeded: generator.next()), latitude: double(), longitude: double(),
          radius: double(), rank: Int32(truncatingIfNeeded: generator.next())))
    }
    for _ in 0..<below(3) {
      header.ignoreZones.append(IgnoreZone(onset: time(), offset: time()))
    }
    for task in ReferenceTask.allCases where isTrue(oneIn: 3) {
      header.references.append(reference(task))
    }
    for task in ReferenceTask.countable.sorted()
    where header.reference(task) == nil && isTrue(oneIn: 2) {
      header.counts.append(
        ReferenceCount(
          task: task, count: Int(below(1_000_000_001)), definition: text()))
    }
    if isTrue(oneIn: 2) {
      let count = below(5)
      header.track = ReferenceTrack(
        times: (0..<count).map { _ in Int64(bitPattern: generator.next()) },
        latitudes: (0..<count).map { _ in double() }, longitudes: (0..<count).map { _ in double() })
    }
    return header
  }

  private mutating func reference(_ task: ReferenceTask) -> ReferenceSet {
    var set = ReferenceSet(task: task, events: [], valueUnits: text(), definition: text())
    if isTrue(oneIn: 2) { set.tolerance = .nanoseconds(Int64(below(1_000_000_000))) }
    for _ in 0..<below(6) {
      set.events.append(
        ReferenceEvent(
          onset: time(), offset: time(), label: text(), originalLabel: text(),
          hand: pick(Hand.allCases), place: isTrue(oneIn: 2) ? Int32(below(9) - 4) : nil,
          value: double()))
    }
    set.events.sort { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
    return set
  }

  private mutating func times(_ count: Int) -> TimeColumns {
    let isRegular = isTrue(oneIn: 2)
    var measured: [Int64] = []
    for index in 0..<count {
      measured.append(
        isRegular
          ? Int64(index) * 10_000_000 + Int64(below(1000))
          : Int64(bitPattern: generator.next()) / 2)
    }
    let arrived = measured.map { $0 / 2 + Int64(below(1_000_000)) }
    return TimeColumns(measured: measured, arrived: isTrue(oneIn: 2) ? arrived : nil)
  }

  private mutating func block(of channel: Channel) -> ChannelBlock {
    let count = below(30)
    let times = times(count)
    let whole: ChannelBlock =
      switch ChannelBlock(emptyFor: channel) {
      case .vector:
        .vector(
          VectorColumns(
            times: times, x: (0..<count).map { _ in float() }, y: (0..<count).map { _ in float() },
            z: (0..<count).map { _ in float() }))
      case .fix:
        .fix(
          ValueColumns(
            times: times,
            values: (0..<count).map { _ in
              Fix(
                latitude: double(), longitude: double(), altitude: double(),
                horizontalAccuracy: double(), speed: double(), speedAccuracy: double(),
                course: double())
            }))
      case .local:
        .local(
          ValueColumns(
            times: times, values: (0..<count).map { _ in LocalPosition(x: double(), y: double()) }))
      case .scalar:
        .scalar(
          ValueColumns(
            times: times,
            values: (0..<count).map { _ in Scalar(value: double(), accuracy: double()) }))
      case .heartbeat:
        .heartbeat(
          ValueColumns(
            times: times,
            values: (0..<count).map { _ in
              Heartbeat(
                peer: Int32(truncatingIfNeeded: generator.next()),
                sequence: Int64(bitPattern: generator.next()))
            }))
      case .touch:
        .touch(
          ValueColumns(
            times: times,
            values: (0..<count).map { _ in
              Touch(
                x: double(), y: double(), phase: pick(Touch.Phase.allCases),
                pointer: Int32(truncatingIfNeeded: generator.next()))
            }))
      case .action:
        .action(ValueColumns(times: times, values: (0..<count).map { _ in pick(Action.allCases) }))
      }
    // A window on longer columns.
    let lower = below(count + 1)
    return isTrue(oneIn: 3) ? whole[lower..<max(lower, count - below(count + 1))] : whole
  }
}

extension Trace {
  /// Everything that a trace holds as text, with the bits of its numbers.
  var bits: [String] {
    var header = header
    header.track = nil
    (header.places, header.references, header.channels) = ([], [], [])
    var lines = ["\(header)"]
    for place in self.header.places {
      lines.append(
        "\(place.id) \(place.rank) "
          + bits([place.latitude, place.longitude, place.radius]))
    }
    for set in self.header.references {
      lines.append(
        "\(set.task) \(set.valueUnits) \(set.definition) \(String(describing: set.tolerance))")
      lines += set.events.map { event in
        "\(event.onset) \(event.offset) \(event.label) \(event.originalLabel) \(event.hand) "
          + "\(String(describing: event.place)) \(bits([event.value]))"
      }
    }
    if let track = self.header.track {
      lines.append("\(track.times) \(bits(track.latitudes)) \(bits(track.longitudes))")
    }
    for info in self.header.channels {
      lines.append("\(info.channel) \(info.count) \(info.hasArrivalTimes)")
      lines += info.attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      lines += self[info.channel].map { bits($0) } ?? []
    }
    return lines
  }

  private func bits(_ numbers: [Double]) -> String { "\(numbers.map(\.bitPattern))" }

  private func bits(_ block: ChannelBlock) -> [String] {
    block.range.map { position in
      let times =
        "\(block.measuredTimes[position]) \(String(describing: block.arrivedTimes?[position])) "
      return switch block.value(at: position) {
      case .vector(let value):
        times + "\(value.x.bitPattern) \(value.y.bitPattern) \(value.z.bitPattern)"
      case .fix(let fix):
        times
          + bits([
            fix.latitude, fix.longitude, fix.altitude, fix.horizontalAccuracy, fix.speed,
            fix.speedAccuracy, fix.course,
          ])
      case .local(let value): times + bits([value.x, value.y])
      case .scalar(let value): times + bits([value.value, value.accuracy])
      case .heartbeat(let value): times + "\(value.peer) \(value.sequence)"
      case .touch(let value):
        times + bits([value.x, value.y]) + "\(value.phase.name) \(value.pointer)"
      case .action(let value): times + value.name
      }
    }
  }
}
