public import TraceModel

/// A message of a run, with the number by which faults name it.
public struct MessageRecord: Sendable {
  public enum Fate: String, CaseIterable, Hashable, Sendable {
    case delivered
    /// It arrived after a message that was sent later on its link.
    case late
    case doubled
    /// Its receiver refused it: the rules forbid it, or nobody waits for it any more.
    case refused
    case lost
    case cut
    /// It was on its way when the run ended.
    case underWay = "under way"
  }

  public let number: MessageNumber
  public let message: any Sendable
  /// What it says, if ``message`` does not show it.
  let content: (any Sendable)?
  public let sent: TraceInstant
  /// The times of arrival, of a copy too; empty = it does not arrive.
  public let arrivals: [TraceInstant]
  let isCut: Bool
  @usableFromInline var received = 0
  var refused = 0
  var isOvertaken = false

  /// E.g. `request punch`: the case of the message, and that of what it contains.
  public var kind: String {
    let cases = MessageRecord.cases(in: content ?? message)
    // That a reply has an answer is no news.
    let parts = cases.prefix(1) + cases.dropFirst().drop { $0 == "answer" }
    return parts.prefix(2).joined(separator: " ")
  }

  public var fate: Fate {
    if arrivals.isEmpty { return isCut ? .cut : .lost }
    if received == 0 { return .underWay }
    if refused == received { return .refused }
    return received > 1 ? .doubled : isOvertaken ? .late : .delivered
  }

  /// The names of the nested cases, the outermost first, as words.
  private static func cases(in value: Any) -> [String] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum:
      guard let part = mirror.children.first, let label = part.label else {
        return [words("\(value)")]
      }
      return [words(label)] + cases(in: part.value)
    case .struct, .tuple:
      for part in mirror.children {
        let found = cases(in: part.value)
        if !found.isEmpty { return found }
      }
      return []
    default: return []
    }
  }

  /// `viewFight` as `view-fight`.
  private static func words(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
  }
}
