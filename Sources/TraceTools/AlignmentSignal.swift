package import TraceModel
internal import Detectors

/// A signal that two devices on one body share, whatever their orientation and placement.
package enum AlignmentSignal: String, CaseIterable, Hashable, Sendable, Codable {
  /// The magnitude of the acceleration: without gravity if both devices have that channel, minus
  /// standard gravity if both include it. If only one includes it, gravity is removed first
  /// (``GravityFilter``).
  case acceleration
  case rotation
  /// Speed over ground: the devices' own if both state it for most fixes, otherwise from fix to
  /// fix, at the middle between the two.
  case speed

  /// A magnitude over time.
  struct Samples {
    /// The times in nanoseconds, not decreasing.
    var times: [Int64]
    var values: [Double]
  }

  package func isIn(_ trace: Trace) -> Bool { channels.contains { trace[$0]?.isEmpty == false } }

  private var channels: [Channel] {
    switch self {
    case .acceleration: [.acceleration, .userAcceleration]
    case .rotation: [.rotationRate]
    case .speed: [.location]
    }
  }

  /// Returns the two signals, computed in the same way.
  func samples(_ first: Trace, _ second: Trace) -> (Samples, Samples) {
    switch self {
    case .rotation:
      return (magnitudes(first, .rotationRate), magnitudes(second, .rotationRate))
    case .speed:
      let areStated = [first, second].allSatisfy(Self.statesSpeed)
      return (speeds(first, areStated), speeds(second, areStated))
    case .acceleration:
      for channel in [Channel.acceleration, .userAcceleration]
      where first[channel]?.isEmpty == false && second[channel]?.isEmpty == false {
        return (magnitudes(first, channel), magnitudes(second, channel))
      }
      return (userAcceleration(first), userAcceleration(second))
    }
  }

  private func userAcceleration(_ trace: Trace) -> Samples {
    var trace = trace
    if trace[.userAcceleration]?.isEmpty ?? true { trace.removeGravity() }
    return magnitudes(trace, .userAcceleration)
  }

  private func magnitudes(_ trace: Trace, _ channel: Channel) -> Samples {
    guard case .vector(let columns)? = trace[channel] else { return Samples(times: [], values: []) }
    let ordered = columns.range.sorted {
      (columns.measuredTimes[$0], $0) < (columns.measuredTimes[$1], $1)
    }
    // Subtracted before the mean, because gravity is nine tenths of the magnitude.
    let base = channel == .acceleration ? standardGravity : 0
    return Samples(
      times: ordered.map { columns.measuredTimes[$0] },
      values: ordered.map { Double(columns[$0].magnitude) - base })
  }

  private static func statesSpeed(_ trace: Trace) -> Bool {
    guard case .fix(let fixes)? = trace[.location] else { return false }
    return fixes.range.count { fixes[$0].speed >= 0 } * 2 > fixes.count
  }

  private func speeds(_ trace: Trace, _ areStated: Bool) -> Samples {
    guard case .fix(let fixes)? = trace[.location] else { return Samples(times: [], values: []) }
    let ordered = fixes.range.filter { fixes[$0].isPosition }
      .sorted { (fixes.measuredTimes[$0], $0) < (fixes.measuredTimes[$1], $1) }
    if areStated {
      let stated = ordered.filter { fixes[$0].speed >= 0 }
      return Samples(
        times: stated.map { fixes.measuredTimes[$0] }, values: stated.map { fixes[$0].speed })
    }
    var samples = Samples(times: [], values: [])
    for (first, second) in zip(ordered, ordered.dropFirst()) {
      let start = fixes.measuredTimes[first]
      let interval = fixes.measuredTimes[second].subtractingClamped(start)
      guard interval > 0 else { continue }
      let meters = Position(fixes[first]).distance(to: Position(fixes[second]))
      samples.times.append(start.addingClamped(interval / 2))
      samples.values.append(meters / (Double(interval) / 1e9))
    }
    return samples
  }
}
