package import TraceModel

/// Reads the distances of a device's odometer from a file whose positions another program reads,
/// because that program leaves the distances out.
package enum OdometerFile {
  case fit(path: String)
  case tcx(path: String)

  /// The odometer of a file, by gpsbabel's name of its format; nil = the format has none, or none
  /// that is known here.
  package init?(_ path: String, format: String) {
    switch format.prefix(while: { $0 != "," }) {
    case "garmin_fit": self = .fit(path: path)
    case "gtrnctr": self = .tcx(path: path)
    default: return nil
    }
  }

  /// Reads all readings, in the file's order.
  /// - Parameters:
  ///   - strict: whether the first damaged record ends the reading.
  ///   - take: takes each reading: the time in ns since 1970-01-01T00:00:00Z, and metres.
  /// - Throws: where the file cannot be read, under `strict` also where it is damaged, and what
  ///   `take` throws.
  package func read(
    strict: Bool, _ take: (Int64, Double) throws(TraceError) -> Void
  ) throws(TraceError) -> OdometerReport {
    switch self {
    case .fit(let path):
      return try FITOdometer.read(ByteSource(path: path), strict: strict, take)
    case .tcx(let path):
      return try TCXOdometer.read(ByteSource(path: path), strict: strict, take)
    }
  }
}

/// What was found in addition to the readings.
package struct OdometerReport {
  package internal(set) var readings = 0
  /// The number of records with a time but without a distance, which the device does not know.
  var unknown = 0
  var losses = ImportReport.Losses()

  /// The first record that was left out because of damage.
  package var firstLoss: TraceError? { losses.first.first }

  /// Notes for the user, one sentence each.
  var notes: [String] {
    guard readings > 0 || unknown > 0 else { return [] }
    var note = "Odometer: \(readings) readings, read from the file itself"
    if unknown > 0 {
      note += "; \(unknown) \(unknown == 1 ? "record states" : "records state") no distance"
    }
    return [note + "."]
  }
}

/// Distances that mean "not known": the largest integer of 32 bits, which is FIT's invalid value, in
/// metres or in centimetres, as converters write it.
package func isUnknownDistance(_ meters: Double) -> Bool {
  meters == 4_294_967_295 || abs(meters - 42_949_672.95) < 0.006
}
