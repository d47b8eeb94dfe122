public import Detectors
public import TraceModel

/// The ways on which readings reach a detector, all of them through its public interface and from
/// another module. The loops are specialised for the detector by whoever calls them (`@inlinable`),
/// as in an app's own module, but never inlined there, so that none can be optimised away.
public enum Path {
  /// One reading after the other, the way a loop over arrays of one's own does it.
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

  /// One reading after the other, for any detector, each taken out of the block.
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

  /// A window of one reading after the other: what a paced run delivers.
  @inlinable
  @inline(never)
  public static func windows<D: Detector>(
    _ columns: D.Columns, through detector: inout D, into detections: inout [Detection<D.Event>]
  ) {
    for position in columns.range {
      detector.ingest(contentsOf: columns[position..<position + 1], into: &detections)
    }
  }

  /// The same by code that was not specialised for the detector, as inside of a library that knows
  /// detectors only by their protocol.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  public static func unspecializedWindows<D: Detector>(
    _ columns: D.Columns, through detector: inout D, into detections: inout [Detection<D.Event>]
  ) {
    for position in columns.range {
      detector.ingest(contentsOf: columns[position..<position + 1], into: &detections)
    }
  }

  /// Blocks of so many readings.
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
