public import CReference
public import Detectors
public import TraceModel

/// A preset of the punch detector, in Swift and in C.
public struct PunchCase: Sendable {
  public let name: String
  public let parameters: PunchParameters

  /// - Parameter name: the name of a preset that is always armed and rearms below the threshold.
  public init(preset name: String) {
    guard let preset = PunchDetector.preset(named: name) else {
      preconditionFailure("no preset \(name)")
    }
    self.name = name
    parameters = preset.parameters(for: TraceHeader(id: "", origin: .synthetic))
    precondition(parameters.arming == .always && parameters.retrigger == .onceBelowAgain)
  }

  /// Runs the rule's C loop over the same columns; the buffer must have room for all detections.
  public func runC(
    _ columns: VectorColumns, into buffer: inout [punch_detection]
  ) -> Int {
    precondition(columns.range == 0..<columns.x.count)
    var state = punch_state()
    punch_init(
      &state, Float(parameters.threshold), Int64((parameters.peakWindow * 1e9).rounded()),
      Int64((parameters.refractory * 1e9).rounded()))
    return punch_stream(
      &state, parameters.rule == .magnitude ? PUNCH_MAGNITUDE : PUNCH_AXES, columns.measuredTimes,
      columns.x, columns.y, columns.z, columns.count, &buffer, buffer.count)
  }

  /// Returns whether the C loop found the same times, classes and magnitudes.
  public func agree(_ swift: [Detection<PunchEvent>], _ c: ArraySlice<punch_detection>) -> Bool {
    swift.count == c.count
      && zip(swift, c).allSatisfy { ours, theirs in
        ours.onset.nanoseconds == theirs.onset && ours.emitted.nanoseconds == theirs.emitted
          && ours.event.magnitude == theirs.magnitude
          && PunchKind.allCases.firstIndex(of: ours.event.punch) == Int(theirs.punch)
          && PunchTarget.allCases.firstIndex(of: ours.event.target) == Int(theirs.target)
      }
  }
}
