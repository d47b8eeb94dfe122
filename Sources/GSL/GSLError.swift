private import CGSL

/// A failed call of the GNU Scientific Library.
package struct GSLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// GSL's status, e.g. 1 for `GSL_EDOM`.
  package let code: Int32
  /// GSL's message for the status (`gsl_strerror`).
  package let message: String
  /// The operation with its arguments, e.g. `normal quantile of p = 2.0`.
  package let operation: String

  init(code: Int32, operation: String) {
    self.code = code
    self.message = String(cString: gsl_strerror(code))
    self.operation = operation
  }

  /// Returns an error for arguments outside the function's domain.
  static func domain(_ operation: String) -> GSLError {
    GSLError(code: Int32(GSL_EDOM), operation: operation)
  }

  static func memory(_ operation: String) -> GSLError {
    GSLError(code: Int32(GSL_ENOMEM), operation: operation)
  }

  package var description: String { "\(operation): \(message) (GSL status \(code))" }
}

/// Turns off GSL's default handler, which aborts the process. Reading this does so once per
/// process, before the first call: Swift initialises a global exactly once, on any thread.
private let handlerIsOff: Void = { _ = gsl_set_error_handler_off() }()

/// Turns off the handler. Call it before any function of GSL.
func turnHandlerOff() { _ = handlerIsOff }
