import Detectors
package import PageRuns
package import Replay
package import TraceModel

extension AnyDetector {
  /// Runs the detector on the positions of a trace. The built-in detectors also report what they make
  /// of each fix. O(fixes).
  ///
  /// - Throws: as ``bound(_:for:place:)`` and ``BoundDetector/run(on:device:options:)``.
  package func fixRun(
    _ choice: DetectorChoice, on trace: Trace, options: RunOptions
  ) throws -> FixRun {
    let bound = try bound(choice, for: trace.header)
    if type == ObjectIdentifier(TrackDetector.self),
      let parameters = bound.values as? TrackDetector.Parameters
    {
      return try FixRun.run(parameters, on: trace, options: options)
    }
    if type == ObjectIdentifier(CheckInDetector.self),
      let parameters = bound.values as? CheckInDetector.Parameters
    {
      return try FixRun.run(parameters, on: trace, options: options)
    }
    let result = try bound.run(on: MemorySource(trace), options: options)
    return FixRun(
      detections: result.detections, measurements: result.measurements.values.first ?? [],
      uses: nil, places: trace.header.places)
  }
}
