import TraceModel

extension SaturationRail {
  static func findings(_ channel: Channel, _ columns: VectorColumns) -> [Finding] {
    find(in: columns, of: channel).map { rail in
      let inG = channel == .rotationRate ? "" : " (\(figure(rail.value / standardGravity, 2)) g)"
      let unit = channel == .rotationRate ? "rad/s" : "m/s2"
      return Finding(
        "saturation", .warning, place: "\(channel.name)/\(rail.axis.rawValue)", start: rail.first,
        count: rail.count,
        message: "\(counted(rail.count, "reading")) (\(percent(rail.count, of: rail.readings))) "
          + "lie within 3 % of the extreme \(figure(rail.value, 2)) \(unit)\(inG), \(rail.exact) "
          + "exactly on it, at most \(rail.below) in any of the next 3 %: the sensor's range ends there "
          + "and peaks are clipped.")
    }
  }
}
