import TraceModel

/// Recordings with every fault at once, from a seed.
struct WildTrace {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// - Parameter anyTimes: whether times may be any 64-bit number.
  mutating func trace(anyTimes: Bool) -> Trace {
    var trace = Trace(header: TraceHeader(id: "wild", origin: .recorded))
    for channel in Channel.allCases where below(3) > 0 {
      let count = below(4) == 0 ? below(4) : below(400)
      let times = TimeColumns(measured: times(count, anyTimes))
      trace.set(block(channel, times), for: channel)
    }
    trace.header.end = TraceInstant(nanoseconds: Int64(below(400)) * 10_000_000)
    trace.header.references = [
      ReferenceSet(
        task: .punch,
        events: (0..<below(20)).map { _ in
          let onset = Double(below(4000)) / 1000
          return .from(onset, to: onset + Double(below(500)) / 1000)
        })
    ]
    return trace
  }

  private mutating func times(_ count: Int, _ anyTimes: Bool) -> [Int64] {
    var time: Int64 = 0
    return (0..<count).map { _ in
      if anyTimes, below(20) == 0 { return Int64(bitPattern: generator.next()) }
      switch below(12) {
      case 0: break
      case 1: time -= Int64(below(50)) * 1_000_000
      case 2: time += Int64(below(500)) * 1_000_000
      default: time += 10_000_000
      }
      return time
    }
  }

  private mutating func block(_ channel: Channel, _ times: TimeColumns) -> ChannelBlock {
    let count = times.measured.count
    switch ChannelBlock(emptyFor: channel) {
    case .vector:
      let values = (0..<count).map { _ in Vector3(x: axis(), y: axis(), z: axis()) }
      return .vector(
        VectorColumns(
          times: times, x: values.map(\.x), y: values.map(\.y), z: values.map(\.z)))
    case .fix:
      return .fix(FixColumns(times: times, values: (0..<count).map { _ in fix() }))
    case .local:
      let values = (0..<count).map { _ in
        LocalPosition(x: Double(below(3)), y: pick([0, 1, .nan, 1e9]))
      }
      return .local(LocalColumns(times: times, values: values))
    case .scalar:
      let values = (0..<count).map { _ in
        Scalar(value: pick([90_000, 90_001, 90_002, .nan, .infinity, -5]))
      }
      return .scalar(ScalarColumns(times: times, values: values))
    case .heartbeat:
      let values = (0..<count).map { _ in Heartbeat(peer: Int32(below(3))) }
      return .heartbeat(HeartbeatColumns(times: times, values: values))
    case .touch:
      let values = (0..<count).map { _ in
        Touch(
          x: Double(below(400)), y: pick([0, 600, .nan, .infinity, -1e9]),
          phase: pick(Touch.Phase.allCases), pointer: Int32(below(2)))
      }
      return .touch(TouchColumns(times: times, values: values))
    case .action:
      let values = (0..<count).map { _ in pick(Action.allCases) }
      return .action(ActionColumns(times: times, values: values))
    }
  }

  /// Few values, so that copies occur.
  private mutating func axis() -> Float {
    below(100) == 0 ? pick([.nan, .infinity, -1e30, 5000]) : Float(below(4))
  }

  private mutating func fix() -> Fix {
    guard below(8) > 0 else {
      return pick([
        Fix(latitude: 0, longitude: 0), Fix(latitude: 95, longitude: 11),
        Fix(latitude: 47, longitude: .infinity), Fix(latitude: .nan, longitude: .nan),
        Fix(latitude: 47, longitude: 11, altitude: 1e9),
        Fix(latitude: 47, longitude: 11, speed: 1e9, course: 4000),
      ])
    }
    return Fix(
      latitude: 47 + Double(below(3)) * 1e-4, longitude: 11,
      horizontalAccuracy: pick([-1, 5, .nan]))
  }

  private mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
  private mutating func pick<Element>(_ all: [Element]) -> Element { all[below(all.count)] }
}
