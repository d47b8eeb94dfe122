import AppEngines
import Testing
import TraceModel

@Suite struct SendBudgetTests {
  private func at(_ seconds: Double) -> TraceInstant { .zero.advanced(bySeconds: seconds) }

  @Test func allowsABurstAndThenOnePerRefill() {
    var budget = SendBudget(capacity: 3, refill: 60)
    var allowed: [Int] = []
    for second in 0..<3600 where budget.take(at: at(Double(second))) { allowed.append(second) }
    #expect(Array(allowed.prefix(5)) == [0, 1, 2, 60, 120])
    #expect(allowed.count == 3 + 59)
  }

  @Test func isFullAgainAfterARest() {
    var budget = SendBudget(capacity: 2, refill: 10)
    let times = [0, 0, 9.9, 40, 40, 40]
    var allowed: [Bool] = []
    for time in times { allowed.append(budget.take(at: at(time))) }
    #expect(allowed == [true, true, false, true, true, false])
  }

  @Test(arguments: [Double.nan, -.infinity, -1, 0, .infinity]) func oddNumbersDoNotTrap(
    refill: Double
  ) {
    var budget = SendBudget(capacity: .min, refill: refill)
    for now in [TraceInstant(nanoseconds: .max), .zero, TraceInstant(nanoseconds: .min)] {
      _ = budget.take(at: now)
    }
    #expect(budget.capacity == 1)
    let isAllowed = budget.take(at: TraceInstant(nanoseconds: .min))
    #expect(!isAllowed)
  }
}
