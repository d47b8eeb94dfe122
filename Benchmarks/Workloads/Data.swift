import Synthesis
public import TraceModel

/// The traces that are measured on, all synthetic: the same on every machine but for libm's last
/// digit.
public enum Data {
  /// An hour at 100 Hz of bouts of punches with walking, running and handling in between.
  public static func hour() throws(TraceError) -> Trace {
    Synthesizer.trace(try ScenarioSpec(kind: .punches, duration: 3600))
  }

  /// A walk along waypoints: fixes at 1 Hz.
  public static func route() throws(TraceError) -> Trace {
    Synthesizer.trace(try ScenarioSpec(kind: .route))
  }

  /// Ten kilometres on roads: fixes at 1 Hz.
  public static func roadRun() throws(TraceError) -> Trace {
    Synthesizer.trace(try ScenarioSpec(kind: .roadRun))
  }

  /// `columns` again and again until there are `count` readings, in steps of 10 ms, all scaled.
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

  /// Noise within ±5 m s-2 an axis and a swing over any preset's threshold every two seconds. No
  /// transcendental function has a part in it: the same to the bit on every machine.
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
  /// The readings of a detector's channel.
  /// - Throws: ``TraceError`` where the trace has no such channel.
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
