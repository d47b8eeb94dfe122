import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// Traces of positions that the tests of maps share.
enum MapTraces {
  /// A run to the north at 3 m/s, with fixes to the last nanosecond and the last digit: 1,500 fixes
  /// from 2024-06-07T12:00:00Z, every hundredth too inaccurate, with two places and the true path.
  static func run() -> Trace {
    var fixes = FixColumns()
    var path = ReferenceTrack(times: [], latitudes: [], longitudes: [])
    for index in 0..<1500 {
      let time = Int64(index) * 1_000_000_007
      let latitude = 46 + Double(index) * 3 / 111_160.123456789
      fixes.append(
        Fix(
          latitude: latitude + 0.00001 * Double(index % 3), longitude: 14.5 + Double(index) * 1e-13,
          altitude: 300 + Double(index) / 7, horizontalAccuracy: index % 100 == 99 ? 80 : 5.25,
          speed: index % 50 == 49 ? -1 : 3.1, speedAccuracy: 0.3,
          course: index % 50 == 49 ? -1 : 359.5),
        measured: time, arrived: time)
      path.times.append(time)
      path.latitudes.append(latitude)
      path.longitudes.append(14.5)
    }
    var header = TraceHeader(id: "run", origin: .recorded)
    header.setEpoch(nanoseconds: EpochTime.nanoseconds(of: "2024-06-07T12:00:00Z"))
    header.end = TraceInstant(nanoseconds: 1_500_000_000_000)
    header.activity = "running"
    header.device = "phone"
    header.places = [
      Place(id: 3, latitude: 46.01, longitude: 14.5, radius: 40, rank: 0),
      Place(id: 8, latitude: 46.03, longitude: 14.5, radius: .nan, rank: 1),
    ]
    header.references = [
      ReferenceSet(
        task: .visit,
        events: [
          ReferenceEvent(
            onset: TraceInstant(nanoseconds: 357_000_000_000),
            offset: TraceInstant(nanoseconds: 384_000_000_000), place: 3)
        ])
    ]
    header.track = path
    var trace = Trace(header: header)
    trace.set(.fix(fixes), for: .location)
    return trace
  }

  /// The run in ways that a map may stumble over.
  static func write(to scratch: Scratch) throws { try files.copy(to: scratch) }

  private static let files = MadeFiles { scratch in
    func write(_ trace: Trace, _ name: String) throws {
      try NativeTrace.write(trace, to: scratch.path(name))
    }
    try write(run(), "run.h5")
    var dateless = run()
    dateless.header.setEpoch(nanoseconds: nil)
    try write(dateless, "dateless.h5")
    try write(hostile(), "hostile.h5")
    try write(crossing(), "crossing.h5")
    var nowhere = run()
    let nothing = Fix(latitude: .nan, longitude: .nan)
    nowhere.set(.fix(columns([nothing, nothing])), for: .location)
    try write(nowhere, "nowhere.h5")
    var empty = run()
    empty.set(.fix(FixColumns()), for: .location)
    try write(empty, "empty.h5")
    var wild = run()
    let positions = [(46.0, 14.5), (.nan, 14.5), (46, 181), (91, 14.5), (46.0001, 14.5)]
    wild.set(
      .fix(columns(positions.map { Fix(latitude: $0.0, longitude: $0.1) })), for: .location)
    try write(wild, "wild.h5")
    var bad = run()
    let inaccurate = Fix(latitude: 46, longitude: 14.5, horizontalAccuracy: 900)
    bad.set(.fix(columns([inaccurate, inaccurate])), for: .location)
    try write(bad, "bad.h5")
    try write(StepTraces.motion(seconds: 5), "motion.h5")
    try scratch.write("text", to: "text.h5")
  }

  /// One fix per second.
  static func columns(_ fixes: [Fix]) -> FixColumns {
    var columns = FixColumns()
    for (index, fix) in fixes.enumerated() {
      let time = Int64(index) * 1_000_000_000
      columns.append(fix, measured: time, arrived: time)
    }
    return columns
  }

  /// What XML, JSON and terminals have meanings for.
  static let hostileText =
    "<a&b>\"'\\ ]]> \u{1}\u{1B}[31m\u{85}\u{7F}\u{FFFE} \u{2028}é李 </name>"

  static func hostile() -> Trace {
    var trace = run()
    trace.header.id = hostileText
    trace.header.activity = hostileText
    trace.header.device = hostileText
    return trace
  }

  /// Across the date line from 179.9998 E to 179.9998 W, by way of 180 itself.
  static func crossing() -> Trace {
    var trace = run()
    let longitudes = [179.9998, 179.9999, 180, -179.9999, -179.9998]
    let fixes = longitudes.enumerated().map { Fix(latitude: Double($0) * 0.00001, longitude: $1) }
    trace.set(.fix(columns(fixes)), for: .location)
    trace.header.places = []
    trace.header.track = nil
    trace.header.references = []
    return trace
  }
}
