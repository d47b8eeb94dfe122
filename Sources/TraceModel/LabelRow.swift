/// What a column of a label table says.
public enum LabelField: String, CaseIterable, Hashable, Sendable {
  case file, onset, offset, emitted, label, original, kind, place, value
  case quantity, duration, subject, activity
}

/// A row of a label file. Cells that are not there are empty, times nil and the value NaN.
public struct LabelRow: Hashable, Sendable {
  /// In the label file, from 1.
  public var line: Int
  public var file = ""
  /// ns.
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

  public init(line: Int) {
    self.line = line
  }
}
