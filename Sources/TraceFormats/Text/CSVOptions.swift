public import TraceModel

/// The statement whether accelerations include gravity.
public enum GravityStatement: String, CaseIterable, Sendable {
  /// A sensor at rest shows 9.8 m s-2: the channel is `acceleration`.
  case included
  /// A sensor at rest shows zero: the channel is `user_acceleration`.
  case removed

  var channel: Channel { self == .included ? .acceleration : .userAcceleration }
}

/// The options of reading a plain CSV.
public struct CSVOptions: Sendable, Hashable {
  /// Nil = inferred from the names, units and values of the columns, if only one interpretation
  /// fits; ``ImportReport/inferredMapping`` states the result.
  public var mapping: CSVMapping?
  /// The channel of `x`, `y`, `z`; nil = as the gravity statement or the unit (rad/s, deg/s)
  /// implies.
  public var channel: Channel?
  public var gravity: GravityStatement?
  /// `,`, `;` or tab; nil = the one that occurs most in the header line. Unless it is the comma,
  /// numbers may have a decimal comma.
  public var separator: Character?
  /// Whether numeric times count from 1970-01-01T00:00:00Z.
  public var epochUnix = false
  /// One trace per distinct value of this column, in order of first appearance; the value is added
  /// to the id. A column is a name or `#` and its number.
  public var splitBy: String?
  public var metadata = CSVMetadata()
  /// A column with a label for every sample: runs of one label become reference events of
  /// ``referenceTask``, from the first to the last sample of the run.
  public var referenceColumn: String?
  /// The task of the runs. For punches the label gives class and hand; for other tasks it is kept
  /// unchanged, and a visit has no place.
  public var referenceTask = ReferenceTask.punch
  /// The label of samples without an event, in addition to the empty one.
  public var noEventLabel: String?
  /// Whether to refuse a file in which every sample has a label if ``noEventLabel`` is nil: one of
  /// the labels probably means that nothing happens.
  public var requiresNoEventLabel = false
  /// Whether readings are sorted by arrival (stable).
  public var sort = false
  /// Whether the first damaged record ends the reading.
  public var strict = false
  /// Whether NaN or an empty cell is a missing sample rather than damage.
  public var nanIsMissing = false
  /// The trace's id; nil = the file's name without its extension.
  public var id: String?

  public init(mapping: CSVMapping? = nil) { self.mapping = mapping }
}
