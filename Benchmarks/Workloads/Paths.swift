public import Detectors
public import TraceModel

/// The paths of readings to a detector, all through its public interface and from another module.
/// The caller specialises the loops for the detector (`@inlinable`), as in an app's own module, but
/// does not inline them, so that none can be optimised away.
public enum Path {
  /// Ingests reading by reading, like a loop over arrays.
  @inlinable
  @inline(never)
  public static func stream(
    _ columns: VectorColumns, through detector: inout PunchDetector,
    into detections: inout [Detection<PunchEvent>]
  ) {
    let (times, x, y, z) = (columns.measuredTimes, columns.x, columns.y, columns.z)
    for position in columns.range {
      let time = TraceInstant(nanoseconds: times[position])
      detector.ingest(
        Vector3(x: x[position], y: y[position], z: z[position]), measured: time, arrived: time,
        into: &detections)
    }
  }

  /// Ingests reading by reading, for any detector, each taken from the block.
  @inlinable
  @inline(never)
  public static func readings<D: Detector>(
    _ columns: D.Columns, through detector: inout D, into detections: inout [Detection<D.Event>]
  ) {
    for position in columns.range {
      detector.ingest(
        columns[position], measured: columns.measured(at: position),
        arrived: columns.arrived(at: position), into: &detections)
    }
  }

  /// Ingests windows of one reading, like a paced run.
  @inlinable
  @inline(never)
  public static func windows<D: Detector>(
    _ columns: D.Columns, through detector: inout D, into detections: inout [Detection<D.Event>]
  ) {
    for position in columns.range {
      detector.ingest(contentsOf: columns[position..<position + 1], into: &detections)
    }
  }

  /// The same in code that is not specialised for the detector, as inside a library that uses only
  /// the detector protocol.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  public static func unspecializedWindows<D: Detector>(
    _ columns: D.Columns, through detector: inout D, into detections: inout [Detection<D.Event>]
  ) {
    for position in columns.range {
      detector.ingest(contentsOf: columns[position..<position + 1], into: &detections)
    }
  }

  /// Ingests blocks of `size` readings.
  @inlinable
  @inline(never)
  public static func blocks<D: Detector>(
    of size: Int, _ columns: D.Columns, through detector: inout D,
    into detections: inout [Detection<D.Event>]
  ) {
    var rest = columns
    while !rest.isEmpty { detector.ingest(contentsOf: rest.popFirst(size), into: &detections) }
  }
}
