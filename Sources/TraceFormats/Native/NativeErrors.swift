internal import HDF5
internal import TraceModel

extension TraceError {
  /// What a failure of the library means to one who reads: the system refused, or else the file is
  /// not as it should be.
  init(reading error: HDF5Error) {
    self.init(
      error.errorNumber == nil ? .badData : .inputOutput, place: Self.place(error),
      expected: "a readable HDF5 file", found: "\(error.operation): \(error.reason)",
      remedy: error.errorNumber == nil
        ? "the file may be damaged or cut off: fetch or convert it again" : "")
  }

  /// What it means to one who writes.
  init(writing error: HDF5Error) {
    self.init(
      .inputOutput, place: Self.place(error), expected: "to write the trace",
      found: "\(error.operation): \(error.reason)",
      remedy: "check that the folder exists, may be written to and has room")
  }

  private static func place(_ error: HDF5Error) -> String {
    error.object.isEmpty ? error.file : "\(error.file):\(error.object)"
  }
}

/// Runs `body`, whose errors are those of reading.
func reading<Result>(_ body: () throws(HDF5Error) -> Result) throws(TraceError) -> Result {
  do throws(HDF5Error) { return try body() } catch { throw TraceError(reading: error) }
}

/// Runs `body`, whose errors are those of writing.
func writing<Result>(_ body: () throws(HDF5Error) -> Result) throws(TraceError) -> Result {
  do throws(HDF5Error) { return try body() } catch { throw TraceError(writing: error) }
}
