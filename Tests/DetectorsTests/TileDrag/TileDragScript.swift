import Detectors
import TraceModel

/// Touches as a script: times in ms, and positions by the names of tiles and slots.
struct TileDragScript {
  var columns = TouchColumns()
  let layout: TileLayout
  private let parameters: TileDragDetector.Parameters
  private(set) var time: Int64 = 0

  init(_ parameters: TileDragDetector.Parameters) {
    self.parameters = parameters
    layout = parameters.tileLayout
  }

  /// The centre of a tile at home, from 1.
  func tile(_ number: Int) -> TileLayout.Point { layout.tiles[number - 1] }
  /// The centre of a slot, from 1.
  func slot(_ number: Int) -> TileLayout.Point { layout.slots[number - 1] }

  mutating func touch(
    _ phase: Touch.Phase, _ point: TileLayout.Point, pointer: Int32 = 0, after wait: Int64 = 10
  ) {
    time += wait
    columns.append(
      Touch(x: point.x, y: point.y, phase: phase, pointer: pointer),
      measured: time * 1_000_000, arrived: (time + 1) * 1_000_000)
  }

  /// A whole drag; the finger grips the tile `grip` off its centre and ends `off` the goal, both in
  /// points.
  mutating func drag(
    from start: TileLayout.Point, to goal: TileLayout.Point, grip: (Double, Double) = (0, 0),
    off: (Double, Double) = (0, 0), last: Touch.Phase = .ended
  ) {
    func shifted(_ point: TileLayout.Point, _ by: (Double, Double)) -> TileLayout.Point {
      TileLayout.Point(x: point.x + by.0, y: point.y + by.1)
    }
    let (from, to) = (shifted(start, grip), shifted(shifted(goal, grip), off))
    touch(.began, from)
    touch(.moved, TileLayout.Point(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2))
    touch(last, to)
  }

  /// The detections up to one second after the last touch: `drop tile-3 2 12.5 @ 40`, with the slot,
  /// the distance to the tenth of a point, and the time of emission in ms.
  func said() -> [String] {
    run().map { detection in
      let event = detection.event
      let words = [
        event.kind, event.originalLabel, event.place.map { "\($0)" } ?? "",
        event.value.isNaN ? "" : "\((event.value * 10).rounded() / 10)",
      ]
      return (words.filter { !$0.isEmpty } + ["@", "\(detection.emitted.nanoseconds / 1_000_000)"])
        .joined(separator: " ")
    }
  }

  func run() -> [Detection<TileDragEvent>] {
    var detector = TileDragDetector(parameters, places: [])
    var found: [Detection<TileDragEvent>] = []
    detector.ingest(contentsOf: columns, into: &found)
    let end = TraceInstant(nanoseconds: (time + 3000) * 1_000_000)
    while let deadline = detector.deadline, deadline <= end {
      detector.advance(to: deadline, into: &found)
    }
    return found
  }

  /// The tiles in the slots after the last touch.
  func board() -> [Int?] {
    var detector = TileDragDetector(parameters, places: [])
    var found: [Detection<TileDragEvent>] = []
    detector.ingest(contentsOf: columns, into: &found)
    return detector.board
  }
}
