import Clocks
import Foundation
import Synchronization

/// A thread that does one thing. Tasks share a few threads; what must be on time needs its own.
package final class WorkerThread<Output: Sendable>: Sendable {
  private let body: @Sendable () throws -> Output
  private let result = Mutex<Result<Output, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  package init(_ body: @escaping @Sendable () throws -> Output) { self.body = body }

  package func start() {
    let thread = Thread { [self] in
      let outcome = Result(catching: body)
      result.withLock { $0 = outcome }
      done.signal()
    }
    thread.start()
  }

  /// Returns the outcome; call it once.
  package func wait() throws -> Output {
    done.wait()
    return try outcome()
  }

  /// Returns the outcome; call it once. Until then `tick` is called about five times per second.
  package func wait(_ tick: (_ elapsed: Duration) -> Void) throws -> Output {
    let watch = Stopwatch()
    repeat { tick(watch.elapsed) } while done.wait(timeout: .now() + 0.2) == .timedOut
    return try outcome()
  }

  private func outcome() throws -> Output {
    guard let result = result.withLock(\.self) else {
      preconditionFailure("the thread ended without a result")
    }
    return try result.get()
  }
}
