package import Scoring
import TraceModel
import Tuning

extension ChanceLevel {
  /// The reason why a comparison with chance shows nothing.
  package var reason: String {
    isMovementShort
      ? "too little movement between the events"
      : "the events are too few or too regular"
  }

  /// The detectors that a result above chance rules out.
  /// - Parameter knowsMovement: whether the signal shows where there is movement.
  package static func ruledOut(knowsMovement: Bool) -> String {
    knowsMovement
      ? "a detector that fires blindly or at any movement finds fewer; one that follows how hard "
        + "somebody moves may find as many"
      : "a detector that fires blindly finds fewer; one that fires at any movement may find as many"
  }
}

extension TuneOutcome {
  /// The detectors that the verdict rules out; nil if the hits are not above chance.
  package var ruledOut: String? {
    guard result.verdict == .betterThanNull, result.chance?.isAboveChance == true else {
      return nil
    }
    let isMotion = [.acceleration, .userAcceleration].contains(measured.detector.channel)
    return "Above chance: \(ChanceLevel.ruledOut(knowsMovement: isMotion))"
  }
}
