import Detectors
import TraceModel

/// Fixes and actions for a detector of locations, in metres around an anchor.
struct LocationScript {
  static let frame = LocalFrame(latitude: 46.5, longitude: 14.25)

  private(set) var columns = FixColumns()
  private(set) var actions: [(action: Action, time: TraceInstant)] = []

  /// A fix `east` and `north` of the anchor, measured at `seconds`.
  mutating func fix(
    _ seconds: Double, east: Double, north: Double = 0, accuracy: Double = 5,
    speed: Double = .nan, speedAccuracy: Double = .nan, age: Double = 0
  ) {
    let position = Self.frame.position(of: PlanarVector(east: east, north: north))
    add(
      Fix(
        latitude: position.latitude, longitude: position.longitude, horizontalAccuracy: accuracy,
        speed: speed, speedAccuracy: speedAccuracy), measured: Self.instant(seconds),
      arrived: Self.instant(seconds + age))
  }

  mutating func fix(_ seconds: Double, latitude: Double, longitude: Double) {
    add(
      Fix(latitude: latitude, longitude: longitude, horizontalAccuracy: 5),
      measured: Self.instant(seconds), arrived: Self.instant(seconds))
  }

  mutating func add(_ fix: Fix, measured: TraceInstant, arrived: TraceInstant) {
    columns.append(fix, measured: measured.nanoseconds, arrived: arrived.nanoseconds)
  }

  mutating func act(_ action: Action, _ seconds: Double) {
    actions.append((action, Self.instant(seconds)))
  }

  /// Longitudes on the equator, east of Greenwich: the last whose computed distance from longitude
  /// 0 is less than `distance` metres, one where it is that to the last bit, and the first where it
  /// is more; nil where no longitude gives exactly that.
  static func longitudes(at distance: Double) -> (below: Double, exact: Double, above: Double)? {
    func computed(_ longitude: Double) -> Double {
      Geodesy.distance(latitude: 0, longitude: 0, toLatitude: 0, longitude: longitude)
    }
    var below = Self.equator.position(of: PlanarVector(east: distance, north: 0)).longitude
    while computed(below) >= distance { below = below.nextDown }
    while computed(below.nextUp) < distance { below = below.nextUp }
    let exact = below.nextUp
    guard computed(exact) == distance else { return nil }
    var above = exact
    while computed(above) == distance { above = above.nextUp }
    return (below, exact, above)
  }

  private static let equator = LocalFrame(latitude: 0, longitude: 0)

  static func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  /// Feeds blocks of at most `blockSize` fixes; an action comes after the fixes that arrived by
  /// then.
  func run<D: Detector>(_ detector: inout D, blockSize: Int = .max) -> [Detection<D.Event>]
  where D.Columns == FixColumns {
    var detections: [Detection<D.Event>] = []
    var rest = columns
    func feed(until end: Int) {
      while rest.range.lowerBound < end {
        let block = rest.popFirst(min(blockSize, end - rest.range.lowerBound))
        detector.ingest(contentsOf: block, into: &detections)
      }
    }
    for (action, time) in actions {
      feed(until: rest.firstPosition(arrivedAfter: time))
      detector.handle(action, at: time, into: &detections)
    }
    feed(until: rest.range.upperBound)
    return detections
  }

  /// One fix at a time through `ingest`, as a run over merged channels does.
  func stream<D: Detector>(_ detector: inout D) -> [Detection<D.Event>]
  where D.Columns == FixColumns, D.Input == Fix {
    var detections: [Detection<D.Event>] = []
    var pending = actions[...]
    for position in columns.range {
      let arrived = columns.arrived(at: position)
      while let next = pending.first, next.time < arrived {
        detector.handle(next.action, at: next.time, into: &detections)
        pending.removeFirst()
      }
      detector.ingest(
        columns[position], measured: columns.measured(at: position), arrived: arrived,
        into: &detections)
    }
    for (action, time) in pending { detector.handle(action, at: time, into: &detections) }
    return detections
  }

  /// All times later by `nanoseconds`.
  func shifted(byNanoseconds nanoseconds: Int64) -> LocationScript {
    var copy = LocationScript()
    for position in columns.range {
      copy.add(
        columns[position],
        measured: columns.measured(at: position).advanced(byNanoseconds: nanoseconds),
        arrived: columns.arrived(at: position).advanced(byNanoseconds: nanoseconds))
    }
    copy.actions = actions.map { ($0.action, $0.time.advanced(byNanoseconds: nanoseconds)) }
    return copy
  }

  /// One fix in five measured at the time of the one before it, one in ten at an earlier time.
  func disordered(seed: UInt64) -> LocationScript {
    var generator = SeededGenerator(seed: seed)
    var copy = LocationScript()
    var last: TraceInstant?
    for position in columns.range {
      var measured = columns.measured(at: position)
      if let last {
        switch generator.unit() {
        case ..<0.2: measured = last
        case ..<0.3: measured = last.advanced(byNanoseconds: -Int64(generator.unit() * 30e9))
        default: break
        }
      }
      copy.add(columns[position], measured: measured, arrived: columns.arrived(at: position))
      last = measured
    }
    copy.actions = actions
    return copy
  }

  /// A walk that turns and stops, fixes with errors, and actions now and then.
  static func walk(seed: UInt64, count: Int = 600, actionChance: Double = 0.03) -> LocationScript {
    var generator = SeededGenerator(seed: seed)
    var script = LocationScript()
    var (east, north, heading, time) = (0.0, 0.0, 0.0, 0.0)
    for _ in 0..<count {
      let dt = generator.unit() < 0.02 ? generator.uniform(5...40) : generator.uniform(0.5...2)
      let speed = generator.unit() < 0.2 ? 0 : generator.uniform(0.5...4)
      time += dt
      heading += generator.normal(standardDeviation: 0.4)
      east += speed * dt * Math.cos(heading)
      north += speed * dt * Math.sin(heading)
      let accuracies = [3.0, 8, 19, 20, 60, -1, .nan]
      script.fix(
        time, east: east + generator.normal(standardDeviation: 3),
        north: north + generator.normal(standardDeviation: 3),
        accuracy: accuracies[Int(generator.unit() * 7)],
        speed: generator.unit() < 0.3 ? .nan : speed, age: 0)
      if generator.unit() < actionChance {
        script.act(Action.allCases[Int(generator.unit() * 7)], time + 0.25)
      }
    }
    return script
  }

  /// Anything a file could hold: extreme, infinite and missing values, times in any order.
  static func nonsense(seed: UInt64, count: Int) -> LocationScript {
    var generator = SeededGenerator(seed: seed)
    let extremes = [
      Double.nan, .infinity, -.infinity, 1e300, -1e300, 0, -0.0, -1, 90, -90, 180, -180, 179.999999,
      .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e-9, 50, 20,
    ]
    func number(_ usual: ClosedRange<Double>) -> Double {
      generator.unit() < 0.15
        ? extremes[Int(generator.unit() * Double(extremes.count))] : generator.uniform(usual)
    }
    var script = LocationScript()
    var time: Int64 = 0
    for _ in 0..<count {
      if generator.unit() < 0.2 {
        script.act(
          Action.allCases[Int(generator.unit() * 7)], Double(time) / 1e9 + generator.unit())
        continue
      }
      let latitude = number(46.499...46.501)
      let longitude = number(14.249...14.251)
      let accuracy = number(-5...60)
      let fix = Fix(
        latitude: latitude, longitude: longitude, altitude: number(0...1),
        horizontalAccuracy: accuracy, speed: number(-1...5), speedAccuracy: number(-1...2),
        course: number(-1...360))
      let isWild = generator.unit() < 0.02
      let measured =
        isWild
        ? Int64(truncatingIfNeeded: generator.next()) : time &- Int64(generator.unit() * 2e10)
      script.add(
        fix, measured: TraceInstant(nanoseconds: measured),
        arrived: TraceInstant(nanoseconds: time))
      time += Int64(generator.unit() * 3e9)
    }
    return script
  }
}
