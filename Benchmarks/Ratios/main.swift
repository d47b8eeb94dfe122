#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Detectors
import TraceModel
import Timing
import Workloads

// Measures the detectors, C loops of the same rules and a plain read of their columns in one run,
// in alternating rounds. `ratios quick` makes fewer rounds. The exit code is 1 if a result is
// wrong; times never cause a failure.

let isQuick = CommandLine.arguments.dropFirst().contains("quick")
let rounds = isQuick ? 5 : 31
var isRight = true

let hour = try Data.hour()
let swings: VectorColumns = try hour.columns(.userAcceleration)
let cached = 20_000
let large = 12_000_000
print(
  """
  Medians of \(rounds) alternating rounds, with 95 % rank intervals; ns of CPU time per \
  reading.
  in cache: \(cached) samples, \(cached * 12 / 1000) kB in the columns x, y, z;
  beyond: \(large) samples, \(large * 12 / 1_000_000) MB, to be larger than the last-level cache.
  quiet: the same motion at 1 % of its strength, on which nothing fires.

  """)

var measurements: [PunchMeasurement] = []
for (size, passes) in [(cached, 50), (large, 1)] {
  let place = size == cached ? "in cache" : "beyond"
  for (kind, scale) in [("quiet", Float(0.01)), ("punches", 1)] {
    let columns = Data.repeated(swings, count: size, scale: scale)
    for preset in ["magnitude", "hitThat"] {
      measurements.append(
        PunchMeasurement(
          PunchCase(preset: preset), "\(kind), \(place)", columns, passes: passes,
          rounds: rounds))
    }
  }
}
isRight = isRight && measurements.allSatisfy(\.isRight)
printTable([PunchMeasurement.streamTitles] + measurements.map(\.streamRow))
print()
printTable([PunchMeasurement.batchTitles] + measurements.map(\.batchRow))
print()
printTable([PunchMeasurement.windowTitles] + measurements.map(\.windowRow))
print()

let (route, road) = (try Data.route(), try Data.roadRun())
let fixes = [
  try fixRow(CheckInDetector.self, preset: "default", route, passes: 5, rounds: rounds),
  try fixRow(CheckInDetector.self, preset: "goHike", route, passes: 5, rounds: rounds),
  try fixRow(TrackDetector.self, preset: "default", road, passes: 5, rounds: rounds),
  try fixRow(TrackDetector.self, preset: "tri", road, passes: 5, rounds: rounds),
]
printTable([fixTitles] + fixes.map(\.row))
print()

let runs = [
  try runRow(PunchDetector.self, preset: "magnitude", hour, passes: 5, rounds: rounds),
  try runRow(PunchDetector.self, preset: "hitThat", hour, passes: 5, rounds: rounds),
  try runRow(CheckInDetector.self, preset: "default", route, passes: 5, rounds: rounds),
  try runRow(TrackDetector.self, preset: "default", road, passes: 5, rounds: rounds),
]
printTable([runTitles] + runs.map(\.row))

isRight = isRight && (fixes + runs).allSatisfy(\.isRight)
if !isRight {
  print("\nA result is wrong: paths, C loop and detector differ.")
  exit(1)
}
