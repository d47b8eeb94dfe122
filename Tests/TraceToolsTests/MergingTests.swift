import Testing
import TraceModel
import TraceTools

@Suite struct MergingTests {
  private func part(_ trace: Trace, at offset: Int64 = 0, _ name: String) -> Merging.Part {
    Merging.Part(trace, at: offset, name: name)
  }

  private func halves(of trace: Trace, at cut: TraceInstant) -> [Merging.Part] {
    let first = trace.trimmed(to: .zero..<cut).trace.startingAtZero()
    let second = trace.trimmed(to: cut..<trace.header.end).trace.startingAtZero()
    return [part(first.trace, at: first.zero, "a"), part(second.trace, at: second.zero, "b")]
  }

  /// Cutting in two and merging gives the original.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func undoesACut(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let trace = walk(seed: seed)
    let cut = TraceInstant(nanoseconds: Int64(random.uniform(1e9...599e9)))
    let parts = halves(of: trace, at: cut)
    for order in [parts, parts.reversed()] {
      let outcome = try Merging().merge(order)
      #expect(outcome.trace == trace, "seed \(seed)")
      #expect(outcome.notes.isEmpty)
    }
  }

  /// The same with readings that arrive late, so that some of the first part arrive after the first of
  /// the second, and with states that last over the cut.
  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func undoesACutOfLateReadingsAndStates(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var trace = walk(seed: seed)
    var fixes = FixColumns()
    let readings = trace.fixes.range.map { index in
      let measured = Int64(index) * 1_000_000_000
      let delay = Int64(random.uniform(0...9e9))
      return (measured: measured, arrived: measured + delay, fix: trace.fixes[index])
    }
    for each in readings.sorted(by: { ($0.arrived, $0.measured) < ($1.arrived, $1.measured) }) {
      fixes.append(each.fix, measured: each.measured, arrived: each.arrived)
    }
    trace.set(.fix(fixes), for: .location)
    trace.header.end = instant(620)
    let visits = (0..<12).map { number in
      ReferenceEvent(
        onset: instant(Double(number) * 50), offset: instant(Double(number) * 50 + 45),
        place: Int32(number % 3))
    }
    // One place left and entered at one instant stays two visits.
    let again = ReferenceEvent(onset: instant(45), offset: instant(47), place: 0)
    trace.header.references = [
      ReferenceSet(task: .visit, events: [visits[0], again] + visits.dropFirst())
    ]
    let cut = TraceInstant(nanoseconds: Int64(random.uniform(1e9...599e9)))
    let parts = halves(of: trace, at: cut)
    for order in [parts, parts.reversed()] {
      let merged = try Merging().merge(order).trace
      #expect(merged == trace, "seed \(seed), cut at \(cut.seconds) s")
    }
  }

  @Test func channelsAreMergedSideBySide() throws {
    let trace = walk()
    let whole = TraceInstant.zero..<trace.header.end
    let one = trace.trimmed(to: whole, channels: [.acceleration]).trace
    let other = trace.trimmed(to: whole, channels: [.location]).trace
    #expect(try Merging().merge([part(one, "a"), part(other, "b")]).trace == trace)
  }

  @Test func overlapsAreRefusedUnlessTheyAreTheSame() throws {
    let trace = walk()
    let one = trace.trimmed(to: .zero..<instant(300)).trace
    let two = trace.trimmed(to: instant(290)..<trace.header.end).trace
    let error = #expect(throws: TraceError.self) {
      try Merging().merge([part(one, "a"), part(two, "b")])
    }
    #expect(error?.remedy.contains("--drop-duplicates") == true)
    #expect(error?.description.contains("b: expected readings after those of a") == true)
    let merged = try Merging(dropsDuplicates: true).merge([part(one, "a"), part(two, "b")])
    #expect(merged.trace == trace)
    #expect(merged.duplicates == 10 + 40)
    // The same times, another value.
    let moved = walk(seed: 2).trimmed(to: instant(290)..<trace.header.end).trace
    #expect(throws: TraceError.self) {
      try Merging(dropsDuplicates: true).merge([part(one, "a"), part(moved, "b")])
    }
    // Interleaved.
    #expect(throws: TraceError.self) {
      try Merging(dropsDuplicates: true).merge([part(one, "a"), part(one, at: 1000, "b")])
    }
  }

  @Test func differingHeadersAreReported() throws {
    var one = motion([0, 10])
    var two = motion([0, 10])
    (one.header.subject, two.header.subject) = ("1", "2")
    (one.header.license, two.header.license) = ("MIT", "CC0-1.0")
    two.header.device = "watch"
    let outcome = try Merging().merge([part(one, "a"), part(two, at: 100, "b")])
    #expect(outcome.notes == ["subject: \"1\" is kept, b has \"2\"", "license: MIT AND CC0-1.0"])
    #expect(outcome.trace.header.device == "watch", "what one part states")
    two.header.origin = .synthetic
    #expect(throws: TraceError.self) {
      try Merging().merge([part(one, "a"), part(two, at: 100, "b")])
    }
  }

  @Test func placesOfOneIdAreOnePlace() throws {
    var one = motion([0])
    var two = motion([100])
    let place = Place(id: 1, latitude: 2, longitude: 3, radius: .nan, rank: 0)
    one.header.places = [place]
    two.header.places = [place, Place(id: 2, latitude: 2, longitude: 3, radius: 5, rank: 1)]
    let outcome = try Merging().merge([part(one, "a"), part(two, "b")])
    #expect(outcome.trace.header.places.map(\.id) == [1, 2])
    two.header.places[0].latitude = 9
    #expect(throws: TraceError.self) { try Merging().merge([part(one, "a"), part(two, "b")]) }
  }

  /// An empty stretch would mean that there were no punches.
  @Test func whatOnePartDoesNotStateIsIgnored() throws {
    var one = motion([0, 10])
    one.header.references = [
      ReferenceSet(
        task: .punch, events: [ReferenceEvent(onset: TraceInstant(nanoseconds: 5))])
    ]
    let two = motion([0, 10])
    let outcome = try Merging().merge([part(one, "a"), part(two, at: 100, "b")])
    #expect(outcome.trace.header.reference(.punch)?.events.count == 1)
    #expect(
      outcome.trace.header.ignoreZones == [
        IgnoreZone(onset: TraceInstant(nanoseconds: 100), offset: TraceInstant(nanoseconds: 110))
      ])
    #expect(outcome.notes.count == 1)
    var stated = two
    stated.header.references = [ReferenceSet(task: .punch, events: [])]
    let known = try Merging().merge([part(one, "a"), part(stated, at: 100, "b")])
    #expect(known.trace.header.ignoreZones.isEmpty)
  }
}
