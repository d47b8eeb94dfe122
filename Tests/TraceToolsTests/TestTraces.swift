import TraceModel

func instant(_ seconds: Double) -> TraceInstant {
  TraceInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
}

/// A trace with one vector channel.
func motion(
  _ times: [Int64], _ channel: Channel = .userAcceleration, value: (Int) -> Float = { Float($0) }
) -> Trace {
  var header = TraceHeader(id: "t", origin: .recorded)
  header.end = TraceInstant(nanoseconds: times.max() ?? 0)
  var trace = Trace(header: header)
  var columns = VectorColumns()
  for (index, time) in times.enumerated() {
    let x = value(index)
    columns.append(Vector3(x: x, y: -x, z: 2 * x), measured: time, arrived: time)
  }
  trace.set(.vector(columns), for: channel)
  return trace
}

/// A walk that starts and ends at one place: out `meters` to the north-east and back, a fix a second.
func walk(
  latitude: Double = 46.05, longitude: Double = 14.5, meters: Double = 1500, seed: UInt64 = 1
) -> Trace {
  var random = SeededGenerator(seed: seed)
  let count = 600
  var fixes = FixColumns()
  var motion = VectorColumns()
  for index in 0...count {
    let share = 1 - abs(Double(2 * index - count)) / Double(count)
    let north = share * meters * 0.8 + random.normal(standardDeviation: 2)
    let east = share * meters * 0.6 + random.normal(standardDeviation: 2)
    let fix = Fix(
      latitude: latitude + north / 111_200, longitude: longitude + east / 77_300, altitude: 300,
      horizontalAccuracy: 5, speed: 2.5, speedAccuracy: 0.3,
      course: index * 2 < count ? 37 : 217)
    let time = Int64(index) * 1_000_000_000
    fixes.append(fix, measured: time, arrived: time)
    for part in 0..<4 {
      let time = time + Int64(part) * 250_000_000
      motion.append(Vector3(x: Float(index), y: 0, z: 9.8), measured: time, arrived: time)
    }
  }
  var header = TraceHeader(id: "walk", origin: .recorded)
  header.end = TraceInstant(nanoseconds: Int64(count) * 1_000_000_000 + 750_000_000)
  var trace = Trace(header: header)
  trace.set(.fix(fixes), for: .location)
  trace.set(.vector(motion), for: .acceleration)
  return trace
}

extension Trace {
  var fixes: FixColumns { self[.location].flatMap { FixColumns($0) } ?? FixColumns() }
  var vectors: VectorColumns {
    header.channels.lazy.compactMap { self[$0.channel] }.compactMap { VectorColumns($0) }.first
      ?? VectorColumns()
  }
}

extension FixColumns {
  var all: [Fix] { range.map { self[$0] } }
}
