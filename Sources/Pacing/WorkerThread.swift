import Foundation
import Synchronization

/// A thread that does one thing. Tasks share a few threads; what must be on time needs its own.
package final class WorkerThread<Output: Sendable>: Sendable {
  private let body: @Sendable () throws -> Output
  private let result = Mutex<Result<Output, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  package init(_ body: @escaping @Sendable () throws -> Output) {
    self.body = body
  }

  package func start() {
    let thread = Thread { [self] in
      let outcome = Result(catching: body)
      result.withLock { $0 = outcome }
      done.signal()
    }
    thread.start()
  }

  /// What came of it; once.
  package func wait() throws -> Output {
    done.wait()
    guard let result = result.withLock(\.self) else {
      preconditionFailure("the thread ended without a result")
    }
    return try result.get()
  }
}
