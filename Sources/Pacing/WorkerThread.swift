import Clocks
import Files
import Foundation
import Synchronization

/// A thread that does one thing. Tasks share a few threads; what must be on time needs its own.
package final class WorkerThread<Output: Sendable>: Sendable {
  private let body: @Sendable () throws -> Output
  private let result = Mutex<Result<Output, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  package init(_ body: @escaping @Sendable () throws -> Output) { self.body = body }

  /// - Parameter create: makes a thread; false = there is no room for it.
  /// - Throws: if there is no room. The thread has then ended with that error.
  package func start(
    _ create: (@escaping @Sendable () -> Void) -> Bool = SystemThread.start
  ) throws {
    let isStarted = create { [self] in end(with: Result(catching: body)) }
    guard isStarted else {
      end(with: .failure(SystemThread.shortage))
      throw SystemThread.shortage
    }
  }

  private func end(with outcome: Result<Output, any Error>) {
    result.withLock { $0 = outcome }
    done.signal()
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
