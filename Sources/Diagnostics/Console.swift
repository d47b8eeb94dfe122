import Synchronization

/// The standard streams. Nothing else writes to them, so that nothing that they must not receive gets
/// there.
package enum Console {
  /// Whether a line that changes in place is the last one of stderr, of which a process has one.
  private static let isLineOpen = Mutex(false)

  /// Prints diagnostics, which are lost where they cannot be written.
  /// - Parameter staysOpen: whether the next ones replace the text.
  package static func report(_ text: String, staysOpen: Bool = false) {
    writeErrors(PrintedText.text(text), staysOpen: staysOpen)
  }

  /// Prints a command for the CI service, whose names are escaped already.
  package static func command(_ line: String) { writeErrors(line + "\n", staysOpen: false) }

  private static func writeErrors(_ text: String, staysOpen: Bool) {
    isLineOpen.withLock { isLineOpen in
      let start = isLineOpen || staysOpen ? "\r\u{1B}[K" : ""
      _ = writeAll(start + text, to: 2)
      isLineOpen = staysOpen
    }
  }

  /// Writes what ``PrintedText`` has made fit to stdout, and returns the error number where that fails.
  package static func write(_ printed: String) -> Int32? { writeAll(printed, to: 1) }
}
