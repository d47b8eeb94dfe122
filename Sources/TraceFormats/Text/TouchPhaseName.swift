import TraceModel

extension Touch.Phase {
  /// Reads the names that phones, browsers and recorders use, in any case: `began`, `down`, `start`,
  /// `touchstart`; `moved`, `move`, `stationary`; `ended`, `up`, `end`; `cancelled`, `canceled`,
  /// `cancel`. Numbers are refused: iOS and Android count the phases differently.
  init?(anyName name: some StringProtocol) {
    var word = name.lowercased()[...]
    if word.hasPrefix("touch") { word.removeFirst(5) }
    switch word {
    case "began", "begin", "down", "start": self = .began
    case "moved", "move", "stationary": self = .moved
    case "ended", "end", "up": self = .ended
    case "cancelled", "canceled", "cancel": self = .cancelled
    default: return nil
    }
  }
}
