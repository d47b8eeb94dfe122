/// An error in the data with its place, what was expected, what was found and what to do.
///
/// ```swift
/// let error = TraceError(
///   place: "walk.gpx:112", expected: "a time", found: "none", remedy: "pass --sort to reorder")
/// error.description  // walk.gpx:112: expected a time, found none; pass --sort to reorder
/// ```
public struct TraceError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The kind of failure, which determines the exit code.
  public enum Kind: Hashable, Sendable, Codable {
    /// The data are wrong.
    case badData
    /// The file or the device failed.
    case inputOutput
  }

  public var kind: Kind
  /// The file, with line or dataset where known, e.g. `walk.gpx:112`.
  public var place: String
  public var expected: String
  public var found: String
  /// What to do about it; empty if nothing is known to help.
  public var remedy: String

  public init(
    _ kind: Kind = .badData, place: String, expected: String, found: String, remedy: String = ""
  ) {
    self.kind = kind
    self.place = place
    self.expected = expected
    self.found = found
    self.remedy = remedy
  }

  public var description: String {
    let message = "\(place): expected \(expected), found \(found)"
    return remedy.isEmpty ? message : message + "; " + remedy
  }
}
