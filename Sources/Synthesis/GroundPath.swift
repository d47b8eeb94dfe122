import TraceModel

/// A path on the ellipsoid, parametrised by its length: straight pieces (of constant heading) and
/// bends.
///
/// The heading is a function of the distance covered and the position is its integral, so that the
/// path's length is exact by construction at any latitude.
struct GroundPath: Sendable {
  /// A piece of `length` metres that turns by `turn` radians, to the right where positive. A piece
  /// without length is a corner.
  struct Piece: Sendable {
    var length: Double
    var turn: Double

    static func straight(_ length: Double) -> Piece { Piece(length: length, turn: 0) }

    static func bend(radius: Double, turn: Double) -> Piece {
      Piece(length: radius * turn.magnitude, turn: turn)
    }
  }

  private struct Node: Sendable {
    var way: Double
    var point: GeodeticPoint
    var heading: Double
    var curvature: Double
  }

  private var nodes: [Node] = []
  /// The length in metres.
  let length: Double

  /// - Parameter heading: radians clockwise from north.
  init(from start: GeodeticPoint, heading: Double, pieces: [Piece]) {
    var node = Node(way: 0, point: start, heading: heading, curvature: 0)
    for piece in pieces {
      guard piece.length > 0 else {
        node.heading += piece.turn
        continue
      }
      node.curvature = piece.turn / piece.length
      let origin = node
      let count = GroundPath.steps(piece)
      for step in 1...count {
        nodes.append(node)
        let part = piece.length * Double(step) / Double(count)
        node.point = GroundPath.integrated(node, by: origin.way + part - node.way)
        node.way = origin.way + part
        node.heading = origin.heading + piece.turn * Double(step) / Double(count)
      }
      node.way = origin.way + piece.length
    }
    node.curvature = 0
    nodes.append(node)
    length = node.way
  }

  /// Returns the number of integration steps such that the error of each is below 1e-11 m: a metre,
  /// or a fortieth of a radian.
  private static func steps(_ piece: Piece) -> Int {
    max(Int(max(piece.length, piece.turn.magnitude * 40).rounded(.up)), 1)
  }

  /// One step of the classic Runge-Kutta method.
  private static func integrated(_ node: Node, by step: Double) -> GeodeticPoint {
    func slope(_ way: Double, _ latitude: Double) -> (latitude: Double, longitude: Double) {
      let heading = node.heading + node.curvature * way
      return (
        Math.cos(heading) / WGS84.meridianRadius(latitude),
        Math.sin(heading) / WGS84.parallelRadius(latitude)
      )
    }
    let start = node.point
    let half = step / 2
    let a = slope(0, start.latitude)
    let b = slope(half, start.latitude + half * a.latitude)
    let c = slope(half, start.latitude + half * b.latitude)
    let d = slope(step, start.latitude + step * c.latitude)
    return GeodeticPoint(
      latitude: start.latitude
        + step / 6 * (a.latitude + 2 * b.latitude + 2 * c.latitude + d.latitude),
      longitude: start.longitude
        + step / 6 * (a.longitude + 2 * b.longitude + 2 * c.longitude + d.longitude))
  }

  /// Returns the point after `way` metres, clamped to the start and the end.
  func point(at way: Double) -> GeodeticPoint {
    let node = node(at: way)
    let step = min(max(way, 0), length) - node.way
    return step == 0 ? node.point : GroundPath.integrated(node, by: step)
  }

  /// Returns the heading in radians clockwise from north, not wrapped.
  func heading(at way: Double) -> Double {
    let node = node(at: way)
    return node.heading + node.curvature * (min(max(way, 0), length) - node.way)
  }

  private func node(at way: Double) -> Node {
    nodes[max(nodes.partitioningIndex { $0.way > way } - 1, 0)]
  }
}
