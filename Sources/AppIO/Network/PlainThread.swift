import Foundation

/// Threads that may fail to start, unlike those of Foundation, which would never be heard of.
enum PlainThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread. A write to a closed connection ends no program: SIGPIPE is blocked
  /// on the thread.
  /// - Returns: false if no thread can be made; then `body` is not run.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let context = Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = pthread_create(&thread, nil, { PlainThread.run($0) }, context.toOpaque())
      if code == 0, let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil, { $0.flatMap { PlainThread.run($0) } }, context.toOpaque())
      if code == 0 { pthread_detach(thread) }
    #endif
    if code != 0 { context.release() }
    return code == 0
  }

  private static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
}
