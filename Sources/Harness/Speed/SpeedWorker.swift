import ArgumentParser
import Clocks
import Diagnostics
import Digests
import Evaluation
import Foundation
import Pacing
import Replay
import Reports
import Speed
import TraceModel

/// This program as one side of a comparison of speed, see ``SpeedMessages``.
///
/// It never waits for a task: valgrind (3.19) fails if the first thread of a program ends.
enum SpeedWorker {
  /// Whether this program was started to be measured.
  static var isAsked: Bool { CommandLine.arguments.dropFirst().first == SpeedMessages.argument }

  /// Whether another program reads the traces, which is the case when instructions are counted.
  static var hasReader: Bool {
    isAsked && ProcessInfo.processInfo.environment["SHADOWBOX_READER"]?.isEmpty == false
  }

  /// Answers requests until there are no more, and returns the exit status.
  static func run(_ registry: DetectorRegistry) -> Int32 {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst(2))
      guard let limit = arguments.first.flatMap({ Int($0) }), limit > 0 else {
        throw wrongUse(
          "\(SpeedMessages.argument): expected the maximum number of samples, found "
            + (arguments.first ?? "nothing"))
      }
      let all = try works(Array(arguments.dropFirst()), limit: limit, registry)
      try write(ready(all))
      while let line = readLine() { try answer(line, all.works) }
      return 0
    } catch {
      guard Failure(reported: error) == nil else { return Harness.report(error) }
      return Harness.report(wrongUse(RunCommand.message(for: error)))
    }
  }

  /// The entries that `run` would run with these arguments.
  private static func works(
    _ arguments: [String], limit: Int, _ registry: DetectorRegistry
  ) throws -> SpeedWork.Collection {
    let command = try RunCommand.parse(arguments)
    var suite = try command.readSuite(registry)
    try command.select(in: &suite)
    try command.delivery.override(&suite)
    return try SpeedWork.all(
      of: suite, registry: registry, loader: NativeTraceLoader(), limit: limit,
      hasPrograms: !hasReader)
  }

  private static func ready(_ all: SpeedWork.Collection) -> SpeedReady {
    SpeedReady(
      toolVersion: Harness.version,
      entries: all.works.map { work in
        let parts = zip(work.traces, work.signals).map { trace, signal in
          "\(trace.id) \(trace.sha256) \(signal.header.end.nanoseconds)"
        }
        return SpeedReady.Entry(
          entry: work.entry, samples: work.samples, traces: work.traces.count,
          inputsSha256: SHA256Digest.hex(of: Array(parts.joined(separator: "\n").utf8)),
          isProgram: work.isProgram)
      }, leftOut: all.leftOut)
  }

  private static func answer(_ line: String, _ works: [SpeedWork]) throws {
    switch SpeedRequest(line) {
    case .block(let entry, let passes) where works.indices.contains(entry):
      let clock = SystemClock()
      func processorTime() -> Int64 {
        (works[entry].programTime ?? ProcessorTime.now.thread).nanoseconds
      }
      let (wall, processor) = (clock.now(), processorTime())
      try works[entry].replay(passes)
      try write(
        SpeedBlock(wall: clock.now() - wall, processor: processorTime() - processor))
    case .count(let passes):
      for work in works {
        try work.replay(1)
        speedMark()
        try work.replay(passes)
        speedMark()
      }
      try write(SpeedCounted(counted: works.count))
    case .fleet(let devices, let milliseconds):
      try write(fleet(works, devices: devices, length: .milliseconds(milliseconds)))
    default:
      throw wrongUse("\(SpeedMessages.argument): expected a request, found \"\(line.prefix(100))\"")
    }
  }

  /// Every device has a stream of each entry whose recordings are long enough.
  private static func fleet(
    _ works: [SpeedWork], devices: Int, length: Duration
  ) throws -> SpeedFleet {
    let lanes = works.compactMap { work -> FleetLane? in
      // A program reports at the end.
      guard !work.isProgram else { return nil }
      let channel = work.detector.channel
      let recordings = work.signals.filter {
        $0.header.duration >= length && $0[channel]?.isInOrder ?? false
      }
      guard !recordings.isEmpty else { return nil }
      return FleetLane(channel: channel, detector: work.entry, recordings: recordings) {
        try work.detector.bound(work.choice, for: $0.source.header).stream(on: $0, options: $1)
      }
    }
    guard !lanes.isEmpty else { return SpeedFleet(deliveries: 0, missed: 0, lateness99: nil) }
    let clock = SystemClock()
    let warming = Fleet(
      lanes: lanes, devices: min(devices, 100), duration: .milliseconds(200), seed: 1)
    _ = try FleetTrial(warming, clock: clock)
    let timing = try FleetTrial(
      Fleet(lanes: lanes, devices: devices, duration: length, seed: 1), clock: clock
    ).timing
    let verdict = TimingVerdict(timing, hasOnePeriod: true)
    return SpeedFleet(
      deliveries: timing.deliveries, missed: timing.missed,
      lateness99: verdict.lateness.map { Int64(clamping: $0) })
  }

  private static func write(_ message: some Encodable) throws {
    try StandardOutput.write(try SpeedMessages.line(message), as: .json)
  }
}

/// The call that a counter of instructions waits for, by the name ``SpeedMessages/mark``. The compiler
/// would remove a call of an empty function.
@inline(never) func speedMark() { _ = getpgid(0) }
