import Testing
import TraceModel
import TraceTools

/// A count is of a whole recording: a step that leaves out a part of it leaves out the count.
@Suite struct CountToolsTests {
  private func counted(_ seconds: ClosedRange<Int64>, _ count: Int?) -> Trace {
    var trace = motion(seconds.map { $0 * 1_000_000_000 })
    trace.header.counts = count.map { [ReferenceCount(task: .punch, count: $0)] } ?? []
    return trace
  }

  private func merged(_ parts: [(Trace, Int64)]) throws -> Merging.Outcome {
    try Merging().merge(
      parts.enumerated().map { Merging.Part($1.0, at: $1.1 * 1_000_000_000, name: "\($0)") })
  }

  @Test func aCutEndsTheCount() {
    let whole = counted(0...100, 7)
    let (part, removal) = whole.trimmed(to: instant(10)..<instant(60))
    #expect(part.header.counts.isEmpty && removal.counts == [.punch])
    #expect(removal.statements[0].contains("count of punch (of the whole recording)"))
    let (all, nothing) = whole.trimmed(to: .zero..<whole.header.end)
    #expect(all.header.counts == whole.header.counts && nothing.isEmpty)
  }

  // Parts one after the other: known counts add up, an unknown one leaves none.
  @Test(arguments: [(3, 4, 7), (0, 0, 0), (3, nil, nil), (nil, nil, nil)] as [(Int?, Int?, Int?)])
  func partsThatFollowEachOther(first: Int?, second: Int?, sum: Int?) throws {
    let outcome = try merged([(counted(0...10, first), 0), (counted(0...10, second), 20)])
    #expect(outcome.trace.header.count(.punch)?.count == sum)
    #expect(
      outcome.notes.contains { $0.contains("count of punch") } == (sum == nil && first != nil))
  }

  @Test func definitionsThatDifferAreNamed() throws {
    var (first, second) = (counted(0...10, 3), counted(0...10, 4))
    first.header.counts[0].definition = "counted by the boxer"
    second.header.counts[0].definition = "counted in a film"
    let outcome = try merged([(first, 0), (second, 20)])
    #expect(outcome.trace.header.count(.punch)?.definition == "counted by the boxer")
    #expect(outcome.notes.contains { $0.contains("count of punch: the parts have different def") })
  }

  // Parts beside each other are channels of one recording.
  @Test(arguments: [(3, 3, 3), (3, nil, 3), (3, 4, nil)] as [(Int?, Int?, Int?)])
  func partsSideBySide(first: Int?, second: Int?, kept: Int?) throws {
    var other = counted(0...10, second)
    other.set(
      .scalar(ScalarColumns(times: TimeColumns(measured: [0]), values: [Scalar(value: 1)])),
      for: .pressure)
    other.set(.vector(VectorColumns()), for: .userAcceleration)
    let outcome = try merged([(counted(0...10, first), 0), (other, 0)])
    #expect(outcome.trace.header.count(.punch)?.count == kept)
  }

  @Test func eventsReplaceACount() throws {
    var known = counted(0...10, nil)
    known.header.references = [
      ReferenceSet(task: .punch, events: [ReferenceEvent(onset: instant(5))])
    ]
    let outcome = try merged([(known, 0), (counted(0...10, 2), 20)])
    #expect(outcome.trace.header.counts.isEmpty)
    #expect(outcome.trace.header.reference(.punch)?.events.count == 1)
    #expect(outcome.notes.contains { $0.contains("count of punch: left out") })
  }

  @Test func aTraceWithACountHasAReference() {
    #expect(!Validation.findings(in: counted(0...10, 2)).contains { $0.code == "no-reference" })
  }
}
