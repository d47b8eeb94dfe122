private import CGSL

/// A call of the GNU Scientific Library that has no answer.
package struct GSLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// GSL's status, e.g. 1 for `GSL_EDOM`.
  package let code: Int32
  /// GSL's own words for the status (`gsl_strerror`).
  package let message: String
  /// What was asked, with its arguments, e.g. `normal quantile of p = 2.0`.
  package let operation: String

  init(code: Int32, operation: String) {
    self.code = code
    self.message = String(cString: gsl_strerror(code))
    self.operation = operation
  }

  /// The arguments lie outside the function's domain.
  static func domain(_ operation: String) -> GSLError {
    GSLError(code: Int32(GSL_EDOM), operation: operation)
  }

  package var description: String { "\(operation): \(message) (GSL status \(code))" }
}

/// GSL's default handler aborts the process. Reading this turns it off, once in the process and
/// before the first call: Swift initialises a global exactly once, whichever thread comes first.
private let handlerIsOff: Void = { _ = gsl_set_error_handler_off() }()

/// To be called before GSL where ``withGSL(_:_:)`` does not fit.
func turnHandlerOff() {
  _ = handlerIsOff
}

/// Calls GSL with its handler off. The functions used here report failure by a value that is not
/// a number; that becomes an error, so that none leaves the module.
func withGSL(
  _ operation: @autoclosure () -> String, _ body: () -> Double
) throws(GSLError) -> Double {
  _ = handlerIsOff
  let value = body()
  guard !value.isNaN else {
    throw GSLError(code: Int32(GSL_FAILURE), operation: operation())
  }
  return value
}
