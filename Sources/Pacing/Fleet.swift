import Detectors
package import Replay
package import TraceModel

/// Recordings of one channel, and the detector that they go through.
package struct FleetLane: Sendable {
  package let channel: Channel
  /// The detector's name for people.
  package let detector: String
  /// Each has the detector's channel, with at least two readings.
  package let recordings: [Trace]

  /// Nanoseconds between two instants at which readings arrive, in the median, of the recording
  /// with the most; nil where no two instants differ.
  package let period: Int64?

  fileprivate let makeStream: StreamMaker

  /// Makes the stream of one device with a detector that has seen nothing.
  package typealias StreamMaker = @Sendable (ReplayDevice, RunOptions) throws -> DeviceStream

  package init(
    channel: Channel, detector: String, recordings: [Trace], makeStream: @escaping StreamMaker
  ) {
    (self.channel, self.detector, self.recordings) = (channel, detector, recordings)
    self.makeStream = makeStream
    period = recordings.compactMap { $0[channel]?.medianInterval }.min()
  }

  /// When a recording's first reading at `instant` or later arrives; `instant` where there is none.
  fileprivate func firstArrival(of recording: Trace, from instant: Int64) -> Int64 {
    guard let block = recording[channel] else { return instant }
    let times = (block.arrivedTimes ?? block.measuredTimes)[block.range]
    let index = times.partitioningIndex { $0 >= instant }
    return index < times.endIndex ? times[index] : instant
  }
}

/// Simulated devices, each with a stream and a detector of its own in every lane.
///
/// Devices share the recordings and nothing else. Each plays from another reading of one of them,
/// which the seed determines, and their first readings lie an equal part of the lane's period apart, so
/// that their load is spread over it as that of real devices is.
package struct Fleet: Sendable {
  package let lanes: [FleetLane]
  package let devices: Int
  package let duration: Duration
  package let seed: UInt64

  package init(lanes: [FleetLane], devices: Int, duration: Duration, seed: UInt64) {
    (self.lanes, self.devices, self.duration, self.seed) = (lanes, devices, duration, seed)
  }

  /// Nanoseconds; of the fastest lane of each channel.
  var periods: [Channel: Double] {
    let known = lanes.compactMap { lane in lane.period.map { (lane.channel, Double($0)) } }
    return Dictionary(known) { min($0, $1) }
  }

  /// New streams, each with a detector that has seen nothing.
  package func timeline() throws -> Timeline {
    var streams: [DeviceStream] = []
    streams.reserveCapacity(devices * lanes.count)
    for lane in lanes {
      var random = SeededGenerator(seed: seed)
      for device in 0..<devices {
        streams.append(try stream(of: device, in: lane, random: &random))
      }
    }
    return Timeline(packing: streams)
  }

  private func stream(
    of device: Int, in lane: FleetLane, random: inout SeededGenerator
  ) throws -> DeviceStream {
    let recording = lane.recordings[device % lane.recordings.count]
    let share = Double(device) / Double(devices)
    let phase = Int64(Double(min(lane.period ?? 0, duration.nanoseconds)) * share)
    // No recording is shorter than the run.
    let spare = max(0, recording.header.end.nanoseconds - duration.nanoseconds)
    let from = lane.firstArrival(of: recording, from: Int64(random.unit() * Double(spare)))
    return try lane.makeStream(
      ReplayDevice(
        DeviceID(device),
        source: PartSource(
          recording, channel: lane.channel, from: from,
          length: duration.nanoseconds - phase),
        start: TraceInstant(nanoseconds: phase - from)),
      RunOptions(blockSize: .max))
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
    // What a detector may read beside its channel; by reference, so it costs nothing if none does.
    let further = Channel.allCases.filter { $0 != channel && $0 != .action }
    for other in [channel] + further + [.action] {
      guard let block = trace[other] else { continue }
      let times = block.arrivedTimes ?? block.measuredTimes
      let part = times[block.range]
      let start = part.partitioningIndex { $0 >= from }
      let end = part.partitioningIndex { $0 >= limit }
      blocks.append((other, block[start..<end]))
      // With its last reading: if all ended with the run, thousands of ends would come at once.
      if other == channel, start < end { header.end = TraceInstant(nanoseconds: part[end - 1]) }
    }
    self.header = header
  }

  /// Everything at once: a player reads nothing while it plays.
  func nextBlock(of channel: Channel, limit: Int) throws(TraceError) -> ChannelBlock? {
    guard let index = blocks.firstIndex(where: { $0.channel == channel }) else { return nil }
    return blocks.remove(at: index).block
  }
}
