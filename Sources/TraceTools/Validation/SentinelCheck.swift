import TraceModel

/// Finds the integers that stand for an unknown value in file formats, if a reader has taken them
/// for values.
enum SentinelCheck {
  /// The largest values of the integers of FIT (FIT Protocol, "Invalid value" of each base type), also
  /// in hundredths and thousandths, as distances and speeds are stored.
  private static let wide: [Double] = [4_294_967_295, 2_147_483_647].flatMap {
    [$0, $0 / 100, $0 / 1000]
  }
  /// The integers of 16 bits, which a sensor may happen to measure.
  private static let narrow: [Double] = [65_535, 32_767].flatMap { [$0, $0 / 1000] }
  /// The largest altitude of 16 bits: fifths of a metre above -500 m.
  private static let altitude = 65_535.0 / 5 - 500
  private static let codes = wide + narrow + [altitude]

  static func findings(_ channel: Channel, _ block: ChannelBlock) -> [Finding] {
    switch block {
    case .fix(let fixes):
      let columns: [(String, KeyPath<Fix, Double>)] = [
        ("altitude", \.altitude), ("horizontal_accuracy", \.horizontalAccuracy), ("speed", \.speed),
        ("speed_accuracy", \.speedAccuracy), ("course", \.course),
      ]
      return columns.flatMap { name, value in
        findings("\(channel.name)/\(name)", block, codes) { fixes.values[$0][keyPath: value] }
      }
    case .scalar(let columns):
      // 65,535 Pa is the pressure on a mountain.
      let codes = channel == .odometer ? codes : wide
      return findings(channel.name, block, codes) { columns.values[$0].value }
    case .vector, .local, .touch, .heartbeat, .action: return []
    }
  }

  private static func findings(
    _ place: String, _ block: ChannelBlock, _ codes: [Double], _ value: (Int) -> Double
  ) -> [Finding] {
    var found: [Int: (first: Int, last: Int, count: Int)] = [:]
    for position in block.range {
      guard let code = codes.firstIndex(of: value(position)) else { continue }
      let before = found[code]
      found[code] = (before?.first ?? position, position, (before?.count ?? 0) + 1)
    }
    return found.sorted { $0.key < $1.key }.compactMap { code, positions in
      guard code < wide.count || positions.count > 1 else { return nil }
      return Finding(
        "unknown-codes", .warning, place: place,
        start: TraceInstant(nanoseconds: block.measuredTimes[positions.first]),
        end: TraceInstant(nanoseconds: block.measuredTimes[positions.last]),
        count: positions.count,
        message: "\(share(positions.count, of: block.count)) are \(text(codes[code])), which FIT "
          + "and other formats write for an unknown value; leave them out of the file and convert again."
      )
    }
  }

  private static func text(_ code: Double) -> String {
    code == code.rounded() ? "\(Int64(code))" : "\(code)"
  }
}
