import CReference
import Detectors
import TraceModel
import Timing
import Workloads

/// The punch detector on one set of columns by every path, the C loop and a plain read of the
/// columns, in alternating rounds.
struct PunchMeasurement {
  let rule: PunchCase
  let data: String
  let events: Int
  /// Whether every path and the C loop always gave the same result.
  let isRight: Bool
  private let units: Int
  private let times: Rounds

  /// - Parameter passes: the number of passes over the columns per measurement.
  init(_ rule: PunchCase, _ data: String, _ columns: VectorColumns, passes: Int, rounds: Int) {
    self.rule = rule
    self.data = data
    units = columns.count * passes

    var expected: [Detection<PunchEvent>] = []
    var detector = PunchDetector(rule.parameters)
    Path.stream(columns, through: &detector, into: &expected)
    let count = expected.count
    events = count

    // Both write to allocated and warm buffers.
    var found: [Detection<PunchEvent>] = []
    var buffer = [punch_detection](repeating: punch_detection(), count: max(count, 1))
    let agree =
      rule.runC(columns, into: &buffer) == count
      && rule.agree(expected, buffer.prefix(count))

    func swift(_ path: (inout PunchDetector, inout [Detection<PunchEvent>]) -> Void) -> Bool {
      (0..<passes).allSatisfy { _ in
        var detector = PunchDetector(rule.parameters)
        found.removeAll(keepingCapacity: true)
        path(&detector, &found)
        return found.count == count && found.last == expected.last
      }
    }
    var times = Rounds()
    let answersAreRight = times.measure(
      [
        ("C", { (0..<passes).allSatisfy { _ in rule.runC(columns, into: &buffer) == count } }),
        ("stream", { swift { Path.stream(columns, through: &$0, into: &$1) } }),
        ("readings", { swift { Path.readings(columns, through: &$0, into: &$1) } }),
        ("windows", { swift { Path.windows(columns, through: &$0, into: &$1) } }),
        (
          "unspecialized", { swift { Path.unspecializedWindows(columns, through: &$0, into: &$1) } }
        ),
        ("batch", { swift { $0.ingest(contentsOf: columns, into: &$1) } }),
        ("blocks", { swift { Path.blocks(of: 4096, columns, through: &$0, into: &$1) } }),
        (
          "read",
          {
            (0..<passes).allSatisfy { _ in
              read_columns(columns.x, columns.y, columns.z, columns.count).isFinite
            }
          }
        ),
      ], count: rounds)
    isRight = agree && answersAreRight
    self.times = times
  }

  private func nanoseconds(_ path: String) -> String {
    fixed(times.median(path, per: units).median)
  }

  /// Three floats per sample.
  private func gigabytesPerSecond(_ path: String) -> String {
    fixed(12 / times.median(path, per: units).median)
  }

  static let streamTitles = [
    "streaming", "events", "C ns", "loop ns", "loop / C", "reading ns", "reading / C",
  ]
  var streamRow: [String] {
    [
      "\(rule.name), \(data)", "\(events)", nanoseconds("C"), nanoseconds("stream"),
      "\(times.ratio("stream", to: "C"))", nanoseconds("readings"),
      "\(times.ratio("readings", to: "C"))",
    ]
  }

  static let batchTitles = [
    "batch", "events", "ns", "GB/s", "read GB/s", "share of it", "4096s ns", "share of it",
  ]
  var batchRow: [String] {
    [
      "\(rule.name), \(data)", "\(events)", nanoseconds("batch"), gigabytesPerSecond("batch"),
      gigabytesPerSecond("read"), "\(times.ratio("read", to: "batch"))", nanoseconds("blocks"),
      "\(times.ratio("read", to: "blocks"))",
    ]
  }

  static let windowTitles = ["windows of one sample", "events", "ns", "unspecialized ns"]
  var windowRow: [String] {
    [
      "\(rule.name), \(data)", "\(events)", nanoseconds("windows"), nanoseconds("unspecialized"),
    ]
  }
}
