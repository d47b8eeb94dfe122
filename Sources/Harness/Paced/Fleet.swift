import Detectors
import Pacing
import Replay
import TraceModel

/// Recordings of one channel, and the detector that they go through.
struct FleetLane: Sendable {
  let detector: RegisteredDetector
  let choice: DetectorChoice
  /// Each has the detector's channel, with at least two readings.
  let recordings: [Trace]

  /// Nanoseconds between two instants at which readings arrive, in the median, of the recording
  /// with the most; nil where no two instants differ.
  let period: Int64?

  init(detector: RegisteredDetector, choice: DetectorChoice, recordings: [Trace]) {
    self.detector = detector
    self.choice = choice
    self.recordings = recordings
    period = recordings.compactMap { $0[detector.channel]?.medianInterval }.min()
  }
}

extension FleetLane {
  /// When a recording's first reading at `instant` or later arrives; `instant` where there is none.
  fileprivate func firstArrival(of recording: Trace, from instant: Int64) -> Int64 {
    guard let block = recording[detector.channel] else { return instant }
    let times = (block.arrivedTimes ?? block.measuredTimes)[block.range]
    let index = times.partitioningIndex { $0 >= instant }
    return index < times.endIndex ? times[index] : instant
  }
}

/// Simulated devices, each with a stream and a detector of its own in every lane.
///
/// Devices share the recordings and nothing else. Each plays from another reading of one of them,
/// which the seed tells, and their first readings lie an equal part of the lane's period apart, so
/// that their load is spread over it as that of real devices is.
struct Fleet: Sendable {
  let lanes: [FleetLane]
  let devices: Int
  let duration: Duration
  let seed: UInt64

  /// Nanoseconds; of the fastest lane.
  var period: Int64? { lanes.compactMap(\.period).min() }

  /// New streams, each with a detector that has seen nothing.
  func timeline() throws -> Timeline {
    var streams: [DeviceStream] = []
    streams.reserveCapacity(devices * lanes.count)
    for lane in lanes {
      var random = SeededGenerator(seed: seed)
      for device in 0..<devices {
        streams.append(try stream(of: device, in: lane, random: &random))
      }
    }
    return Timeline(streams)
  }

  private func stream(
    of device: Int, in lane: FleetLane, random: inout SeededGenerator
  ) throws -> DeviceStream {
    let recording = lane.recordings[device % lane.recordings.count]
    let share = Double(device) / Double(devices)
    let phase = Int64(Double(min(lane.period ?? 0, duration.nanoseconds)) * share)
    // No recording is shorter than the run.
    let spare = max(0, recording.header.end.nanoseconds - duration.nanoseconds)
    let from = lane.firstArrival(
      of: recording, from: Int64(random.unit() * Double(spare)))
    return try lane.detector.stream(
      lane.choice,
      on: ReplayDevice(
        DeviceID(device),
        source: PartSource(
          recording, channel: lane.detector.channel, from: from,
          length: duration.nanoseconds - phase),
        start: TraceInstant(nanoseconds: phase - from)),
      options: RunOptions(blockSize: .max))
  }
}

/// A part of a recording, by reference: a fleet has tens of thousands of them.
private final class PartSource: TraceSource {
  let header: TraceHeader
  private var blocks: [(channel: Channel, block: ChannelBlock)] = []

  init(_ trace: Trace, channel: Channel, from: Int64, length: Int64) {
    var header = trace.header
    let limit = from.addingClamped(length)
    header.end = TraceInstant(nanoseconds: limit)
    for channel in [channel, .action] {
      guard let block = trace[channel] else { continue }
      let times = block.arrivedTimes ?? block.measuredTimes
      let part = times[block.range]
      let start = part.partitioningIndex { $0 >= from }
      let end = part.partitioningIndex { $0 >= limit }
      blocks.append((channel, block[start..<end]))
      // With its last reading: if all ended with the run, thousands of ends would come at once.
      if channel != .action, start < end { header.end = TraceInstant(nanoseconds: part[end - 1]) }
    }
    self.header = header
  }

  /// Everything at once: a player reads nothing while it plays.
  func nextBlock(of channel: Channel, limit: Int) throws(TraceError) -> ChannelBlock? {
    guard let index = blocks.firstIndex(where: { $0.channel == channel }) else { return nil }
    return blocks.remove(at: index).block
  }
}

extension ChannelBlock {
  /// Whether no arrival comes before the one before it. O(n).
  var isInOrder: Bool {
    let times = (arrivedTimes ?? measuredTimes)[range]
    return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// Nanoseconds between two instants at which readings arrive, in the median; nil where no two
  /// differ.
  var medianInterval: Int64? {
    ChannelTiming(measuredTimes: (arrivedTimes ?? measuredTimes)[range]).medianInterval
  }
}
