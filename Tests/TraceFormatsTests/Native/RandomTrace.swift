import TraceModel

/// Traces of every shape that the model allows, from a seed.
struct RandomTrace {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func trace() -> Trace {
    var trace = Trace(header: header())
    for channel in Channel.allCases where isTrue() {
      var attributes: [String: String] = [:]
      for _ in 0..<below(3) { attributes["fact_\(below(9))"] = text() }
      trace.set(block(channel), for: channel, attributes: attributes)
    }
    let times = trace.header.channels.compactMap { trace[$0.channel] }
      .flatMap { $0.measuredTimes + ($0.arrivedTimes ?? []) }
    let last = max(times.max() ?? 0, 0)
    trace.header.end = TraceInstant(nanoseconds: isTrue() ? last : last + Int64(below(1 << 40)))
    return trace
  }

  private mutating func header() -> TraceHeader {
    var header = TraceHeader(id: "r" + text(), origin: pick(TraceOrigin.allCases))
    header.subject = text()
    header.device = text()
    header.placement = text()
    header.handedness = pick(Hand.allCases)
    header.activity = text()
    if isTrue() { header.screen = ScreenSize(width: Double(below(900) + 10), height: 667.25) }
    header.epoch = pick([
      "2022-05-01T10:00:03Z", "1999-12-31T23:59:59.9Z", TraceHeader.unknownEpoch,
    ])
    header.isEpochKnown = isTrue()
    header.source = text()
    header.license = text()
    header.seed = isTrue() ? generator.next() : nil
    for _ in 0..<below(3) {
      header.places.append(
        Place(
          id: Int32(below(1000)), latitude: double(), longitude: double(), radius: double(),
          rank: Int32(below(10)) - 5))
    }
    for task in ReferenceTask.allCases.sorted() where isTrue() {
      header.references.append(reference(task))
    }
    for task in ReferenceTask.countable.sorted() where header.reference(task) == nil && isTrue() {
      header.counts.append(
        ReferenceCount(
          task: task, count: Int(below(1_000_000_001)), definition: text()))
    }
    if isTrue() { header.track = track() }
    for _ in 0..<below(3) {
      header.ignoreZones.append(IgnoreZone(onset: instant(), offset: instant()))
    }
    return header
  }

  private mutating func reference(_ task: ReferenceTask) -> ReferenceSet {
    var set = ReferenceSet(task: task, events: [], valueUnits: text(), definition: text())
    if isTrue() { set.tolerance = .nanoseconds(below(1 << 40)) }
    for _ in 0..<below(40) {
      set.events.append(
        ReferenceEvent(
          onset: instant(), offset: instant(), label: text(), originalLabel: text(),
          hand: pick(Hand.allCases), place: isTrue() ? Int32(below(100)) : nil, value: double()))
    }
    set.events.sort { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
    return set
  }

  private mutating func track() -> ReferenceTrack {
    let count = below(20)
    return ReferenceTrack(
      times: (0..<count).map { Int64($0) }, latitudes: doubles(count), longitudes: doubles(count))
  }

  private mutating func block(_ channel: Channel) -> ChannelBlock {
    let count = isTrue() ? below(20) : below(3000)
    let times = TimeColumns(measured: integers(count), arrived: isTrue() ? integers(count) : nil)
    switch ChannelBlock(emptyFor: channel) {
    case .vector:
      return .vector(
        VectorColumns(times: times, x: floats(count), y: floats(count), z: floats(count)))
    case .fix:
      let values = (0..<7).map { _ in doubles(count) }
      return .fix(
        FixColumns(
          times: times,
          values: (0..<count).map {
            Fix(
              latitude: values[0][$0], longitude: values[1][$0], altitude: values[2][$0],
              horizontalAccuracy: values[3][$0], speed: values[4][$0],
              speedAccuracy: values[5][$0], course: values[6][$0])
          }))
    case .local:
      return .local(
        LocalColumns(
          times: times,
          values: zip(doubles(count), doubles(count)).map { LocalPosition(x: $0, y: $1) }))
    case .scalar:
      return .scalar(
        ScalarColumns(
          times: times,
          values: zip(doubles(count), doubles(count)).map { Scalar(value: $0, accuracy: $1) }))
    case .heartbeat:
      return .heartbeat(
        HeartbeatColumns(
          times: times,
          values: integers(count).map {
            Heartbeat(peer: Int32(truncatingIfNeeded: $0), sequence: $0)
          }))
    case .touch:
      var touches: [Touch] = []
      for _ in 0..<count {
        touches.append(
          Touch(
            x: double(), y: double(), phase: pick(Touch.Phase.allCases),
            pointer: Int32(truncatingIfNeeded: generator.next())))
      }
      return .touch(TouchColumns(times: times, values: touches))
    case .action:
      var actions: [Action] = []
      for _ in 0..<count { actions.append(pick(Action.allCases)) }
      return .action(ActionColumns(times: times, values: actions))
    }
  }

  private mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
  private mutating func isTrue() -> Bool { below(2) == 1 }
  private mutating func pick<Element>(_ all: [Element]) -> Element { all[below(all.count)] }

  private mutating func instant() -> TraceInstant {
    TraceInstant(nanoseconds: Int64(bitPattern: generator.next()))
  }

  private mutating func integers(_ count: Int) -> [Int64] {
    var values: [Int64] = []
    for _ in 0..<count { values.append(Int64(bitPattern: generator.next()) >> 8) }
    return values
  }

  private mutating func double() -> Double {
    pick([.nan, .infinity, -0.0, generator.normal(), 1e300 * generator.normal()])
  }

  private mutating func doubles(_ count: Int) -> [Double] {
    var values: [Double] = []
    for _ in 0..<count { values.append(double()) }
    return values
  }

  private mutating func floats(_ count: Int) -> [Float] { doubles(count).map { Float($0) } }

  private mutating func text() -> String {
    let alphabet = Array("ab0_-.+@ %/é🥊\n\"\\")
    var text = pick(["", "", "unlabelled", "none"])
    for _ in 0..<below(12) { text.append(pick(alphabet)) }
    return text
  }
}
