import Diagnostics
import Testing

@testable import Pacing

@Suite struct WorkerThreadTests {
  @Test func theOutcomeIsThatOfTheBody() throws {
    let thread = WorkerThread { 7 }
    try thread.start()
    #expect(try thread.wait() == 7)
  }

  /// Without room for a thread nobody waits for one.
  @Test func aThreadThatCannotStartHasEnded() {
    let thread = WorkerThread { 7 }
    #expect(throws: Failure.self) { try thread.start { _ in false } }
    let error = #expect(throws: Failure.self) { try thread.wait() }
    #expect(error?.kind == .fileError && error?.description.contains("another thread") == true)
  }
}
