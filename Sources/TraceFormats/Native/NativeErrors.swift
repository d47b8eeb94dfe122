package import HDF5
package import TraceModel

extension TraceError {
  /// Creates the error for a failed read: the system refused, or the file is damaged.
  init(reading error: HDF5Error) {
    self.init(
      error.errorNumber == nil ? .badData : .inputOutput, place: Self.place(error),
      expected: "a readable HDF5 file", found: "\(error.operation): \(error.reason)",
      remedy: error.remedy
        ?? (error.errorNumber == nil
          ? "copy or convert it again: the file may be damaged or truncated" : ""))
  }

  /// Creates the error for a failed write.
  init(writing error: HDF5Error) {
    self.init(
      .inputOutput, place: Self.place(error), expected: "to write the trace",
      found: "\(error.operation): \(error.reason)",
      remedy: "check that the folder exists, is writable and has free space")
  }

  private static func place(_ error: HDF5Error) -> String {
    error.object.isEmpty ? error.file : "\(error.file):\(error.object)"
  }
}

/// Runs `body` and converts its errors to those of a read.
package func reading<Result>(_ body: () throws(HDF5Error) -> Result) throws(TraceError) -> Result {
  do throws(HDF5Error) { return try body() } catch { throw TraceError(reading: error) }
}

/// Returns what the library reads, or throws its error as that of a read.
func stored<Value>(_ value: @autoclosure () throws(HDF5Error) -> Value) throws(TraceError) -> Value
{
  do throws(HDF5Error) { return try value() } catch { throw TraceError(reading: error) }
}

/// Runs `body` and converts its errors to those of a write.
func writing<Result>(_ body: () throws(HDF5Error) -> Result) throws(TraceError) -> Result {
  do throws(HDF5Error) { return try body() } catch { throw TraceError(writing: error) }
}
