#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Detectors
import Replay
import Scoring
import Timing
import TraceFormats
import TraceModel
import Tuning
import Workloads

// Measures the exact sweep of thresholds and plain detection passes of the same recording in
// alternating rounds, and writes the recording and the curve for compare.py.
//
//   sweeps <trace.h5> <curve.csv> [samples [references [thresholds [rounds]]]]
//
// The exit code is 1 if a result is wrong; times never cause a failure.

let arguments = CommandLine.arguments.dropFirst().map { $0 }
guard arguments.count >= 2 else {
  print("sweeps <trace.h5> <curve.csv> [samples [references [thresholds [rounds]]]]")
  exit(64)
}
func number(_ index: Int, _ standard: Int) -> Int {
  arguments.count > index ? Int(arguments[index]) ?? standard : standard
}
let samples = number(2, 10_000_000)
let references = number(3, 10_000)
let thresholds = number(4, 1000)
let rounds = number(5, 15)

let trace = Data.punchedNoise(count: samples, punches: references)
let (lowest, highest) = (10.0, 60.0)
let points = (0..<thresholds).map {
  lowest + (highest - lowest) * Double($0) / Double(max(1, thresholds - 1))
}
let base = PunchCase(preset: "magnitude").parameters

// Computed once for a recording, whatever is swept on it.
let exposure = Exposure(of: trace, channel: .userAcceleration)

func curve(points: [Double]?) -> ThresholdCurve? {
  try? ThresholdSweep.curve(
    PunchDetector.self, base, on: trace, exposure: exposure, range: lowest...highest, points: points
  )
}

func detections(at threshold: Double) -> [DetectionRecord] {
  var parameters = base
  parameters.threshold = threshold
  return (try? VirtualRun<PunchDetector>.run(parameters, on: MemorySource(trace)))?.detections ?? []
}

guard let expected = curve(points: points), let exact = curve(points: nil) else {
  print("expected a curve of the sweep, found none")
  exit(1)
}

// Check the result before measuring: plain runs at some of the thresholds.
var isRight = true
let reference = trace.header.references[0]
for index in stride(from: 0, to: thresholds, by: max(1, thresholds / 20)) {
  let score = EventJudgement(
    reference, detections: detections(at: points[index]), header: trace.header
  ).score
  let step = exact.index(of: points[index])
  isRight =
    isRight && expected.counts(at: index) == score.counts
    && step.map(exact.counts(at:)) == score.counts
}

var times = Rounds()
var found = 0
let answersAreRight = times.measure(
  [
    (
      "pass, low",
      {
        found = detections(at: lowest).count; return found > 0
      }
    ),
    (
      "pass, middle",
      {
        found = detections(at: 30).count; return found > 0
      }
    ),
    ("sweep", { curve(points: points) == expected }),
    ("exact", { curve(points: nil) == exact }),
  ], count: rounds)
isRight = isRight && answersAreRight

print(
  """
  \(samples) samples, \(references) references, \(trace.header.end.nanoseconds / 1_000_000_000) s; \
  thresholds \(lowest) to \(highest) m/s2; default rules of the punch detector.
  Medians of \(rounds) alternating rounds, with 95 % rank intervals; ms of CPU time.

  """)
let milliseconds = { [times] (name: String) in times.median(name, per: 1_000_000).description }
printTable([
  ["", "ms", "over a pass at 30", "over a pass at 10"],
  ["pass at 30 m/s2 (VirtualRun)", milliseconds("pass, middle"), "", ""],
  ["pass at 10 m/s2 (VirtualRun)", milliseconds("pass, low"), "", ""],
  [
    "sweep of \(thresholds) thresholds, scored", milliseconds("sweep"),
    times.ratio("sweep", to: "pass, middle").description,
    times.ratio("sweep", to: "pass, low").description,
  ],
  [
    "sweep of all thresholds (\(exact.count) steps), scored", milliseconds("exact"),
    times.ratio("exact", to: "pass, middle").description,
    times.ratio("exact", to: "pass, low").description,
  ],
])
print("seconds_of_sweep \(times.median("sweep", per: 1_000_000_000).median)")

do {
  try NativeTrace.write(trace, to: arguments[0])
} catch {
  print("\(arguments[0]): \(error)")
  exit(74)
}
var lines = "threshold,true_positives,false_positives\n"
for index in points.indices {
  lines += "\(points[index]),\(expected.truePositives[index]),\(expected.falsePositives[index])\n"
}
guard let file = fopen(arguments[1], "w") else { exit(74) }
fputs(lines, file)
fclose(file)
if !isRight { print("\nA result is wrong: the sweep and plain runs differ.") }
exit(isRight ? 0 : 1)
