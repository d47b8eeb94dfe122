import Detectors
import Replay
import TraceModel
import Timing
import Workloads

/// Measures `VirtualRun` over a loaded trace: the whole loop, from the source's blocks to the
/// records.
func runRow<D: Detector>(
  _ type: D.Type, preset name: String, _ trace: Trace, passes: Int, rounds: Int
) throws(TraceError) -> (row: [String], isRight: Bool) {
  guard let preset = D.preset(named: name) else { preconditionFailure("no preset \(name)") }
  let parameters = preset.parameters(for: trace.header)
  let expected = try VirtualRun<D>.run(parameters, on: MemorySource(trace))
  var times = Rounds()
  let isRight = times.measure(
    [
      (
        "run",
        {
          (0..<passes).allSatisfy { _ in
            (try? VirtualRun<D>.run(parameters, on: MemorySource(trace))) == expected
          }
        }
      )
    ], count: rounds)
  let seconds = trace.header.duration / .seconds(1)
  let nanoseconds = times.median("run", per: passes)
  func factor(_ time: Double) -> String { thousands(seconds * 1e9 / time) }
  return (
    [
      "\(D.name)/\(name), \(trace.header.id)", "\(expected.readings)",
      "\(expected.detections.count)", fixed(seconds / 3600), fixed(nanoseconds.median / 1e6),
      factor(nanoseconds.median), "\(factor(nanoseconds.high)) to \(factor(nanoseconds.low))",
    ], isRight
  )
}

let runTitles = [
  "virtual run of a loaded trace", "readings", "events", "hours", "ms", "x real time",
  "95 % interval",
]

/// Formats whole numbers with commas.
private func thousands(_ value: Double) -> String {
  var digits = String(Int(value.rounded()))
  var groups: [Substring] = []
  while digits.count > 3 {
    groups.insert(digits.suffix(3), at: 0)
    digits.removeLast(3)
  }
  return ([digits[...]] + groups).joined(separator: ",")
}
