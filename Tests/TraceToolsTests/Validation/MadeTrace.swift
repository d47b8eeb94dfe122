import TraceModel

/// Sound traces, without findings, that the tests then damage.
enum MadeTrace {
  static let second: Int64 = 1_000_000_000

  /// A device at rest on a table, then shaken: 10 ms apart, z up, gravity included.
  static func rest(
    count: Int = 2000, channel: Channel = .acceleration, gravity: Double = standardGravity,
    noise: Double = 0.05, seed: UInt64 = 1
  ) -> Trace {
    var generator = SeededGenerator(seed: seed)
    func value(_ mean: Double) -> Float {
      Float(generator.normal(mean: mean, standardDeviation: noise))
    }
    var columns = VectorColumns()
    for index in 0..<count {
      let time = Int64(index) * 10_000_000
      columns.append(
        Vector3(x: value(0), y: value(0), z: value(gravity)), measured: time, arrived: time)
    }
    return trace(.vector(columns), channel)
  }

  /// A walk eastwards at 1.4 m/s, a fix a second.
  static func walk(count: Int = 300) -> Trace {
    var columns = FixColumns()
    for index in 0..<count {
      let time = Int64(index) * second
      columns.append(
        Fix(
          latitude: 47 + 1e-6 * Double(index % 3), longitude: 11 + 1.843e-5 * Double(index),
          altitude: 500, horizontalAccuracy: 5, speed: 1.4, speedAccuracy: 0.5, course: 90),
        measured: time, arrived: time)
    }
    return trace(.fix(columns), .location)
  }

  /// The pressure of a climb, once a second.
  static func climb(count: Int = 100) -> Trace {
    var columns = ScalarColumns()
    for index in 0..<count {
      let time = Int64(index) * second
      columns.append(
        Scalar(value: 95_000 - 3.5 * Double(index)), measured: time, arrived: time)
    }
    return trace(.scalar(columns), .pressure)
  }

  private static func trace(_ block: ChannelBlock, _ channel: Channel) -> Trace {
    var header = TraceHeader(id: "made", origin: .recorded)
    header.isEpochKnown = true
    header.epoch = "2024-05-01T10:00:00Z"
    header.references = [ReferenceSet(task: .punch, events: [])]
    header.end = TraceInstant(nanoseconds: block.measuredTimes.max() ?? 0)
    var trace = Trace(header: header)
    trace.set(block, for: channel)
    return trace
  }
}

extension Trace {
  /// The only channel's times and vectors, changed.
  func changingVectors(
    _ channel: Channel = .acceleration, _ change: (inout [Int64], inout [Vector3]) -> Void
  ) -> Trace {
    guard let columns = self[channel].flatMap({ VectorColumns($0) }) else { return self }
    var times = columns.measuredTimes
    var values = columns.range.map { columns[$0] }
    change(&times, &values)
    var copy = self
    copy.set(
      .vector(
        VectorColumns(
          times: TimeColumns(measured: times), x: values.map(\.x), y: values.map(\.y),
          z: values.map(\.z))), for: channel)
    return copy
  }

  func changingFixes(_ change: (inout [Int64], inout [Fix]) -> Void) -> Trace {
    guard let columns = self[.location].flatMap({ FixColumns($0) }) else { return self }
    var (times, values) = (columns.measuredTimes, columns.values)
    change(&times, &values)
    var copy = self
    copy.set(
      .fix(FixColumns(times: TimeColumns(measured: times), values: values)), for: .location)
    return copy
  }

  func changingScalars(_ change: (inout [Int64], inout [Scalar]) -> Void) -> Trace {
    guard let columns = self[.pressure].flatMap({ ScalarColumns($0) }) else { return self }
    var (times, values) = (columns.measuredTimes, columns.values)
    change(&times, &values)
    var copy = self
    copy.set(
      .scalar(ScalarColumns(times: TimeColumns(measured: times), values: values)), for: .pressure)
    return copy
  }

  func changingHeader(_ change: (inout TraceHeader) -> Void) -> Trace {
    var copy = self
    change(&copy.header)
    return copy
  }

  func stating(_ events: [ReferenceEvent], of task: ReferenceTask = .punch) -> Trace {
    changingHeader { $0.references = [ReferenceSet(task: task, events: events)] }
  }
}

extension ReferenceEvent {
  /// In seconds.
  static func from(_ onset: Double, to offset: Double, place: Int32? = nil) -> ReferenceEvent {
    ReferenceEvent(
      onset: TraceInstant(nanoseconds: Int64(onset * 1e9)),
      offset: TraceInstant(nanoseconds: Int64(offset * 1e9)), place: place)
  }
}
