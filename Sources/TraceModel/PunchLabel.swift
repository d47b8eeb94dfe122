/// Maps the names of punches to the classes that are scored.
///
/// ```swift
/// PunchLabel.classify("Lead_Hook").label  // hook
/// PunchLabel.classify("left upper hook").label  // uppercut
/// ```
public enum PunchLabel {
  /// The classes that a person can show: see ``Action/shownClass``.
  public static let classes = ["straight", "hook", "uppercut"]

  /// Returns the class and the hand in a name, e.g. `Lead_Hook` → hook, lead.
  ///
  /// The class is `straight` for a jab, a cross, a thrust and anything straight, `hook`, `uppercut`
  /// for anything with "upper" in it, else `unknown`. The hand is `left` or `right` where the name
  /// has one of them, else `lead` or `rear`; `unknown` where it has neither or both. Case and
  /// separators do not matter.
  public static func classify(_ name: String) -> (label: String, hand: Hand) {
    let name = name.lowercased()
    let label = parts.first { name.hasPart($0.part) }?.label ?? "unknown"
    return (label, hand(name))
  }

  // "upper" comes first, so that an upper hook is an uppercut.
  private static let parts: [(part: String, label: String)] = [
    ("upper", "uppercut"), ("hook", "hook"), ("jab", "straight"), ("cross", "straight"),
    ("thrust", "straight"), ("straight", "straight"),
  ]

  package static func hand(_ name: String) -> Hand {
    let name = name.lowercased()
    for (first, second) in [(Hand.left, Hand.right), (.lead, .rear)] {
      switch (name.hasPart(first.name), name.hasPart(second.name)) {
      case (true, false): return first
      case (false, true): return second
      case (true, true): return .unknown
      case (false, false): continue
      }
    }
    return .unknown
  }
}

extension String {
  /// Whether `part` occurs anywhere; the standard library's own `contains` of a string needs
  /// Foundation.
  fileprivate func hasPart(_ part: String) -> Bool {
    let (whole, part) = (Array(utf8), Array(part.utf8))
    guard part.count <= whole.count else { return false }
    return (0...(whole.count - part.count)).contains { start in
      whole[start..<(start + part.count)].elementsEqual(part)
    }
  }
}
