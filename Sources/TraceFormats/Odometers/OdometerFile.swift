package import TraceModel

/// Reads the distances of a device's odometer from a file whose positions gpsbabel reads, because
/// gpsbabel leaves them out.
package enum OdometerFile {
  case fit(path: String)
  case tcx(path: String)

  /// The odometer of a file, by gpsbabel's name of its format; nil = no odometer of the format is
  /// known.
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
  /// - Throws: if the file cannot be read, under `strict` also if it is damaged, and what `take`
  ///   throws, whose kind must be `.inputOutput`.
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

/// The counts of an odometer's records.
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

/// Whether a distance means "not known": FIT's invalid value, the largest integer of 32 bits, which
/// converters write in metres or in centimetres.
package func isUnknownDistance(_ meters: Double) -> Bool {
  meters == 4_294_967_295 || abs(meters - 42_949_672.95) < 0.006
}
