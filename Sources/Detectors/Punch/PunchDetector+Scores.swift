public import TraceModel

extension PunchDetector: ScoredDetector {
  public static var thresholdParameter: String { "threshold" }

  public static func thresholdRule(of parameters: PunchParameters) -> ThresholdRule? {
    if parameters.rule == .swing { return .nested }
    return switch parameters.suppression {
    // With the rule for axes, suppression depends on the other samples over the threshold.
    case .nonMaximum: parameters.rule == .magnitude ? .nested : nil
    case .lockout:
      .lockout(
        Lockout(
          peakWindow: nanoseconds(parameters.peakWindow),
          refractory: nanoseconds(parameters.refractory), rearming: parameters.retrigger.rearming,
          listensWhenArmed: listensWhenArmed(parameters)))
    }
  }

  /// The squared magnitude or the acceleration along an axis, in single precision, as the detector
  /// compares it; with ``PunchRule/swing`` the threshold itself.
  public static func score(ofThreshold threshold: Double, _ parameters: PunchParameters) -> Double {
    if parameters.rule == .swing { return threshold }
    let threshold = Float(threshold)
    return Double(parameters.rule == .magnitude ? threshold * threshold : threshold)
  }

  public static func threshold(ofScore score: Double, _ parameters: PunchParameters) -> Double {
    if parameters.rule == .swing { return score }
    guard score > 0 else { return 0 }
    guard score.isFinite else { return score }
    guard parameters.rule == .magnitude else { return lowest(roundingTo: Float(score)) }
    let square = Float(score)
    var root = square.squareRoot()
    while root * root < square { root = root.nextUp }
    while root.nextDown * root.nextDown >= square { root = root.nextDown }
    return lowest(roundingTo: root)
  }

  /// The lowest number that rounds to `value` or more in single precision.
  private static func lowest(roundingTo value: Float) -> Double {
    let middle = (Double(value.nextDown) + Double(value)) / 2
    return Float(middle) >= value ? middle : middle.nextUp
  }

  public static func score(of detection: DetectionRecord, _ parameters: PunchParameters) -> Double {
    if parameters.rule == .swing { return detection.score ?? .infinity }
    // The root was taken in double precision, so its square rounds to the original number.
    return Double(Float(detection.value * detection.value))
  }

  public static func appendScores(
    of columns: VectorColumns, above limit: Double, _ parameters: PunchParameters,
    into samples: inout ScoredSamples
  ) {
    let square =
      parameters.rule != .axes
      ? Float(limit) : Float(max(limit, 0)) * Float(max(limit, 0))
    let (x, y, z) = (columns.x, columns.y, columns.z)
    var position = columns.range.lowerBound
    while position < columns.range.upperBound {
      // If the magnitude is within the limit, so is every axis, also after rounding.
      position = firstGroup(x.span, y.span, z.span, in: position..<columns.range.upperBound) {
        .!($0.squaredMagnitude .<= SIMD8(repeating: square))
      }
      // Samples over the threshold rarely come alone.
      let end = min(position + 32, columns.range.upperBound)
      for near in position..<end {
        let sample = Acceleration(x: x[near], y: y[near], z: z[near])
        guard !(sample.squaredMagnitude <= square) else { continue }
        samples.append(near, sample, parameters.rule)
      }
      position = end
    }
  }
}

extension PunchRetrigger {
  fileprivate var rearming: Lockout.Rearming {
    switch self {
    case .oncePerArming: .nextStretch
    case .onceBelowAgain: .rest
    case .everySample: .none
    }
  }
}

extension ScoredSamples {
  fileprivate mutating func append(_ position: Int, _ sample: Acceleration, _ rule: PunchRule) {
    let height = Double(sample.squaredMagnitude)
    switch rule {
    case .magnitude, .swing: append(position, score: height)
    case .axes where height.isNaN:
      append(position, firing: .nan, resting: .nan, height: .nan)
    case .axes:
      let (x, y) = (abs(sample.x), abs(sample.y))
      append(
        position, firing: Double(max(x, y, sample.z)), resting: Double(max(x, y, abs(sample.z))),
        height: height)
    }
  }
}
