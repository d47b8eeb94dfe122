// The statistics of a page, by the program's own code. The input is Float64 in `input`.

#if arch(wasm32)
  import Scoring
  import TraceModel
  import Tuning

  nonisolated(unsafe) private var figures: [Double] = []
  nonisolated(unsafe) private var curves: [Int32: ThresholdCurve] = [:]
  /// The best threshold, its recall and false alarms per hour; the plateau's least recall and ends.
  nonisolated(unsafe) var choice: [Double] = []
  /// How many references are found that were missed, are missed that were found, and false alarms that
  /// are new; then the places of these, and those of the alarms that are gone.
  nonisolated(unsafe) var flipPlaces: [Int32] = []

  /// The numbers of `input`, one after the other; NaN beyond their end.
  private struct Numbers {
    private var next = 0

    var count: Int { input.count / 8 }

    mutating func number() -> Double {
      guard next < count else { return .nan }
      var bits: UInt64 = 0
      for place in 0..<8 { bits |= UInt64(input[next * 8 + place]) << UInt64(8 * place) }
      next += 1
      return Double(bitPattern: bits)
    }

    mutating func numbers(_ count: Int) -> [Double] { (0..<count).map { _ in number() } }

    /// A whole number from 0; 0 for any other.
    mutating func whole(below limit: Double = 1e9) -> Int {
      let number = number()
      return number >= 0 && number < limit ? Int(number) : 0
    }

    /// A length, with at least one number per element.
    mutating func length() -> Int { min(whole(), count) }

    /// Of seconds.
    mutating func instant() -> TraceInstant {
      let number = (number() * 1e9).rounded()
      return TraceInstant(nanoseconds: abs(number) < 9e18 ? Int64(number) : 0)
    }

    mutating func nanoseconds(per unit: Double) -> Int64 {
      let number = (number() * unit).rounded()
      return number >= 0 ? Int64(min(number, 9e18)) : 0
    }
  }

  /// Pools what people did: for each, `input` has hits, misses, false alarms and hours.
  /// - Parameter forNewPeople: 1 = the intervals are about new people, as those of a run.
  /// - Returns: where recall, precision and false alarms per hour are, each with its interval; NaN =
  ///   undefined.
  @_expose(wasm, "estimates") @_cdecl("sb_estimates")
  public func exportEstimates(
    _ people: Int32, _ forNewPeople: Int32
  ) -> UnsafeMutableRawPointer? {
    var numbers = Numbers()
    let parts = (0..<min(Int(people), numbers.count / 4)).map { _ -> EventScore in
      var score = EventScore()
      let (hits, misses, alarms) = (numbers.whole(), numbers.whole(), numbers.whole())
      score.counts = EventCounts(
        truePositives: hits, falsePositives: alarms, falseNegatives: misses)
      score.scoredNanoseconds = numbers.nanoseconds(per: 3.6e12)
      return score
    }
    let scores = Clustered(EventScore.pooled(parts), parts: parts)
      .about(forNewPeople == 1 ? .newPeople : .thesePeople)
    figures = []
    for estimate in [
      scores.proportion { $0.recall }, scores.proportion { $0.precision },
      scores.rate { $0.falseAlarms },
    ] {
      figures += [
        estimate.value ?? .nan, estimate.interval?.lower ?? .nan, estimate.interval?.upper ?? .nan,
      ]
    }
    return address(&figures)
  }

  /// Returns percentiles 1, 50, 90 and 99 of the numbers in `input`, by nearest rank; NaN = none.
  @_expose(wasm, "percentiles") @_cdecl("sb_percentiles")
  public func exportPercentiles() -> UnsafeMutableRawPointer? {
    var numbers = Numbers()
    let sorted = numbers.numbers(numbers.count).sorted()
    figures = [1, 50, 90, 99].map { nearestRank($0, ofSorted: sorted) ?? .nan }
    return address(&figures)
  }

  // MARK: Thresholds

  /// Returns a curve of counts in the order of the thresholds; nil = they are not those of one.
  private func curve(
    _ thresholds: [Double], hits: [Double], alarms: [Double], upper: Double, references: Int,
    nanoseconds: Int64, isExact: Bool
  ) -> ThresholdCurve? {
    let possible = 0...Double(1 << 30)
    guard let last = thresholds.last, last <= upper,
      zip(thresholds, thresholds.dropFirst()).allSatisfy({ $0 < $1 }),
      hits.allSatisfy({ $0 >= 0 && $0 <= Double(references) }),
      alarms.allSatisfy({ possible.contains($0) })
    else { return nil }
    return ThresholdCurve(
      thresholds: thresholds, truePositives: hits.map { Int($0) },
      falsePositives: alarms.map { Int($0) }, upper: upper, references: references,
      scoredNanoseconds: nanoseconds, isExact: isExact)
  }

  /// Keeps the curve of a sweep by a number: `input` has its upper end, references, scored ns and 1
  /// = it is exact, then thresholds, hits and false alarms.
  @_expose(wasm, "openCurve") @_cdecl("sb_open_curve")
  public func exportOpenCurve(_ number: Int32) -> Int32 {
    var numbers = Numbers()
    let count = max(0, numbers.count - 4) / 3
    let (upper, references) = (numbers.number(), numbers.whole())
    let (nanoseconds, isExact) = (numbers.nanoseconds(per: 1), numbers.whole() == 1)
    let thresholds = numbers.numbers(count)
    curves[number] = curve(
      thresholds, hits: numbers.numbers(count), alarms: numbers.numbers(count), upper: upper,
      references: references, nanoseconds: nanoseconds, isExact: isExact)
    return curves[number] == nil ? fault("the curve of a sweep", found: "other numbers") : 0
  }

  /// Returns the step at a threshold, see ``ThresholdCurve/nearestIndex(to:)``; -1 = none.
  @_expose(wasm, "curveStep") @_cdecl("sb_curve_step")
  public func exportCurveStep(_ number: Int32, _ threshold: Double) -> Int32 {
    Int32(curves[number]?.nearestIndex(to: threshold) ?? -1)
  }

  /// Chooses a threshold as `tune` does, by the count within the budget: `input` has false alarms per
  /// hour, what a plateau may lose, how many thresholds and recordings there are, the thresholds, and of
  /// each recording the person (from 0), the hours, the references, hits and false alarms.
  /// - Returns: 1 = the column `choice` has it; 0 = none is allowed, or none beats silence.
  @_expose(wasm, "choose") @_cdecl("sb_choose")
  public func exportChoose() -> Int32 {
    var numbers = Numbers()
    let rule = ChoiceRule(
      .maximumRecall(falseAlarmsPerHour: numbers.number()), confidence: 0.5,
      plateauLoss: numbers.number())
    let (count, recordings) = (numbers.length(), numbers.length())
    let thresholds = numbers.numbers(count)
    var (curves, groups): ([ThresholdCurve], [Int]) = ([], [])
    for _ in 0..<recordings {
      groups.append(numbers.length())
      let (nanoseconds, references) = (numbers.nanoseconds(per: 3.6e12), numbers.whole())
      let hits = numbers.numbers(count)
      guard
        let curve = curve(
          thresholds, hits: hits, alarms: numbers.numbers(count), upper: thresholds.last ?? 0,
          references: references, nanoseconds: nanoseconds, isExact: false)
      else { return fault("counts by threshold", found: "other numbers") }
      curves.append(curve)
    }
    guard let pooled = ThresholdCurve.pooled(curves),
      let chosen = ThresholdCurve.choice(rule, among: curves, groups: groups).choice,
      let best = pooled.index(of: chosen.bestThreshold)
    else { return 0 }
    choice = [
      chosen.bestThreshold, chosen.bestValue, pooled.falseAlarms(at: best).estimate ?? .nan,
      chosen.bestValue - chosen.plateau.loss, chosen.plateau.lower, chosen.plateau.upper,
    ]
    return 1
  }

  // MARK: Flips

  /// A run as the page knows it.
  private struct PageResult {
    /// False alarms and duplicates, and their positions among all detections.
    var alarms: [DetectionRecord] = []
    var positions: [Int] = []
    /// The places in `ReferenceOutcome.allCases`.
    var references: [Double] = []

    init(_ numbers: inout Numbers, detections: Int, references: Int) {
      for position in 0..<detections {
        let (onset, emitted) = (numbers.instant(), numbers.instant())
        let (value, place) = (numbers.number(), Int32(exactly: numbers.number()) ?? .min)
        let outcome = numbers.whole()
        guard outcome < DetectionOutcome.allCases.count else { continue }
        switch DetectionOutcome.allCases[outcome] {
        case .truePositive, .ignored: continue
        case .falsePositive, .duplicate:
          positions.append(position)
          alarms.append(
            DetectionRecord(
              onset: onset, emitted: emitted, kind: "", value: value,
              place: place == .min ? nil : place))
        }
      }
      self.references = numbers.numbers(references)
    }

    /// The references that this run finds and the other one misses.
    func found(missedBy other: PageResult) -> [Int32] {
      let all = ReferenceOutcome.allCases
      return zip(references, other.references).enumerated().compactMap { place, outcomes in
        all.firstIndex(of: .hit).map(Double.init) == outcomes.0
          && all.firstIndex(of: .missed).map(Double.init) == outcomes.1 ? Int32(place) : nil
      }
    }
  }

  /// Compares two runs on one trace, see ``DetectionPairs``: `input` has the tolerance in s (NaN = none),
  /// how many detections and references each has, and of each run its detections (onset, emitted, value,
  /// place, outcome) and the outcomes of its references.
  @_expose(wasm, "flips") @_cdecl("sb_flips")
  public func exportFlips() -> Int32 {
    var numbers = Numbers()
    let reach = numbers.number()
    let sizes = (0..<4).map { _ in numbers.length() }
    let old = PageResult(&numbers, detections: sizes[0], references: sizes[1])
    let fresh = PageResult(&numbers, detections: sizes[2], references: sizes[3])
    let tolerance =
      reach >= 0 && reach < 9e9
      ? EventTolerance(either: .nanoseconds(Int64((reach * 1e9).rounded()))) : nil
    let pairs = DetectionPairs(from: old.alarms, to: fresh.alarms, within: tolerance)
    let (found, lost) = (fresh.found(missedBy: old), old.found(missedBy: fresh))
    flipPlaces = [Int32(found.count), Int32(lost.count), Int32(pairs.gained.count)] + found + lost
    flipPlaces += pairs.gained.map { Int32(fresh.positions[$0]) }
    flipPlaces += pairs.lost.map { Int32(old.positions[$0]) }
    return 0
  }
#endif
