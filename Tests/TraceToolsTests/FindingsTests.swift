import Testing
import TraceModel
import TraceTools

@Suite struct FindingsTests {
  @Test func theWorstComesFirstAndThenTheEarliest() {
    func finding(_ severity: Finding.Severity, _ start: Int64?, _ place: String) -> Finding {
      Finding(
        "gap", severity, place: place, start: start.map { TraceInstant(nanoseconds: $0) },
        message: "A gap.")
    }
    let ordered = [
      finding(.note, 1, "d"), finding(.error, 9, "b"), finding(.warning, nil, "c"),
      finding(.error, 2, "a"), finding(.error, 9, "a"),
    ].sortedBySeverity()
    #expect(ordered.map(\.place) == ["a", "a", "b", "c", "d"])
    #expect(ordered.map { $0.start?.nanoseconds } == [2, 9, 9, nil, 1])
  }
}
