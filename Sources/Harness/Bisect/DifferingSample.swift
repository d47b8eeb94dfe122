import Digests
import Evaluation
import Reports
import TraceFormats
import TraceModel

/// Finds the reading at which two commits first differ.
enum DifferingSample {
  /// Returns the reading in the first trace whose detections differ; nil = there is none.
  static func first(
    of comparison: ResultComparison, in files: [String]
  ) throws -> BisectReport.Sample? {
    guard let trace = comparison.traces.first(where: { !$0.list.flips.isEmpty }),
      let flip = trace.list.flips.min(by: { ($0.firstTime, $0.onset) < ($1.firstTime, $1.onset) })
    else { return nil }
    let first = [flip.base, flip.head].compactMap(\.self).min {
      $0.record.emitted < $1.record.emitted
    }
    var sample = BisectReport.Sample(
      entry: trace.entry, trace: trace.trace, file: "", time: flip.firstTime,
      number: flip.newestReading, flip: flip)
    let run = comparison.head.runs.first { $0.entry == trace.entry && $0.trace == trace.trace }
    guard let first, let run, let file = try file(of: run, in: files) else { return sample }
    sample.file = file
    find(first, run.task, in: try NativeFile.read(file), &sample)
    return sample
  }

  /// The file with the digest that the run states; files named like the trace are read first.
  private static func file(of run: MeasuredRun, in files: [String]) throws -> String? {
    let ordered = files.filter { $0.contains(run.trace) } + files.filter { !$0.contains(run.trace) }
    return try ordered.first { try FileDigest.sha256(of: $0) == run.traceSHA256 }
  }

  /// Finds the recorded reading that was the newest at a detection. Channels in which it has the same
  /// number come first, then those that detectors of the task read.
  private static func find(
    _ detection: MeasuredDetection, _ task: String, in trace: Trace,
    _ sample: inout BisectReport.Sample
  ) {
    let time = detection.record.newestMeasured.nanoseconds
    let found = trace.header.channels.map(\.channel).compactMap { channel -> (Channel, Int)? in
      guard let block = trace[channel] else { return nil }
      let times = block.measuredTimes[block.range]
      let position =
        detection.newestReading.map { $0 + times.startIndex }.flatMap { position in
          times.indices.contains(position) && times[position] == time ? position : nil
        } ?? times.firstIndex(of: time)
      return position.map { (channel, $0 - times.startIndex) }
    }
    func rank(_ found: (Channel, Int)) -> (Int, Int) {
      (found.1 == detection.newestReading ? 0 : 1, Self.rank(found.0, task))
    }
    guard let (channel, number) = found.min(by: { rank($0) < rank($1) }),
      let block = trace[channel]
    else { return }
    (sample.channel, sample.number) = (channel, number)
    sample.values = values(of: block, at: block.range.lowerBound + number, channel)
  }

  /// The channels that detectors of a task read come first.
  private static func rank(_ channel: Channel, _ task: String) -> Int {
    let usual: [Channel] =
      switch ReferenceTask(rawValue: task) {
      case .drop: [.touch]
      case .punch, nil: [.userAcceleration, .acceleration]
      case .presence: [.heartbeat]
      case .visit, .distance, .movingTime, .split, .ascent: [.location, .local, .odometer]
      }
    return usual.firstIndex(of: channel) ?? usual.count + channel.rawValue
  }

  private static func values(
    of block: ChannelBlock, at position: Int, _ channel: Channel
  ) -> [BisectReport.Sample.Value] {
    switch block {
    case .vector(let columns):
      let (value, unit) = (columns[position], channel == .rotationRate ? "rad/s" : "m/s2")
      return zip(["x", "y", "z"], [value.x, value.y, value.z]).map { .init($0, Double($1), unit) }
    case .fix(let columns):
      let fix = columns[position]
      return [
        .init("latitude", fix.latitude, "degrees"), .init("longitude", fix.longitude, "degrees"),
        .init("speed", fix.speed, "m/s"),
      ]
    case .local(let columns):
      return [.init("x", columns[position].x, "m"), .init("y", columns[position].y, "m")]
    case .scalar(let columns):
      let unit = channel == .heading ? "degrees" : channel == .pressure ? "Pa" : "m"
      return [.init(channel.name, columns[position].value, unit)]
    case .heartbeat(let columns):
      let beat = columns[position]
      return [.init("peer", Double(beat.peer), ""), .init("sequence", Double(beat.sequence), "")]
    case .touch(let columns):
      let touch = columns[position]
      return [
        .init("x", touch.x, "pt"), .init("y", touch.y, "pt"), .init(touch.phase.name, .nan, ""),
        .init("pointer", Double(touch.pointer), ""),
      ]
    case .action(let columns): return [.init(columns[position].name, .nan, "")]
    }
  }
}
