#if canImport(Testing)
  import Testing
#endif

/// The place of a call, where its failure belongs.
struct CallPlace {
  let fileID: String
  let filePath: StaticString
  let line: UInt
  let column: UInt

  /// Reports a failure once: to `report`, to Swift Testing, or as an error. XCTest is not imported:
  /// a package that tests with Swift Testing alone need not link it.
  func report(_ fault: String, by report: FailureReport?) throws {
    if let report {
      report(fault, filePath, line)
    } else if !isRecorded(fault) {
      throw ExpectationError(description: "\(fileID):\(line): \(fault)")
    }
  }

  /// Records an issue if a test of Swift Testing is running.
  private func isRecorded(_ fault: String) -> Bool {
    #if canImport(Testing)
      guard Test.current != nil else { return false }
      Issue.record(
        Comment(rawValue: fault),
        sourceLocation: SourceLocation(
          fileID: fileID, filePath: "\(filePath)", line: Int(line), column: Int(column)))
      return true
    #else
      return false
    #endif
  }
}
