import Scoring
import Testing
import TraceModel

@Suite struct TrackScoreTests {
  /// A plane whose degrees are metres, so that the expected figures are plain arithmetic.
  private func plane(_ y1: Double, _ x1: Double, _ y2: Double, _ x2: Double) -> Double {
    ((y2 - y1) * (y2 - y1) + (x2 - x1) * (x2 - x1)).squareRoot()
  }

  private func header(seconds: Int64, _ values: [ReferenceTask: [Double]] = [:]) -> TraceHeader {
    var header = TraceHeader(id: "walk", origin: .synthetic)
    header.end = at(seconds * 1000)
    header.references = values.sorted { $0.key < $1.key }.map { task, values in
      ReferenceSet(task: task, events: values.map { reference(0, value: $0) })
    }
    return header
  }

  private func score(
    _ header: TraceHeader, _ measured: TrackMeasurement = TrackMeasurement(),
    _ detections: [DetectionRecord] = [], progress: [DistancePoint] = [],
    fixes: FixColumns? = nil
  ) -> TrackScore {
    TrackScore(
      header: header, measured: measured, detections: detections, progress: progress,
      fixes: fixes, distance: plane)
  }

  private func fixes(_ rows: [(seconds: Int64, y: Double, x: Double)]) -> FixColumns {
    FixColumns(
      times: TimeColumns(measured: rows.map { $0.seconds * 1_000_000_000 }),
      values: rows.map { Fix(latitude: $0.y, longitude: $0.x, horizontalAccuracy: 5) })
  }

  @Test func nothingIsUndefined() {
    #expect(score(header(seconds: 0)) == TrackScore())
    let measured = TrackMeasurement(distance: 5, movingTime: 6, ascent: 7)
    #expect(score(header(seconds: 0), measured) == TrackScore())
    #expect(TrackSummary(of: []).splits == nil)
    #expect(TrackSummary(of: [TrackScore()]).gainPerStandingHour == nil)
    #expect(TrackScore().horizontalError == nil)
  }

  @Test func totals() throws {
    let truth = header(
      seconds: 600, [.distance: [1000, 600], .movingTime: [400], .ascent: [0]])
    let result = score(truth, TrackMeasurement(distance: 1640, movingTime: 390, ascent: 4))
    #expect(result.trueDistance == 1600)
    #expect(result.trueMovingTime == 400)
    #expect(result.distanceError == 2.5)
    #expect(result.movingTimeError == -2.5)
    // 390 / 1640 against 400 / 1600 s/m: -200 / 41 %.
    let paceError = try #require(result.paceError)
    #expect(abs(paceError + 200.0 / 41) < 1e-12)
    #expect(result.ascentError == 4)
  }

  // The truth comes from the reference, independent of the measurement; an unknown part makes it
  // unknown.
  @Test(
    arguments: [
      ([], nil), ([0], 0), ([100, 50.5], 150.5), ([100, .nan], nil), ([.infinity], nil),
    ] as [([Double], Double?)])
  func truth(values: [Double], sum: Double?) {
    let result = score(header(seconds: 600, [.distance: values, .movingTime: values]))
    #expect(result.trueDistance == sum)
    #expect(result.trueMovingTime == sum)
    #expect(score(header(seconds: 600)).trueDistance == nil)
  }

  @Test(arguments: [([], 5.0), ([.nan], 5.0), ([0], 5.0), ([100], .nan), ([100], .infinity)])
  func undefinedDistanceError(truth: [Double], measured: Double) {
    let result = score(
      header(seconds: 600, [.distance: truth]), TrackMeasurement(distance: measured))
    #expect(result.distanceError == nil)
    #expect(result.paceError == nil)
  }

  @Test func splits() {
    var truth = header(seconds: 2000)
    truth.references = [
      ReferenceSet(
        task: .split,
        events: [
          reference(300_000, value: 1000), reference(600_000, value: 2000),
          reference(900_000, value: 3000), reference(950_000),
        ])
    ]
    let result = score(
      truth, TrackMeasurement(),
      [
        detection(603_000, kind: "split", value: 2001), detection(1, kind: "punch", value: 3000),
        detection(299_000, kind: "split", value: 1000), detection(5, kind: "split", value: .nan),
        detection(480_000, kind: "split", value: 1609.344),
        detection(900_000, kind: "split", value: 3001.001),
      ])
    #expect(result.splitErrors == [-1_000_000_000, 3_000_000_000])
    #expect(result.splitError?.p50 == -1_000_000_000)
    #expect(result.missedSplits == 1)
  }

  // 0.4 m/s for 20 s, then still for 60 s, then on; and a stop of 9 s, which is too short.
  @Test func standingOnTheWay() throws {
    var truth = header(seconds: 200)
    let seconds: [Int64] = [0, 20, 50, 80, 100, 109, 130]
    truth.track = ReferenceTrack(
      times: seconds.map { $0 * 1_000_000_000 }, latitudes: [0, 8, 8, 8, 18, 18, 30],
      longitudes: seconds.map { _ in 0 })
    let progress = [
      DistancePoint(instant: at(0), distance: 0), DistancePoint(instant: at(10_000), distance: 5),
      DistancePoint(instant: at(30_000), distance: 15),
      DistancePoint(instant: at(70_000), distance: 16),
      DistancePoint(instant: at(110_000), distance: 26),
    ]
    let result = score(truth, progress: progress)
    #expect(result.standingNanoseconds == 60_000_000_000)
    // From 10 m at 20 s to 18.5 m at 80 s.
    #expect(result.standingGain == 8.5)
    #expect(abs(try #require(result.gainPerStandingHour) - 510) < 1e-9)
    #expect(score(truth).standingGain == nil)
    #expect(score(truth).gainPerStandingHour == nil)
  }

  @Test func standingThroughout() {
    let truth = header(seconds: 1800, [.distance: [0]])
    let progress = [
      DistancePoint(instant: at(1000), distance: 0),
      DistancePoint(instant: at(1_790_000), distance: 12),
      DistancePoint(instant: at(1_791_000), distance: .nan),
    ]
    let result = score(truth, TrackMeasurement(distance: 12), progress: progress)
    #expect(result.standingNanoseconds == 1_800_000_000_000)
    #expect(result.gainPerStandingHour == 24)
    #expect(result.distanceError == nil)
  }

  @Test func horizontalErrors() {
    var truth = header(seconds: 100)
    truth.track = ReferenceTrack(
      times: [10, 20, 20, 40].map { $0 * 1_000_000_000 }, latitudes: [0, 10, 12, 12],
      longitudes: [0, 0, 0, 20])
    truth.ignoreZones = [zone(30_000, 31_000)]
    let result = score(
      truth,
      fixes: fixes([
        (9, 0, 0), (10, 0, 2), (15, 5, 3), (20, 12, 1), (25, 8, 8), (30, 50, 50), (40, 12, 21),
        (41, 0, 0), (42, .nan, 0),
      ]))
    #expect(result.horizontalErrors == [2, 3, 1, 5, 1])
    #expect(result.horizontalError?.p50 == 2)
    // Type 7: 0.95 * 4 = 3.8, between 3 and 5.
    #expect(abs((result.horizontalError?.p95 ?? 0) - 4.6) < 1e-12)
  }

  @Test func longitudesGoTheShortWayRound() {
    var truth = header(seconds: 10)
    truth.track = ReferenceTrack(
      times: [0, 10_000_000_000], latitudes: [0, 0], longitudes: [179, -177])
    let result = score(truth, fixes: fixes([(5, 0, 181)]))
    #expect(result.horizontalErrors == [0])
  }

  // 10 s between two fixes is covered, 11 s is a gap; what lies beyond the fixes is not covered.
  @Test func coverage() {
    let rows: [(seconds: Int64, y: Double, x: Double)] = [
      (10, 0, 0), (20, 0, 0), (31, 0, 0), (36, 0, 0),
    ]
    #expect(score(header(seconds: 50), fixes: fixes(rows)).coverage == 30)
    #expect(score(header(seconds: 50), fixes: fixes([])).coverage == 0)
    #expect(score(header(seconds: 0), fixes: fixes(rows)).coverage == nil)
    var invalid = FixColumns()
    invalid.append(Fix(latitude: 0, longitude: 0, horizontalAccuracy: -1), measured: 0, arrived: 0)
    invalid.append(
      Fix(latitude: 0, longitude: 0), measured: 5_000_000_000, arrived: 5_000_000_000)
    #expect(score(header(seconds: 50), fixes: invalid).coverage == 0)
  }

  @Test func summary() throws {
    let errors: [Double] = [1, -3, 2, -1]
    let scores = errors.map {
      score(
        header(seconds: 3600, [.distance: [100]]), TrackMeasurement(distance: 100 + $0))
    }
    func figure(_ name: String, _ runs: [(subject: String, score: TrackScore)]) -> Estimate? {
      GroupScore(runs.map { ($0.subject, .track($0.score)) })[name]?.estimate
    }
    let alone = (scores + [TrackScore()]).map { (subject: "", score: $0) }
    let bias = try #require(figure("distance_error_bias", alone))
    #expect(bias.value == -0.25)
    #expect(figure("distance_error_mean_absolute", alone)?.value == 1.75)
    #expect((bias.count, bias.clusters, bias.clusterKind) == (4, 4, .recordings))
    // SciPy 1.17.1, with s = the errors: v = np.var(s, ddof=1); u = (1.5 * np.mean(np.abs(s)))**2;
    // w = max(v, (v + u) / 2) * 4 / 3; t.interval(0.95, 6, loc=np.mean(s), scale=sqrt(w / 4)).
    let interval = try #require(bias.interval)
    #expect(abs(interval.lower - (-3.6825576889434637)) < 1e-12)
    #expect(abs(interval.upper - 3.1825576889434637) < 1e-12)
    // Two recordings of one person say nothing about others, and people have equal weight.
    let two = zip(["a", "a", "b", "b"], scores).map { (subject: $0, score: $1) }
    #expect(figure("distance_error_bias", two)?.interval == nil)
    let three = zip(["a", "a", "b", "c"], scores).map { (subject: $0, score: $1) }
    #expect(figure("distance_error_bias", three)?.value == 0)
    #expect(figure("distance_error_bias", three)?.clusters == 3)
  }

  @Test func summaryOfStandingAndFixes() {
    var first = TrackScore()
    first.standingGain = 3
    first.standingNanoseconds = 3_600_000_000_000
    first.horizontalErrors = [1, 9]
    first.missedSplits = 2
    first.splitErrors = [5]
    var second = first
    second.standingGain = 6
    second.horizontalErrors = [5]
    var unknown = TrackScore()
    unknown.standingNanoseconds = 7_200_000_000_000
    let summary = TrackSummary(of: [first, second, unknown])
    #expect(summary.gainPerStandingHour == 4.5)
    #expect(summary.standingHours == 2)
    #expect(summary.horizontalErrorP50 == 5)
    #expect(summary.fixes == 3)
    #expect(summary.missedSplits == 4)
    #expect(summary.splits?.count == 2)
  }

  @Test func corruptTimesDoNotTrap() {
    var truth = header(seconds: 100, [.distance: [0]])
    truth.end = TraceInstant(nanoseconds: .max)
    truth.track = ReferenceTrack(
      times: [.max, .min, 0, 0], latitudes: [0, .nan, 1, 2], longitudes: [0, 0, .infinity, 3])
    let columns = FixColumns(
      times: TimeColumns(measured: [.min, 0, .max]),
      values: Array(repeating: Fix(latitude: 1, longitude: 2), count: 3))
    let progress = [
      DistancePoint(instant: TraceInstant(nanoseconds: .min), distance: -1e308),
      DistancePoint(instant: TraceInstant(nanoseconds: .max), distance: 1e308),
    ]
    let still = score(truth, progress: progress, fixes: columns)
    #expect(still.horizontalErrors.allSatisfy { $0.isFinite })
    #expect(still.standingGain?.isFinite ?? true)
    truth.references = []
    let moving = score(truth, progress: progress, fixes: columns)
    #expect(moving.standingNanoseconds >= 0)
    #expect(moving.coverage?.isFinite ?? true)
  }
}
