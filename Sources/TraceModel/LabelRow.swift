/// The meaning of a column in a label table.
public enum LabelField: String, CaseIterable, Hashable, Sendable {
  case file, onset, offset, emitted, label, original, kind, place, value
  case quantity, duration, subject, activity
}

/// A row of a label file. Missing cells are empty, missing times nil, and a missing value NaN.
///
/// ```swift
/// var row = LabelRow(line: 2)
/// row.onset = 1_500_000_000
/// row.value.isNaN  // true
/// ```
public struct LabelRow: Hashable, Sendable {
  /// The line in the label file, from 1.
  public var line: Int
  public var file = ""
  /// In ns.
  public var onset: Int64?
  /// ns, not before the onset.
  public var offset: Int64?
  /// ns.
  public var emitted: Int64?
  /// ns.
  public var duration: Int64?
  public var label = ""
  /// What the label was called before it became a class.
  public var original = ""
  public var kind = ""
  public var place = ""
  public var value = Double.nan
  public var quantity = ""
  public var subject = ""
  public var activity = ""

  public init(line: Int) { self.line = line }
}
