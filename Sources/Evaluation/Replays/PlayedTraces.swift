package import Diagnostics
package import Foundation
package import Replay
package import TraceModel

/// Traces on one clock, and the part of the time that is played of them.
package struct PlayedTraces: Sendable {
  package struct Device: Sendable {
    package var trace: Trace
    /// Its zero on the run's axis.
    package var start: TraceInstant

    package init(trace: Trace, start: TraceInstant) {
      self.trace = trace
      self.start = start
    }
  }

  package let devices: [Device]
  /// Of the run's axis.
  package let window: Range<TraceInstant>
  /// Whether the window cuts the traces' ends off.
  private let hasEnd: Bool

  /// - Throws: where nothing of the traces lies in the window.
  package init(
    _ devices: [Device], window: (start: TraceInstant, end: TraceInstant?) = (.zero, nil)
  ) throws {
    self.devices = devices
    let end =
      devices.map { $0.trace.header.end.advanced(byNanoseconds: $0.start.nanoseconds) }.max()
      ?? .zero
    guard window.start < end || end <= .zero && window.start == .zero else {
      throw Failure(
        .wrongUse,
        "--start-offset \(fixed(window.start.seconds, 3)) s: the run ends at "
          + "\(fixed(end.seconds, 3)) s")
    }
    hasEnd = window.end.map { $0 < end } ?? false
    self.window = window.start..<max(window.start, min(window.end ?? end, end))
  }

  private init(_ other: PlayedTraces, devices: [Device]) {
    self.devices = devices
    window = other.window
    hasEnd = other.hasEnd
  }

  /// Whether the window leaves something of the traces out.
  package var isPart: Bool { window.lowerBound > .zero || hasEnd }

  /// The same traces, and nothing that they should have given.
  package var withoutReferences: PlayedTraces {
    PlayedTraces(
      self,
      devices: devices.map { device in
        var device = device
        device.trace.header.references = []
        return device
      })
  }

  /// The devices' zeros on the run's clock, which starts with the earliest of them; all together
  /// where that is asked for, or where the wall clock of one is not known, which is then told.
  ///
  /// - Parameter areToMeet: whether traces that never overlap are told too: people of an app who
  ///   never meet are a mistake, devices of a detector are none.
  package static func startTimes(
    of headers: [TraceHeader], together: Bool = false, areToMeet: Bool = true,
    warn: (String) -> Void
  ) -> [TraceInstant] {
    guard headers.count > 1, !together else { return headers.map { _ in .zero } }
    let known = headers.compactMap(\.epochNanoseconds)
    guard known.count == headers.count, let first = known.min() else {
      warn("warning: the wall clock of at least one trace is not known; all start at zero together")
      return headers.map { _ in .zero }
    }
    let starts = known.map { TraceInstant(nanoseconds: $0.subtractingClamped(first)) }
    let firstEnd =
      zip(headers, starts)
      .map { $0.end.advanced(byNanoseconds: $1.nanoseconds) }.min() ?? .zero
    if areToMeet, let late = starts.firstIndex(where: { $0 > firstEnd }) {
      warn(
        "warning: \(headers[late].id) begins after another trace has ended; what was recorded at "
          + "different times starts at one instant with --together (in a suite: together: true)")
    }
    return starts
  }

  /// What is played of the devices' traces from an instant on.
  package func parts(from instant: TraceInstant) -> [ReplayDevice] {
    devices.enumerated().map { index, device in
      ReplayDevice(
        DeviceID(index), source: MemorySource(part(of: device, from: instant)),
        start: device.start)
    }
  }

  private func part(of device: Device, from instant: TraceInstant) -> Trace {
    let start = TraceInstant(
      nanoseconds: instant.nanoseconds.subtractingClamped(device.start.nanoseconds))
    let end = TraceInstant(
      nanoseconds: window.upperBound.nanoseconds.subtractingClamped(device.start.nanoseconds))
    // A trace is played from its very first reading, whatever its time, and to its last.
    let from = instant == .zero ? TraceInstant(nanoseconds: .min) : start
    return device.trace.window(from: from, to: hasEnd ? end : TraceInstant(nanoseconds: .max))
  }

  /// How much of the devices' traces lies in the window.
  package var playedSeconds: Double {
    devices.reduce(0) { sum, device in
      let start = max(window.lowerBound, device.start)
      let end = min(
        window.upperBound,
        device.trace.header.end.advanced(byNanoseconds: device.start.nanoseconds))
      return sum + Double(max(0, start.nanoseconds(to: end))) / 1e9
    }
  }

  /// Nanoseconds on the clock between two instants at which readings are due, in the median, of
  /// the device with the most; nil where there are no two.
  package func period(of channels: [Channel], at rate: Double) -> Double? {
    devices.flatMap { device in
      let played = part(of: device, from: window.lowerBound)
      return channels.compactMap { played[$0]?.medianInterval }
    }.min().map { Double($0) / rate }
  }
}
