public import TraceModel

/// A fixture is a trace as lines of text, for the tests of an app: reading it needs no HDF5 and no
/// Foundation. `shadowbox export` writes it, and `traces/FORMAT.md` specifies it.
extension Trace {
  /// Reads a fixture.
  /// - Parameter name: the name of the file, for messages.
  /// - Throws: if the bytes are not a whole fixture; the message states the line.
  /// - Complexity: O(n) for n bytes.
  public init(fixture bytes: [UInt8], name: String = "fixture") throws(TraceError) {
    var reader = FixtureReader(bytes, name: name)
    self = try reader.read()
  }

  public init(fixture text: String, name: String = "fixture") throws(TraceError) {
    try self.init(fixture: Array(text.utf8), name: name)
  }

  /// Returns the trace as a fixture. Reading it gives an equal trace, bit by bit; only the parts of a
  /// nanosecond of a stated tolerance are not kept.
  /// - Throws: if the trace has no id, or a reading lies after its end.
  /// - Complexity: O(n log n) for n readings.
  public func fixture() throws(TraceError) -> [UInt8] {
    FixtureWriter(try FixtureCheck(name: header.id).checked(self)).bytes
  }
}
