public import Synthesis
public import TraceModel

/// The synthetic traces of the benchmarks: identical on every machine except for the last digit of
/// libm.
public enum Data {
  /// Returns an hour at 100 Hz of bouts of punches with walking, running and handling in between.
  public static func hour() throws(TraceError) -> Trace {
    Synthesizer.trace(try ScenarioSpec(kind: .punches, duration: 3600))
  }

  /// Returns a walk along waypoints: fixes at 1 Hz.
  public static func route() throws(TraceError) -> Trace {
    Synthesizer.trace(try ScenarioSpec(kind: .route))
  }

  /// Returns ten kilometres on roads: fixes at 1 Hz.
  public static func roadRun() throws(TraceError) -> Trace {
    Synthesizer.trace(try ScenarioSpec(kind: .roadRun))
  }

  /// Returns the traces of people in one scenario.
  public static func people(
    _ kind: ScenarioKind, _ subjects: [Int]
  ) throws(TraceError) -> [Trace] {
    var traces: [Trace] = []
    for subject in subjects {
      traces.append(Synthesizer.trace(try ScenarioSpec(kind: kind, subject: subject)))
    }
    return traces
  }

  /// Repeats `columns` until there are `count` readings, in steps of 10 ms, all scaled.
  public static func repeated(
    _ columns: VectorColumns, count: Int, scale: Float = 1
  ) -> VectorColumns {
    func column(_ values: [Float]) -> [Float] {
      (0..<count).map { values[columns.range.lowerBound + $0 % columns.count] * scale }
    }
    let times = (0..<count).map { Int64($0) * 10_000_000 }
    return VectorColumns(
      times: TimeColumns(measured: times), x: column(columns.x), y: column(columns.y),
      z: column(columns.z))
  }

  /// Returns noise within ±5 m s-2 per axis and a swing over any preset's threshold every two
  /// seconds. It uses no transcendental function, so it is bit-identical on every machine.
  public static func swings(count: Int) -> VectorColumns {
    var random = SeededGenerator(seed: 1)
    var columns = VectorColumns()
    for index in 0..<count {
      let phase = index % 200
      let swing = phase < 7 ? Float(60 - 15 * abs(phase - 3)) : 0
      func noise() -> Float { Float(10 * (random.unit() - 0.5)) }
      columns.append(
        Vector3(x: noise() + swing, y: noise(), z: noise()), measured: Int64(index) * 10_000_000,
        arrived: Int64(index) * 10_000_000)
    }
    return columns
  }
}

extension Trace {
  /// Returns the readings of a detector's channel.
  /// - Throws: ``TraceError`` if the trace has no such channel.
  public func columns<Columns: ReadingColumns>(
    _ channel: Channel, as type: Columns.Type = Columns.self
  ) throws(TraceError) -> Columns {
    guard let columns = self[channel].flatMap({ Columns($0) }) else {
      throw TraceError(
        place: header.id, expected: "channel \(channel.name)", found: "none of that kind")
    }
    return columns
  }
}

extension Data {
  /// Returns noise within ±3 m s-2 per axis at 100 Hz, a punch of a random strength at even
  /// distances, each with a reference up to 65 ms from its peak, and the same number of bumps
  /// without a punch. Times of references lie between those of samples, so that no difference
  /// equals a tolerance of whole hundredths and comparisons in floating point agree. It uses no
  /// transcendental function.
  public static func punchedNoise(count: Int, punches: Int) -> Trace {
    var random = SeededGenerator(seed: 6)
    func uniform(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * random.unit()
    }
    func noise() -> Float { Float(uniform(-3...3)) }
    var (x, y, z) = ([Float](), [Float](), [Float]())
    for _ in 0..<count {
      x.append(noise())
      y.append(noise())
      z.append(noise())
    }
    var events: [ReferenceEvent] = []
    let distance = count / punches
    for punch in 0..<punches {
      let peak = punch * distance + distance / 2
      // The rising swing, then the stop.
      swing(&x, at: peak - 12, halfWidth: 8, height: uniform(5...25))
      swing(&x, at: peak, halfWidth: 4, height: uniform(15...75))
      swing(&y, at: punch * distance + distance / 8, halfWidth: 6, height: uniform(5...45))
      let shift = Int64(uniform(-6...6).rounded()) * 10_000_000 + 5_000_000
      events.append(
        ReferenceEvent(
          onset: TraceInstant(nanoseconds: Int64(peak) * 10_000_000 + shift), label: "straight"))
    }
    var header = TraceHeader(id: "punched-noise", origin: .synthetic)
    header.subject = "none"
    header.end = TraceInstant(nanoseconds: Int64(count) * 10_000_000)
    header.references = [ReferenceSet(task: .punch, events: events)]
    var trace = Trace(header: header)
    let times = TimeColumns(measured: (0..<count).map { Int64($0) * 10_000_000 })
    trace.set(.vector(VectorColumns(times: times, x: x, y: y, z: z)), for: .userAcceleration)
    return trace
  }

  private static func swing(
    _ column: inout [Float], at center: Int, halfWidth: Int, height: Double
  ) {
    for offset in -halfWidth...halfWidth where column.indices.contains(center + offset) {
      let share = 1 - Double(abs(offset)) / Double(halfWidth + 1)
      column[center + offset] += Float(height * share)
    }
  }
}
