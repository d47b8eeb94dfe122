import Detectors
import TraceModel
import Timing
import Workloads

/// Measures a detector of position fixes on one trace: single fixes, and windows of one.
func fixRow<D: Detector>(
  _ type: D.Type, preset name: String, _ trace: Trace, passes: Int, rounds: Int
) throws(TraceError) -> (row: [String], isRight: Bool) where D.Input == Fix {
  guard let preset = D.preset(named: name) else { preconditionFailure("no preset \(name)") }
  let parameters = preset.parameters(for: trace.header)
  let fixes: FixColumns = try trace.columns(.location)

  var expected: [Detection<D.Event>] = []
  var whole = D(parameters, places: trace.header.places)
  whole.ingest(contentsOf: fixes, into: &expected)
  var found: [Detection<D.Event>] = []
  func run(_ path: (inout D, inout [Detection<D.Event>]) -> Void) -> Bool {
    (0..<passes).allSatisfy { _ in
      var detector = D(parameters, places: trace.header.places)
      found.removeAll(keepingCapacity: true)
      path(&detector, &found)
      return found == expected
    }
  }
  var times = Rounds()
  let isRight = times.measure(
    [
      ("readings", { run { Path.readings(fixes, through: &$0, into: &$1) } }),
      ("windows", { run { Path.windows(fixes, through: &$0, into: &$1) } }),
      ("batch", { run { $0.ingest(contentsOf: fixes, into: &$1) } }),
    ], count: rounds)
  let units = fixes.count * passes
  return (
    ["\(D.name)/\(name), \(trace.header.id)", "\(fixes.count)", "\(expected.count)"]
      + ["readings", "windows", "batch"].map { fixed(times.median($0, per: units).median) },
    isRight
  )
}

let fixTitles = ["position fixes", "fixes", "events", "reading ns", "window ns", "batch ns"]
