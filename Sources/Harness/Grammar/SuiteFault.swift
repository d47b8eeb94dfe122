import Diagnostics
import Evaluation
import TraceModel

extension Harness {
  /// The error that `run` reports for a suite's file; nil = none. No trace is read.
  package static func fault(inSuite path: String) -> String? {
    do {
      _ = try SuiteParser.read(path, registry: .builtIn)
      return nil
    } catch {
      return message(of: error)
    }
  }

  /// The message of an error at the terminal.
  package static func message(of error: any Error) -> String {
    switch error {
    case let error as Failure: error.description
    case let error as TraceError: Failure(error).description
    default: Failure(.badData, "\(error)").description
    }
  }
}
