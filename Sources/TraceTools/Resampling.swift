internal import Detectors
package import GSL
package import TraceModel

/// Resamples a channel to a uniform time grid: an explicit step, never hidden in a reader, that the
/// channel records.
///
/// The ticks are the multiples of 1 / `rate` from the trace's zero, rounded to whole nanoseconds,
/// so that several channels share them. A gap (an interval between neighbouring readings above the
/// limit) has no ticks unless ``fillsGaps`` is set. Each stretch between gaps has its own curve.
///
/// A tick's value depends on readings before and after it, so the result contains a little of the
/// future. Arrival times are therefore dropped.
package struct Resampling: Sendable, Hashable {
  /// The target rate in Hz, within ``rates``.
  package var rate: Double
  /// The interpolation; stretches that are too short for the method get straight lines.
  package var method: Interpolation.Method
  /// The longest interval that is bridged; nil = ten median intervals of the channel, but at least
  /// 200 ms.
  package var maximumGap: Duration?
  /// Whether longer gaps are filled with straight lines.
  package var fillsGaps: Bool
  /// Whether a low-pass is applied before the rate is lowered (below the channel's own, by its
  /// median interval). It removes everything from half of the new rate on (60 dB) and changes
  /// nothing up to 0.4 of it (0.1 %). Positions and headings are never filtered.
  ///
  /// The curve through the readings comes before the low-pass and attenuates by itself where ticks
  /// fall between readings: straight lines leave sinc²(f / own rate) of a frequency f, 0.97 at a
  /// tenth and 0.87 at a fifth of the channel's own rate, and pass up to 6 % of what is beyond half
  /// of the new rate (measured from 200 to 120 Hz); the cubic spline leaves 0.99 at a quarter and
  /// passes 0.5 %. There is no such effect at half, a third, ... of the rate of a channel whose
  /// readings lie on ticks.
  package var isAntiAliased: Bool

  /// The allowed rates in Hz.
  package static let rates: ClosedRange<Double> = 0.001...1_000_000
  /// The largest number of ticks before decimation: 11 days at 100 Hz.
  package static let mostTicks = 100_000_000
  /// Fewer where few readings would become many ticks: as many as this, and some for each reading.
  package static let freeTicks = 4_000_000
  package static let ticksForEach = 1000

  /// - Precondition: `rate` lies within ``rates``.
  package init(
    rate: Double, method: Interpolation.Method = .linear, maximumGap: Duration? = nil,
    fillsGaps: Bool = false, isAntiAliased: Bool = true
  ) {
    precondition(Self.rates.contains(rate))
    self.rate = rate
    self.method = method
    self.maximumGap = maximumGap
    self.fillsGaps = fillsGaps
    self.isAntiAliased = isAntiAliased
  }

  package struct Outcome: Sendable, Equatable {
    package var block: ChannelBlock
    /// The step with its parameters, as in the channel's attribute `resampling`.
    package var name: String
    /// The original rate in Hz, from the median interval; nil below two readings.
    package var rateBefore: Double?
    /// The number of readings that were left out because of a NaN or an invalid position.
    package var missing = 0
    /// The number of readings at the previous reading's time. They count as one, with their mean
    /// (for positions: the first one).
    package var duplicated = 0
    /// The intervals above the limit, in ns.
    package var gaps: [Range<Int64>] = []
    /// The number of ticks in filled gaps.
    package var filled = 0
    /// The number of lost readings: those of stretches between gaps without a tick.
    package var isolated = 0
  }

  /// - Returns: the channel on the grid; empty if it has no tick.
  /// - Throws: kind `.badData` for channels that have no values between readings (heartbeats,
  ///   touches, actions), for locations with a method other than straight lines, for times out of order, for
  ///   a low-pass to less than 1/100,000 of the rate, and for more than ``mostTicks``, or
  ///   ``freeTicks`` and ``ticksForEach`` reading.
  package func apply(
    to block: ChannelBlock, of channel: Channel
  ) throws(TraceError) -> Outcome {
    let positions = try positionsInOrder(block, channel)
    let times = positions.map { block.measuredTimes[$0] }
    switch block {
    case .vector(let columns):
      return try onGrid(
        channel, Knots(times, [columns.x, columns.y, columns.z].map { $0.gathered(positions) }),
        isFiltered: isAntiAliased
      ) { times, values in
        .vector(
          VectorColumns(
            times: times, x: values[0].map { Float($0) }, y: values[1].map { Float($0) },
            z: values[2].map { Float($0) }))
      }
    case .local(let columns):
      let (x, y) = (positions.map { columns[$0].x }, positions.map { columns[$0].y })
      // Positions have no content above half the rate that would have to be filtered.
      return try onGrid(channel, Knots(times, [x, y]), isFiltered: false) { times, values in
        .local(
          LocalColumns(
            times: times, values: zip(values[0], values[1]).map { LocalPosition(x: $0, y: $1) }))
      }
    case .scalar(let columns):
      return try scalars(columns, at: positions, times, channel)
    case .fix(let columns):
      return try fixes(columns, at: positions, times, channel)
    case .heartbeat, .touch, .action:
      throw TraceError(
        place: channel.name, expected: "a channel with values between its readings",
        found: "\(channel.name), whose readings are events", remedy: "leave it out of --channels")
    }
  }

  /// Returns the positions by measured time. Readings with arrival times are stored by arrival, so
  /// earlier ones may come later; without arrival times a step back is an error.
  private func positionsInOrder(
    _ block: ChannelBlock, _ channel: Channel
  ) throws(TraceError) -> [Int] {
    let times = block.measuredTimes
    guard block.arrivedTimes == nil else {
      return block.range.sorted { (times[$0], $0) < (times[$1], $1) }
    }
    for position in block.range.dropFirst() where times[position] < times[position - 1] {
      throw TraceError(
        place: "\(channel.name), reading \(position - block.range.lowerBound + 1)",
        expected: "times in order",
        found: "a time \(Double(times[position - 1].subtractingClamped(times[position])) / 1e9) s "
          + "before the previous one",
        remedy: "sort them with shadowbox convert --sort")
    }
    return Array(block.range)
  }

  private func scalars(
    _ columns: ScalarColumns, at positions: [Int], _ times: [Int64], _ channel: Channel
  ) throws(TraceError) -> Outcome {
    let isAngle = channel == .heading
    let values = positions.map { columns[$0].value }
    let knots = Knots(times, [isAngle ? Angles.unwrapped(values) : values])
    // The accuracy of a mean of two values is unknown.
    return try onGrid(channel, knots, isFiltered: isAntiAliased && !isAngle) { times, values in
      .scalar(
        ScalarColumns(
          times: times,
          values: values[0].map { Scalar(value: isAngle ? Angles.wrapped($0) : $0) }))
    }
  }

  /// Draws a curve through each column of the knots and takes its values at the ticks.
  private func onGrid(
    _ channel: Channel, _ knots: Knots, isFiltered: Bool,
    _ make: (TimeColumns, [[Double]]) -> ChannelBlock
  ) throws(TraceError) -> Outcome {
    let plan = try ResamplingPlan(self, knots.times, of: channel, isFiltered: isFiltered)
    var times: [Int64] = []
    var values = [[Double]](repeating: [], count: knots.columns.count)
    for piece in plan.pieces {
      let ticks = piece.ticks
      times += ticks.map(plan.grid.time(of:))
      for column in values.indices {
        values[column] += try plan.values(of: piece, knots.times, knots.columns[column], method)
      }
    }
    var outcome = plan.outcome(make(TimeColumns(measured: times), values))
    outcome.missing = knots.missing
    outcome.duplicated = knots.duplicated
    return outcome
  }

  private func fixes(
    _ columns: FixColumns, at positions: [Int], _ times: [Int64], _ channel: Channel
  ) throws(TraceError) -> Outcome {
    guard method == .linear else {
      throw TraceError(
        place: channel.name, expected: "the method \"linear\" for positions",
        found: method.rawValue, remedy: "resample location in a separate run with --method linear")
    }
    let usable = positions.indices.filter { columns[positions[$0]].isPosition }
    let single = usable.indices.filter { $0 == 0 || times[usable[$0]] != times[usable[$0 - 1]] }
      .map { usable[$0] }
    let kept = single.map { columns[positions[$0]] }
    let knots = single.map { times[$0] }
    let plan = try ResamplingPlan(self, knots, of: channel, isFiltered: false)
    var output = FixColumns()
    for piece in plan.pieces {
      var index = piece.knots.lowerBound
      for tick in piece.ticks {
        let time = plan.grid.time(of: tick)
        while index + 1 < piece.knots.upperBound, knots[index + 1] <= time { index += 1 }
        let next = min(index + 1, knots.count - 1)
        let span = Double(knots[next].subtractingClamped(knots[index]))
        let share = span > 0 ? Double(time.subtractingClamped(knots[index])) / span : 0
        output.append(
          Fix.between(kept[index], kept[next], min(max(share, 0), 1)), measured: time,
          arrived: time)
      }
    }
    var outcome = plan.outcome(.fix(output))
    outcome.missing = positions.count - usable.count
    outcome.duplicated = usable.count - single.count
    return outcome
  }
}

extension Trace {
  /// Resamples `channels`, each of which must be in the trace, and records the step in each.
  /// - Returns: the trace, and the result for each of `channels`, in their order.
  /// - Throws: as ``Resampling/apply(to:of:)``.
  package func resampled(
    _ channels: [Channel], by step: Resampling
  ) throws(TraceError) -> (trace: Trace, outcomes: [Resampling.Outcome]) {
    var trace = self
    var outcomes: [Resampling.Outcome] = []
    for channel in channels {
      guard let block = self[channel] else { continue }
      let outcome = try step.apply(to: block, of: channel)
      var attributes = header.info(channel)?.attributes ?? [:]
      let before = attributes["resampling"].map { $0 + "; then " } ?? ""
      attributes["resampling"] = before + outcome.name
      trace.set(outcome.block, for: channel, attributes: attributes)
      outcomes.append(outcome)
    }
    return (trace, outcomes)
  }
}

/// Readings with strictly increasing times, all of whose values are numbers.
struct Knots {
  private(set) var times: [Int64] = []
  private(set) var columns: [[Double]]
  private(set) var missing = 0
  private(set) var duplicated = 0

  /// - Precondition: times do not decrease; every column is as long as they are.
  init(_ times: [Int64], _ columns: [[Double]]) {
    self.columns = columns.map { _ in [] }
    // The number of readings whose mean is the last knot.
    var share = 1.0
    for index in times.indices {
      guard columns.allSatisfy({ $0[index].isFinite }) else {
        missing += 1
        continue
      }
      if self.times.last == times[index] {
        duplicated += 1
        share += 1
        let last = self.times.count - 1
        for column in columns.indices {
          self.columns[column][last] +=
            (columns[column][index] - self.columns[column][last]) / share
        }
      } else {
        share = 1
        self.times.append(times[index])
        for column in columns.indices { self.columns[column].append(columns[column][index]) }
      }
    }
  }
}

extension [Float] {
  func gathered(_ positions: [Int]) -> [Double] { positions.map { Double(self[$0]) } }
}

/// Angles in degrees, which wrap at 360.
enum Angles {
  /// Returns the angles, each within half a turn of the previous one.
  static func unwrapped(_ degrees: [Double]) -> [Double] {
    var last: Double?
    return degrees.map { angle in
      guard angle.isFinite else { return angle }
      let next = last.map { $0 + (angle - $0).remainder(dividingBy: 360) } ?? angle
      last = next
      return next
    }
  }

  /// Returns the angle in 0..<360.
  static func wrapped(_ degrees: Double) -> Double {
    let rest = degrees.remainder(dividingBy: 360)
    return rest < 0 ? (rest + 360 < 360 ? rest + 360 : 0) : rest
  }
}

extension Position {
  /// Whether the coordinates exist; a longitude counts modulo 360.
  var isOnEarth: Bool { abs(latitude) <= 90 && longitude.isFinite }
}

extension Fix {
  /// Whether the fix has coordinates, valid or not.
  var hasCoordinates: Bool { Position(self).isOnEarth }

  /// Whether the fix has a position that the device did not mark as invalid.
  var isPosition: Bool { Position(self).isValid && !(horizontalAccuracy < 0) }

  /// All values, in the order of the initializer.
  var numbers: [Double] {
    [latitude, longitude, altitude, horizontalAccuracy, speed, speedAccuracy, course]
  }

  /// Returns a fix on the straight line from one fix to the next in latitude and longitude, across
  /// the date line if that is shorter. Values that one of the two lacks or marks as invalid are
  /// NaN.
  static func between(_ first: Fix, _ second: Fix, _ share: Double) -> Fix {
    guard share > 0 else { return first }
    guard share < 1 else { return second }
    func mix(_ path: KeyPath<Fix, Double>) -> Double {
      first[keyPath: path] + share * (second[keyPath: path] - first[keyPath: path])
    }
    func mixOfValid(_ path: KeyPath<Fix, Double>) -> Double {
      first[keyPath: path] >= 0 && second[keyPath: path] >= 0 ? mix(path) : .nan
    }
    let eastward = (second.longitude - first.longitude).remainder(dividingBy: 360)
    let turn = (second.course - first.course).remainder(dividingBy: 360)
    let hasCourse = first.course >= 0 && second.course >= 0
    return Fix(
      latitude: mix(\.latitude),
      longitude: (first.longitude + share * eastward).remainder(dividingBy: 360),
      altitude: mix(\.altitude), horizontalAccuracy: mixOfValid(\.horizontalAccuracy),
      speed: mixOfValid(\.speed), speedAccuracy: mixOfValid(\.speedAccuracy),
      course: hasCourse ? Angles.wrapped(first.course + share * turn) : .nan)
  }
}
