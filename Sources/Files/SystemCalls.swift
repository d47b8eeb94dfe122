import Diagnostics
import Foundation
import TraceModel

/// A call of the operating system that failed on a file.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call, e.g. `rename`.
  package var operation: String
  package var path: String
  /// The system's error number.
  package var number: Int32
  /// What follows the system's reason.
  private var note: String

  package init(_ operation: String, _ path: String, number: Int32 = errno, note: String = "") {
    (self.operation, self.path, self.number, self.note) = (operation, path, number, note)
  }

  package var reason: String { String(cString: strerror(number)) + note }

  package var description: String { "\(path): \(operation): \(reason)" }
}

/// Closes a descriptor that has no other owner.
@discardableResult
package func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// Why the system refused something, in words; Foundation describes many errors only by its own
/// number.
package func reason(of error: any Error) -> String {
  var cause: NSError? = error as NSError
  while let next = cause {
    if next.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(next.code))) }
    cause = next.userInfo[NSUnderlyingErrorKey] as? NSError
  }
  let text = error.localizedDescription
  return text.contains("ErrorDomain") ? "the system cannot read or write it" : text
}

/// Repeats a call that a signal interrupted.
func retried<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// Calls `body` with the number of bytes moved so far until it has moved `count`; false = it moved
/// none, or failed with `errno`.
package func movesAll(_ count: Int, _ body: (Int) -> Int) -> Bool {
  var done = 0
  while done < count {
    let moved = retried { body(done) }
    guard moved > 0 else { return false }
    done += moved
  }
  return true
}

/// A NUL would end the C string early and open another file.
func checkPath(_ path: String) throws(TraceError) {
  guard !path.isEmpty, !path.utf8.contains(0) else {
    throw TraceError(
      .inputOutput, place: "\"\(inLine(path))\"", expected: "a file name",
      found: path.isEmpty ? "an empty one" : "a NUL character in it")
  }
}

func systemError(_ path: String, expected: String, remedy: String = "") -> TraceError {
  let reason = String(cString: strerror(errno))
  return TraceError(
    .inputOutput, place: path, expected: expected, found: "\"\(reason)\"", remedy: remedy)
}
