import Foundation
import TestSupport
import Testing

@testable import Harness

/// Progress bars reach their end.
@Suite struct ProgressTests {
  @Test func secondsOfARun() {
    func steps(_ elapsed: Duration, _ length: Duration = .seconds(10)) -> [Int] {
      let steps = Terminal.steps(of: elapsed, length)
      return [steps.done, steps.total]
    }
    #expect(steps(.zero) == [0, 10])
    #expect(steps(.milliseconds(9999)) == [9, 10])
    #expect(steps(.seconds(12)) == [10, 10])
    #expect(steps(.zero, .milliseconds(200)) == [0, 1])
  }

  /// On a terminal: `script` makes one.
  @Test func benchShowsItsProgress() throws {
    let scratch = try Scratch()
    let outcome = try Program.launch(
      "script",
      [
        "-qec", "\(Program.executable) bench --devices 2 --duration 1200ms --detector punch",
        "/dev/null",
      ], in: scratch.url)
    #expect(outcome.output.contains("1/2 s with 2 devices"), "\(outcome.output)")
  }
}
