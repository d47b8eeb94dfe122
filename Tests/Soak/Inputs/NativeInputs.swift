import Evaluation
import Foundation
import HDF5
import Harness
import Reports
import Results
import TraceFormats
import TraceModel

/// Valid native traces, or files of results, with some bytes changed. In half of the cases HDF5's
/// checksums are corrected, so that the parser meets the damage and not the checksum test.
struct NativeInputs: Inputs {
  let ending = ".h5"
  private let bases: [[UInt8]]
  private let memory: Int
  private let areResults: Bool

  /// Files of results.
  /// - Parameter memory: bytes that reading a file may take.
  init(resultsIn folder: String, memory: Int) throws {
    self.memory = memory
    areResults = true
    bases = try [Self.newest, Self.grouped, Self.older, Self.swept].enumerated().map {
      index, contents in
      let path = "\(folder)/base-\(index).h5"
      try contents.write(to: path)
      return try [UInt8](Data(contentsOf: URL(filePath: path)))
    }
  }

  /// - Parameters:
  ///   - corpus: a folder whose `.h5` files are damaged too.
  ///   - memory: bytes that reading a file may take.
  init(folder: String, corpus: String?, memory: Int) throws {
    self.memory = memory
    areResults = false
    var bases: [[UInt8]] = []
    for (index, trace) in [Self.small, Self.full, Self.long].enumerated() {
      let path = "\(folder)/base-\(index).h5"
      try NativeTrace.write(trace, to: path)
      bases.append(try [UInt8](Data(contentsOf: URL(filePath: path))))
    }
    if let corpus {
      let names = try FileManager.default.contentsOfDirectory(atPath: corpus).sorted()
      for name in names where name.hasSuffix(".h5") {
        bases.append(try [UInt8](Data(contentsOf: URL(filePath: "\(corpus)/\(name)"))))
      }
    }
    self.bases = bases
  }

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = generator.pick(bases)
    let blocks = HDF5Checksums.blocks(of: bytes)
    for _ in 0..<(1 + generator.below(4)) {
      let inBlock = generator.isTrue(oneIn: 2) ? blocks.isEmpty ? nil : generator.pick(blocks) : nil
      let range = inBlock ?? 0..<bytes.count
      change(&bytes, at: range.lowerBound + generator.below(range.count), &generator)
    }
    switch generator.below(40) {
    case 0: bytes.removeLast(generator.below(bytes.count))
    case 1: bytes += [UInt8](repeating: 0, count: generator.below(5000))
    case 2:
      // A block at the wrong place, as a lost write leaves it.
      let (from, to) = (generator.below(bytes.count), generator.below(bytes.count))
      let length = min(generator.below(2048), bytes.count - max(from, to))
      bytes.replaceSubrange(to..<(to + length), with: Array(bytes[from..<(from + length)]))
    default: break
    }
    if generator.isTrue(oneIn: 2) { HDF5Checksums.mend(&bytes, blocks) }
    return bytes
  }

  private func change(
    _ bytes: inout [UInt8], at position: Int, _ generator: inout SeededGenerator
  ) {
    switch generator.below(4) {
    case 0: bytes[position] ^= 1 << UInt8(generator.below(8))
    case 1: bytes[position] = UInt8(truncatingIfNeeded: generator.next())
    case 2: bytes[position] = generator.pick([0, 1, 0x7F, 0x80, 0xFF])
    default:
      // An integer of some width at its edge.
      let width = generator.pick([2, 4, 8])
      let value = generator.pick([
        0, 1, .max, 1 << 31, 1 << 62, UInt64(bytes.count), generator.next(),
      ])
      for offset in 0..<min(width, bytes.count - position) {
        bytes[position + offset] = UInt8(truncatingIfNeeded: value >> UInt64(8 * offset))
      }
    }
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    message {
      if areResults {
        _ = try ResultsContents.reading(path)
        // What is read is converted and compared with itself.
        let results = try MeasuredResults(reading: path)
        let comparison = ResultComparison(from: results, to: results)
        _ = comparison.csv() + comparison.flipsCSV() + ComparisonTables(comparison).render()
        return
      }
      var unread: [String] = []
      let trace = try NativeFile.read(path, unread: &unread, memory: memory)
      try writeAtTimes([trace], beside: path, &generator)
    }
  }

  // MARK: Results

  private static func file(_ schema: String, _ groups: [(String, HDF5Contents)]) -> HDF5Contents {
    HDF5Contents(
      attributes: [
        HDF5Attribute("schema", "shadowbox-" + schema), HDF5Attribute("suite", "soak"),
        HDF5Attribute("seed", Int64(7)),
      ], scalars: [], groups: groups)
  }

  private static var newest: HDF5Contents {
    file(
      "results/5",
      [("summary", summary), ("runs", runTable), ("settings", settings), ("events", events)])
  }

  /// Before version 5: a group for each run.
  private static var grouped: HDF5Contents {
    file("results/4", [("summary", summary), ("runs", runs)])
  }

  private static var summary: HDF5Contents {
    var summary = HDF5Contents(attributes: [], scalars: [], groups: [])
    func cells(_ name: String) -> (column: HDF5Column, dimensions: [Int]) {
      (.floats(name, (0..<8).map(Double.init)), [0, 1, 2, 3])
    }
    summary.grid = HDF5Grid(
      [
        ("entry", .names(["punch/default", "other"])), ("origin", .names(["synthetic"])),
        ("activity", .names(["all", "rest"])), ("class", .names(["all", "jab"])),
      ],
      [cells("recall"), cells("recall_lo"), cells("recall_hi")] + [
        (.integers("recall_events", [1, 2, -1, 3], note: "", missing: -1), [0, 1, 2]),
        (.codes("recall_method", ["none", "wilson", "wilson", "none"]), [0, 1, 2]),
      ])
    return summary
  }

  private static func times(_ name: String, _ values: [Int64]) -> HDF5Column {
    HDF5Column(name, values, [])
  }

  private static func table(_ name: String, _ columns: [HDF5Column]) -> HDF5Contents {
    var contents = HDF5Contents(attributes: [], scalars: [], groups: [])
    contents.table = (name, columns)
    return contents
  }

  private static let parameters = #"[{"name": "threshold", "unit": "m/s2", "value": 30}]"#

  /// Two detections and two references of a run.
  private static var detections: [HDF5Column] {
    [
      times("onset", [5, 9]), times("emitted", [6, 9]), times("newest_measured", [6, 8]),
      .codes("kind", ["punch", "punch"]), .codes("label", ["", "jab"]),
      .floats("value", [31, .nan]), .floats("score", [30.5, nil]),
      .integers("newest_reading", [4, -1], note: "", missing: -1),
      .codes("outcome", ["true_positive", "false_positive"]),
      .integers("match_index", [0, -1], note: "", missing: -1),
    ]
  }
  private static var references: [HDF5Column] {
    [
      times("onset", [5, 20]), .codes("outcome", ["hit", "missed"]), .codes("label", ["", ""]),
    ]
  }

  /// Three runs of two entries, one of them without events.
  private static var runTable: HDF5Contents {
    table(
      "run",
      [
        .integers("setting", [0, 0, 1], note: ""), .texts("entry", ["punch", "punch", "other"]),
        .texts("trace", ["t", "u", "t"]), .texts("subject", ["sim01", "", "sim02"]),
        .texts("origin", ["synthetic", "synthetic", "recorded"]),
        .codes("task", ["punch", "punch", "punch"]), times("duration", [100, 100, 90]),
        .counts("tolerance_early", [150, 150, nil], note: ""),
        .counts("tolerance_late", [150, 150, nil], note: ""),
        .codes("tolerance_origin", ["standard", "stated", "none"]),
        .floats("true_positives", [1, 0, nil]), .floats("false_positives", [1, 0, nil]),
        .floats("false_negatives", [1, 0, nil]), .floats("scored_hours", [0.5, 1, nil]),
        .floats("recall", [0.5, nil, nil]), .floats("recall_lo", [0.1, nil, nil]),
        .floats("recall_hi", [0.9, nil, nil]),
        .integers("recall_events", [2, 0, -1], note: "", missing: -1),
        .codes("recall_method", ["wilson", "wilson", "none"]),
        .floats("measured_far", [nil, nil, 3], unit: "km"),
      ])
  }

  private static var settings: HDF5Contents {
    table(
      "setting",
      [
        .texts("entry", ["punch", "other"]), .texts("detector", ["punch", "exec:x"]),
        .texts("parameters", [parameters, "[]"]), .texts("threshold_parameter", ["threshold", ""]),
      ])
  }

  private static var events: HDF5Contents {
    func own(_ rows: [Int32]) -> HDF5Column { .integers("run", rows, note: "") }
    func entry(_ rows: [Int32]) -> HDF5Contents {
      HDF5Contents(
        attributes: [], scalars: [],
        groups: [
          ("detections", table("event", [own(rows)] + detections)),
          ("references", table("reference", [own(rows)] + references)),
        ])
    }
    return HDF5Contents(
      attributes: [], scalars: [], groups: [("punch", entry([0, 1])), ("other", entry([2, 2]))])
  }

  /// A run as a group, and once more.
  private static var runs: HDF5Contents {
    let scores = HDF5Contents(
      attributes: [
        HDF5Attribute("tolerance_early_ns", Int64(150)),
        HDF5Attribute("tolerance_late_ns", Int64(150)),
      ],
      scalars: [
        .floats("true_positives", [1]), .floats("false_positives", [1]),
        .floats("false_negatives", [1]), .floats("scored_hours", [0.5]),
        .floats("false_alarms_per_hour", [2]), .floats("latency_p50", [0.1]),
      ], groups: [])
    let run = HDF5Contents(
      attributes: [
        HDF5Attribute("trace", "t"), HDF5Attribute("task", "punch"),
        HDF5Attribute("threshold_parameter", "threshold"), HDF5Attribute("subject", "sim01"),
        HDF5Attribute("parameters", parameters),
      ], scalars: [],
      groups: [
        ("detections", table("event", detections)), ("references", table("reference", references)),
        ("scores", scores),
      ])
    let traces = HDF5Contents(attributes: [], scalars: [], groups: [("t", run), ("u", run)])
    return HDF5Contents(attributes: [], scalars: [], groups: [("punch", traces)])
  }

  private static var older: HDF5Contents {
    let figures = HDF5Contents(
      attributes: [], scalars: [.floats("recall", [0.5]), .floats("recall_lo", [0.25])], groups: [])
    return file(
      "results/2",
      [
        (
          "summary",
          HDF5Contents(
            attributes: [], scalars: [],
            groups: [
              (
                "punch/default",
                HDF5Contents(attributes: [], scalars: [], groups: [("recorded", figures)])
              )
            ])
        )
      ])
  }

  private static var swept: HDF5Contents {
    var points = HDF5Contents(attributes: [], scalars: [], groups: [])
    points.table = (
      "point",
      [.codes("name", ["preset", "best F1"]), .floats("threshold", [30, 40], unit: "m/s2")]
    )
    let all = HDF5Contents(attributes: [], scalars: [], groups: [("operating_points", points)])
    return file(
      "sweep/2", [("sweep", HDF5Contents(attributes: [], scalars: [], groups: [("all", all)]))])
  }

  // MARK: Bases

  private static var small: Trace {
    var trace = Trace(header: TraceHeader(id: "small", origin: .recorded))
    trace.set(vectors(5), for: .userAcceleration)
    trace.header.end = TraceInstant(nanoseconds: 1_000_000_000)
    return trace
  }

  /// Enough readings for chunks.
  private static var long: Trace {
    var trace = Trace(header: TraceHeader(id: "long", origin: .synthetic))
    trace.set(vectors(3000), for: .acceleration, attributes: ["fact": "x"])
    trace.header.end = TraceInstant(nanoseconds: 60_000_000_000)
    return trace
  }

  private static var full: Trace {
    var trace = small
    trace.header.id = "full"
    trace.header.subject = "p1"
    trace.header.seed = 7
    trace.header.places = [Place(id: 1, latitude: 46, longitude: 13, radius: 30, rank: 1)]
    trace.header.ignoreZones = [IgnoreZone(onset: .zero, offset: TraceInstant(nanoseconds: 5))]
    trace.header.references = ReferenceTask.allCases.sorted().map {
      ReferenceSet(task: $0, events: [ReferenceEvent(onset: .zero), ReferenceEvent(onset: .zero)])
    }
    var fixes = FixColumns()
    for time in 0..<4 {
      let time = Int64(time)
      fixes.append(Fix(latitude: 46, longitude: 13), measured: time, arrived: time + 1)
    }
    trace.set(.fix(fixes), for: .location)
    var actions = ActionColumns()
    actions.append(.arm, measured: 0, arrived: 0)
    trace.set(.action(actions), for: .action)
    return trace
  }

  private static func vectors(_ count: Int) -> ChannelBlock {
    var columns = VectorColumns()
    for index in 0..<count {
      let time = Int64(index) * 10_000_000
      columns.append(
        Vector3(x: Float(index % 17), y: 0.5, z: 9.8), measured: time, arrived: time)
    }
    return .vector(columns)
  }
}
