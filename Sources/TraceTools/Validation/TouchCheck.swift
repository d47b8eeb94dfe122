import TraceModel

/// Finds touches in an impossible order or at impossible positions, and several fingers at once.
enum TouchCheck {
  /// The largest distance from the screen's edge, in sides of the screen, at which a touch can be:
  /// a finger that slides off the glass is reported outside, but never by a whole screen.
  static let margin = 1.0

  /// - Complexity: O(n) for n touches.
  static func findings(_ touches: TouchColumns, _ header: TraceHeader) -> [Finding] {
    var scan = Scan()
    for position in touches.range { scan.add(touches[position], at: position) }
    func finding(
      _ code: String, _ severity: Finding.Severity, _ positions: [Int], _ what: String
    ) -> Finding? {
      ChannelBlock.touch(touches).finding(
        code, severity, of: Channel.touch.name, at: positions,
        "\(positions.count) of \(counted(touches.count, "touch", "touches")) \(what).")
    }
    let findings = [
      finding(
        "touch-without-began", .warning, scan.withoutBegan,
        "without a touch that began: the recording starts late, or touches are lost"),
      finding(
        "touch-began-twice", .warning, scan.beganTwice,
        "began while the same pointer was down: the end before is lost"),
      finding(
        "touch-left-down", .note, scan.leftDown,
        "began and never ended before the end of the trace"),
      finding(
        "touch-pointers", .note, scan.besideOthers, "came while another pointer was down"),
      finding(
        "touch-coordinates", .error,
        touches.range.filter { isAbsurd(touches[$0], on: header.screen) },
        "at impossible coordinates; they are points from the top left corner, not pixels"),
    ]
    return findings.compactMap(\.self) + screen(touches, header)
  }

  private static func screen(_ touches: TouchColumns, _ header: TraceHeader) -> [Finding] {
    guard header.screen == nil, !touches.isEmpty else { return [] }
    return [
      Finding(
        "no-screen", .warning, place: Channel.touch.name, count: touches.count,
        message: "The size of the screen is unknown: what lies under a touch cannot be computed; "
          + "state it with convert --screen.")
    ]
  }

  /// Whether a touch cannot have been on the screen; NaN is a missing value.
  static func isAbsurd(_ touch: Touch, on screen: ScreenSize?) -> Bool {
    let largest = ScreenSize.validRange.upperBound
    func isAbsurd(_ value: Double, _ side: Double) -> Bool {
      value < -margin * side || value > (1 + margin) * side
    }
    return isAbsurd(touch.x, screen?.width ?? largest)
      || isAbsurd(touch.y, screen?.height ?? largest)
  }

  /// The fingers on the screen, and the positions of touches that do not fit.
  private struct Scan {
    private var down: [Int32: Int] = [:]
    private(set) var withoutBegan: [Int] = []
    private(set) var beganTwice: [Int] = []
    private(set) var besideOthers: [Int] = []

    /// The positions of the touches that began and are still down, in order.
    var leftDown: [Int] { down.values.sorted() }

    mutating func add(_ touch: Touch, at position: Int) {
      let isDown = down[touch.pointer] != nil
      if down.count > (isDown ? 1 : 0) { besideOthers.append(position) }
      switch touch.phase {
      case .began:
        if isDown { beganTwice.append(position) }
        down[touch.pointer] = position
      case .moved: if !isDown { withoutBegan.append(position) }
      case .ended, .cancelled:
        if !isDown { withoutBegan.append(position) }
        down[touch.pointer] = nil
      }
    }
  }
}
