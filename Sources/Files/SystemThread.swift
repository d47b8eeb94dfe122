package import Diagnostics
import Foundation

/// Threads that may fail to start, unlike those of Foundation, which would never be heard of.
package enum SystemThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread.
  /// - Returns: false if no thread can be made; then `body` is not run.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let context = Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = pthread_create(&thread, nil, { SystemThread.run($0) }, context.toOpaque())
      if code == 0, let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil, { $0.flatMap { SystemThread.run($0) } }, context.toOpaque())
      if code == 0 { pthread_detach(thread) }
    #endif
    if code != 0 { context.release() }
    return code == 0
  }

  private static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }

  /// The error of a command that cannot go on without another thread.
  package static var shortage: Failure {
    Failure(
      .fileError,
      "expected room for another thread, found none; raise the limit of processes or of memory "
        + "(ulimit -u and -v, or those of the container)")
  }
}
