/// A place that sends and receives messages.
public enum Endpoint: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  /// The phone of a person, by the index from 0. Texts count phones from 1.
  case phone(Int)
  case server

  /// `1` for the first phone, or `server`.
  public var description: String {
    switch self {
    case .phone(let index): "\(index.addingReportingOverflow(1).partialValue)"
    case .server: "server"
    }
  }

  /// Reads what ``description`` prints; nil if it is not an endpoint.
  init?(_ text: Substring) {
    if text == "server" {
      self = .server
    } else if let number = ExchangeFault.wholeNumber(text), number >= 1 {
      self = .phone(number - 1)
    } else {
      return nil
    }
  }

  public var phone: Int? {
    if case .phone(let index) = self { index } else { nil }
  }
}

/// The way of messages from one endpoint to another. The way back is another link.
public struct NetworkLink: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public var from: Endpoint
  public var to: Endpoint

  public init(from: Endpoint, to: Endpoint) { (self.from, self.to) = (from, to) }

  /// E.g. `1-server`, `server-2`, `1-2`.
  public var description: String { "\(from)-\(to)" }

  /// Reads what ``description`` prints; nil if it is not a link.
  init?(_ text: Substring) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let from = Endpoint(ends[0]), let to = Endpoint(ends[1]), from != to
    else { return nil }
    self.init(from: from, to: to)
  }

  public static func < (left: NetworkLink, right: NetworkLink) -> Bool {
    (left.from, left.to) < (right.from, right.to)
  }
}

/// A message, by its link and its number on the link.
public struct MessageNumber: Hashable, Sendable, Codable, CustomStringConvertible {
  public var link: NetworkLink
  /// The number in the order of sending, from 1. Repetitions of a request count too.
  public var number: Int

  public init(_ link: NetworkLink, _ number: Int) { (self.link, self.number) = (link, number) }

  /// E.g. `1-server:12`.
  public var description: String { "\(link):\(number)" }
}
