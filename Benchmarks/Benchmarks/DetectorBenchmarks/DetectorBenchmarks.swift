import Benchmark
import Detectors
import Replay
import TraceModel
import Workloads

// The same paths under the benchmark runner, for its percentiles and baselines. It measures one
// after the other; use `ratios` for ratios. Names must not contain spaces: the runner would not
// find its threshold files.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], scalingFactor: .one, maxDuration: .seconds(2))

  let columns = Data.swings(count: 100_000)
  let parameters = PunchCase(preset: "magnitude").parameters
  let expected = detections(columns, parameters) { Path.stream(columns, through: &$0, into: &$1) }

  /// One iteration is a pass over 100,000 samples.
  @Sendable func punch(
    _ name: String,
    _ path: @escaping @Sendable (inout PunchDetector, inout [Detection<PunchEvent>]) -> Void
  ) {
    Benchmark(name) { benchmark in
      for _ in benchmark.scaledIterations {
        guard detections(columns, parameters, path) == expected else {
          return benchmark.error("expected the detections of streaming, found others")
        }
      }
    }
  }
  punch("punch-stream-100k") { Path.stream(columns, through: &$0, into: &$1) }
  punch("punch-windows-100k") { Path.windows(columns, through: &$0, into: &$1) }
  punch("punch-batch-100k") { $0.ingest(contentsOf: columns, into: &$1) }

  fixes("checkin-route", CheckInDetector.self) { try Data.route() }
  fixes("track-road-run", TrackDetector.self) { try Data.roadRun() }

  Benchmark("run-punch-hour") { benchmark in
    let hour = try Data.hour()
    let parameters = PunchCase(preset: "magnitude").parameters
    benchmark.startMeasurement()
    let result = try VirtualRun<PunchDetector>.run(parameters, on: MemorySource(hour))
    benchmark.stopMeasurement()
    if result.detections.isEmpty { benchmark.error("expected detections, found none") }
  }
}

@Sendable private func detections(
  _ columns: VectorColumns, _ parameters: PunchParameters,
  _ path: (inout PunchDetector, inout [Detection<PunchEvent>]) -> Void
) -> [Detection<PunchEvent>] {
  var detector = PunchDetector(parameters)
  var found: [Detection<PunchEvent>] = []
  path(&detector, &found)
  return found
}

/// One iteration is a pass over the whole course.
private func fixes<D: Detector>(
  _ name: String, _ type: D.Type, _ course: @escaping @Sendable () throws -> Trace
) where D.Input == Fix {
  Benchmark(name) { benchmark in
    let trace = try course()
    let columns: FixColumns = try trace.columns(.location)
    guard let preset = D.presets.first else { return benchmark.error("no preset") }
    let parameters = preset.parameters(for: trace.header)
    benchmark.startMeasurement()
    var detector = D(parameters, places: trace.header.places)
    var found: [Detection<D.Event>] = []
    Path.readings(columns, through: &detector, into: &found)
    benchmark.stopMeasurement()
    if found.isEmpty { benchmark.error("expected detections, found none") }
  }
}
