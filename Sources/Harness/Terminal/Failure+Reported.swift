import Diagnostics
import TraceModel

extension Failure {
  /// The failure of one of several files; nil = the error is not about a file.
  init?(reported error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as TraceError: self.init(error)
    default: return nil
    }
  }
}
