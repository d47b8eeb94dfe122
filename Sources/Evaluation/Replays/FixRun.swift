package import Detectors
package import PageRuns
package import Replay
package import TraceModel

extension AnyDetector {
  /// Runs the detector on the positions of a trace. The built-in detectors also tell what they make
  /// of each fix. O(fixes).
  ///
  /// - Throws: as ``run(_:on:device:options:)``.
  package func fixRun(
    _ choice: DetectorChoice, on trace: Trace, options: RunOptions
  ) throws -> FixRun {
    if type == ObjectIdentifier(TrackDetector.self) {
      return try FixRun.run(
        Self.parameters(TrackDetector.self, choice, trace), on: trace, options: options)
    }
    if type == ObjectIdentifier(CheckInDetector.self) {
      return try FixRun.run(
        Self.parameters(CheckInDetector.self, choice, trace), on: trace, options: options)
    }
    let result = try run(choice, on: MemorySource(trace), options: options)
    return FixRun(
      detections: result.detections, measurements: result.measurements.values.first ?? [],
      uses: nil, places: trace.header.places)
  }

  private static func parameters<D: Detector>(
    _ type: D.Type, _ choice: DetectorChoice, _ trace: Trace
  ) throws -> D.Parameters {
    try ParameterSchema(name: D.name, presets: D.presets, fields: D.parameterFields)
      .resolve(choice, for: trace.header)
  }
}
