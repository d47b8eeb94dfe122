import AppEngines
import CReference
import Detectors
import Evaluation
import FightApp
import HikeApp
import PictureGuessApp
import Replay
import TicTacToeApp
import TraceModel
import WorkoutApp
import Workloads

// Runs one path several times and does nothing else: `counts PATH PASSES`. The difference of two
// runs then gives an external counter the instructions or allocations of the path alone. `counts`
// without arguments lists the paths with their readings per pass.

/// A path whose data are prepared only when it is requested: a process counts a single path.
struct CountedPath {
  let name: String
  let prepared: () throws -> Counted

  init(_ name: String, _ prepared: @escaping @autoclosure () throws -> Counted) {
    (self.name, self.prepared) = (name, prepared)
  }
}

/// A path with its prepared data.
struct Counted {
  let readings: Int
  /// Runs the path `passes` times and returns the number of detections.
  let walk: (_ passes: Int) throws -> Int
}

func punch(
  preset: String, _ columns: VectorColumns,
  _ path: @escaping (inout PunchDetector, inout [Detection<PunchEvent>]) -> Void
) -> Counted {
  Counted(readings: columns.count) { passes in
    let parameters = PunchCase(preset: preset).parameters
    var found: [Detection<PunchEvent>] = []
    // Reserve enough for the path, so that the array does not grow in some runs only.
    found.reserveCapacity(columns.count)
    var total = 0
    for _ in 0..<passes {
      var detector = PunchDetector(parameters)
      found.removeAll(keepingCapacity: true)
      path(&detector, &found)
      total += found.count
    }
    return total
  }
}

func streamed(preset: String, _ columns: VectorColumns) -> Counted {
  punch(preset: preset, columns) { Path.stream(columns, through: &$0, into: &$1) }
}

func batched(preset: String, _ columns: VectorColumns) -> Counted {
  punch(preset: preset, columns) { $0.ingest(contentsOf: columns, into: &$1) }
}

func readings(preset: String, _ columns: VectorColumns) -> Counted {
  punch(preset: preset, columns) { Path.readings(columns, through: &$0, into: &$1) }
}

func windows(preset: String, _ columns: VectorColumns) -> Counted {
  punch(preset: preset, columns) { Path.windows(columns, through: &$0, into: &$1) }
}

func blocks(preset: String, _ columns: VectorColumns) -> Counted {
  punch(preset: preset, columns) { Path.blocks(of: 512, columns, through: &$0, into: &$1) }
}

/// The C loop, to compare instructions.
func cLoop(preset: String, _ columns: VectorColumns) -> Counted {
  Counted(readings: columns.count) { passes in
    let rule = PunchCase(preset: preset)
    var buffer = [punch_detection](repeating: punch_detection(), count: columns.count)
    return (0..<passes).reduce(0) { total, _ in total + rule.runC(columns, into: &buffer) }
  }
}

func fixes<D: Detector>(
  _ type: D.Type, _ trace: Trace
) throws -> Counted where D.Input == Fix {
  let columns: FixColumns = try trace.columns(.location)
  guard let preset = D.presets.first else { preconditionFailure("no preset") }
  return Counted(readings: columns.count) { passes in
    var found: [Detection<D.Event>] = []
    found.reserveCapacity(columns.count)
    var total = 0
    for _ in 0..<passes {
      var detector = D(preset.parameters(for: trace.header), places: trace.header.places)
      found.removeAll(keepingCapacity: true)
      Path.readings(columns, through: &detector, into: &found)
      total += found.count
    }
    return total
  }
}

func virtualRun(preset: String, _ columns: VectorColumns) -> Counted {
  var trace = Trace(header: TraceHeader(id: "swings", origin: .synthetic))
  trace.set(.vector(columns), for: .userAcceleration)
  trace.header.end = columns.measured(at: columns.count - 1)
  return Counted(readings: columns.count) { passes in
    let parameters = PunchCase(preset: preset).parameters
    return try (0..<passes).reduce(0) { total, _ in
      let result = try VirtualRun<PunchDetector>.run(parameters, on: MemorySource(trace))
      return total + result.detections.count
    }
  }
}

/// A clock that never waits: it shows each instant that is waited for, and 1 us more at each
/// reading.
final class InstantClock: PacingClock {
  private var time: Int64 = 0

  func now() -> Int64 {
    time += 1000
    return time
  }

  func wait(until instant: Int64) { time = max(time, instant) }
}

/// Adds up what an observer receives.
struct SummingObserver: PacingObserver {
  var lateness: Int64 = 0
  var missed = 0
  var detections = 0

  mutating func stepped(_ timing: StepTiming) {
    lateness += timing.lateness
    if timing.isMissed { missed += 1 }
  }

  mutating func detected(_ records: [DetectionRecord]) { detections += records.count }
}

/// A paced run of devices that play the same samples, each starting at another sample and out of
/// phase. A pass is another `samples` of each device in the same run, so that its streams are not
/// counted.
func pacedRun(devices: Int, samples: Int, _ columns: VectorColumns) -> Counted {
  var trace = Trace(header: TraceHeader(id: "swings", origin: .synthetic))
  trace.set(.vector(columns), for: .userAcceleration)
  let parameters = PunchCase(preset: "magnitude").parameters
  return Counted(readings: devices * samples) { passes in
    let count = passes * samples
    let streams = try (0..<devices).map { device in
      let first = device * 37 % (columns.count - count)
      var part = trace
      part.set(.vector(columns[first..<first + count]), for: .userAcceleration)
      part.header.end = columns.measured(at: first + count - 1)
      let phase = Int64(device * 7919 % devices) * 10_000_000 / Int64(devices)
      return try DeviceStream(
        PunchDetector.self, parameters, on: MemorySource(part), device: DeviceID(device),
        start: TraceInstant(nanoseconds: phase - columns.measured(at: first).nanoseconds),
        options: RunOptions(blockSize: .max))
    }
    var run = PacedRun(
      PacingOptions(keepsDetections: false),
      window: .zero..<TraceInstant.zero.advanced(by: .milliseconds(10 * count)),
      clock: InstantClock(), observer: SummingObserver()
    ) { _ in Timeline(packing: streams) }
    let result = try run.play()
    precondition(result.last.readings == devices * count && run.observer.lateness > 0)
    return run.observer.detections
  }
}

/// An app with its phones, server and network, as `replay --app` plays it; the readings are those of
/// all people together.
func app(_ name: String, _ traces: [Trace]) throws -> Counted {
  let apps = AppCatalog([
    FightClient.simulation, HikeEngine.simulation, WorkoutEngine.simulation,
    TicTacToeClient.simulation, PlainThread.simulation,
  ])
  let plan = try AppPlan(
    AppChoice(name, of: apps), PlayedTraces(traces.map { .init(trace: $0, start: .zero) }),
    AppOptions(script: PersonScript()))
  func walk() throws -> (events: Int, readings: Int) {
    var timeline = try plan.timeline(from: .zero, blockSize: 4096)
    var events: [DetectionRecord] = []
    try timeline.run(into: &events)
    return (events.count, timeline.result.readings)
  }
  return Counted(readings: try walk().readings) { passes in
    try (0..<passes).reduce(0) { total, _ in try total + walk().events }
  }
}

func allPaths() -> [CountedPath] {
  let quiet = { Data.repeated(Data.swings(count: 2000), count: 20_000, scale: 0.01) }
  let swings = { Data.swings(count: 20_000) }
  var paths: [CountedPath] = []
  for (kind, make) in [("quiet", quiet), ("swings", swings)] {
    for preset in ["default", "magnitude", "hitThat"] {
      let suffix = "\(preset)-\(kind)"
      // The C program has no loop for the default's rule.
      if preset != "default" {
        paths.append(CountedPath("punch-c-\(suffix)", cLoop(preset: preset, make())))
      }
      paths += [
        CountedPath("punch-stream-\(suffix)", streamed(preset: preset, make())),
        CountedPath("punch-batch-\(suffix)", batched(preset: preset, make())),
      ]
    }
    for preset in ["default", "magnitude"] {
      let suffix = "\(preset)-\(kind)"
      paths += [
        CountedPath("punch-readings-\(suffix)", readings(preset: preset, make())),
        CountedPath("punch-windows-\(suffix)", windows(preset: preset, make())),
        CountedPath("punch-blocks-\(suffix)", blocks(preset: preset, make())),
      ]
    }
  }
  return paths + [
    CountedPath("run-punch-default", virtualRun(preset: "default", swings())),
    CountedPath("run-punch-magnitude", virtualRun(preset: "magnitude", swings())),
    CountedPath("paced-punch-1000-devices", pacedRun(devices: 1000, samples: 20, swings())),
    CountedPath("checkin-default", try fixes(CheckInDetector.self, try Data.route())),
    CountedPath("track-default", try fixes(TrackDetector.self, try Data.roadRun())),
    CountedPath("app-fight", try app("fight", Data.people(.fight, [1, 2]))),
    CountedPath("app-hike", try app("hike", Data.people(.route, [1]))),
    CountedPath("app-workout", try app("workout", Data.people(.trackRun, [1]))),
    CountedPath("app-tictactoe", try app("tictactoe", Data.people(.presence, [1]))),
    CountedPath("app-pictureguess", try app("pictureguess", Data.people(.drags, [1, 2]))),
  ]
}

let arguments = CommandLine.arguments.dropFirst()
let paths = allPaths()
if arguments.isEmpty {
  for path in paths { print(path.name, try path.prepared().readings) }
} else if arguments.count == 2, let path = paths.first(where: { $0.name == arguments.first }),
  let passes = arguments.last.flatMap({ Int($0) })
{
  print(try path.prepared().walk(passes))
} else {
  fatalError("expected PATH PASSES, found \(arguments.joined(separator: " "))")
}
