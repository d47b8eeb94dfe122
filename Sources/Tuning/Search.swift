internal import Scoring

/// The search for settings on some of the recordings: first fixed points, then a simplex from the
/// best of them. Each setting is evaluated at all thresholds, so the threshold is not a dimension.
struct Search: Sendable {
  var rule: ChoiceRule
  let space: SearchSpace
  let method: SearchSpace.Method
  let methods: any SearchMethods
  /// The maximum number of evaluations of the simplex from each start.
  let refinements: Int
  let grouping: Grouping
  let store: TrialStore
  var progress: TuningProgress

  /// The maximum number of candidates of one search: the preset, the points, the simplexes.
  static func mostSteps(
    of space: SearchSpace, _ method: SearchSpace.Method, by methods: any SearchMethods,
    refinements: Int
  ) -> Int {
    let points = (try? space.points(method, by: methods).count) ?? 0
    guard case .sobol = method, points > 0 else { return 1 + points }
    return 1 + points + min(simplexStarts, points) * (1 + refinements)
  }

  struct Candidate: Sendable {
    var settings: ParameterSettings
    var outcome: ThresholdOutcome

    /// Compares by the best value; among equal ones the wider plateau is safer.
    func isBetter(than other: Candidate) -> Bool {
      guard let own = outcome.choice else { return false }
      guard let others = other.outcome.choice else { return true }
      return (own.bestValue, own.plateau.width) > (others.bestValue, others.plateau.width)
    }
  }

  /// Returns the best setting for the weighted recordings; the first of equally good ones. Its
  /// outcome may be that no threshold is better than the null detector.
  func best(_ weights: TrialCurves.Weights) async throws -> Candidate {
    progress.begin(
      Self.mostSteps(of: space, method, by: methods, refinements: refinements))
    defer { progress.end() }
    var best = try await candidate([:], .preset, weights)
    var starts: [(point: [Double], candidate: Candidate)] = []
    let origin: TrialOrigin = if case .grid = method { .grid } else { .sobol }
    for point in try space.points(method, by: methods) {
      let found = try await candidate(space.settings(at: point), origin, weights)
      if found.isBetter(than: best) { best = found }
      let rank = starts.firstIndex { found.isBetter(than: $0.candidate) } ?? starts.count
      starts.insert((point, found), at: rank)
      if starts.count > Self.simplexStarts { starts.removeLast() }
    }
    guard case .sobol = method, refinements > 0 else { return best }
    for start in starts where start.candidate.outcome.choice != nil {
      let found = try await refined(from: start.point, weights)
      if found.isBetter(than: best) { best = found }
    }
    return best
  }

  private func candidate(
    _ settings: ParameterSettings, _ origin: TrialOrigin, _ weights: TrialCurves.Weights
  ) async throws -> Candidate {
    let curves = try await store.curves(at: settings, origin)
    progress.step()
    return Candidate(
      settings: settings,
      outcome: curves.choose(rule, weights: weights, groups: grouping.groupOfRecording))
  }

  /// The number of best points from which a simplex starts. The figures are counts of events, so
  /// the function is a step function, and a simplex on one step does not move. Several starts and
  /// large first steps help. The best setting so far is always kept, so the simplex never makes the
  /// result worse.
  private static let simplexStarts = 2
  /// The first step, as a share of the side of the unit cube.
  private static let firstStep = 0.125
  /// Points closer than this are merged. No search needs a finer resolution than a 256th of a
  /// parameter's range, and so the folds of a cross-validation reuse many known points.
  private static let resolution = 256.0

  private func refined(
    from point: [Double], _ weights: TrialCurves.Weights
  ) async throws -> Candidate {
    let free = space.dimensions.indices.filter { space.dimensions[$0].isContinuous }
    var best = try await candidate(space.settings(at: point), .simplex, weights)
    guard !free.isEmpty else { return best }
    let start = free.map { point[$0] }
    // Step inwards, so that no corner starts outside.
    let steps = start.map { $0 < 0.5 ? Self.firstStep : -Self.firstStep }
    var heights: [[Double]: Double] = [:]
    // The points that the simplex requests are evaluated outside of it, because that takes long;
    // then the simplex restarts and reaches the same place from the known values.
    while heights.count < refinements {
      let unknown = try methods.firstUnknownPlace(
        from: start, steps: steps, tolerance: 1 / Self.resolution, mostSteps: 10 * refinements
      ) { place in
        heights[nearest(place)].map { $0 + distanceOutside(place) }
      }
      guard let unknown else { break }
      let inside = nearest(unknown)
      var whole = point
      for (index, coordinate) in zip(free, inside) { whole[index] = coordinate }
      let found = try await candidate(space.settings(at: whole), .simplex, weights)
      if found.isBetter(than: best) { best = found }
      heights[inside] = height(of: found, weights)
    }
    return best
  }

  /// Returns the height of a candidate; lower is better.
  private func height(of candidate: Candidate, _ weights: TrialCurves.Weights) -> Double {
    // Without a threshold better than the null detector, the height is that of the null detector.
    candidate.outcome.choice.map { $0.valueOfNull - $0.bestValue } ?? 0
  }

  /// Returns the nearest point within the cube on the grid of the resolution.
  private func nearest(_ place: [Double]) -> [Double] {
    place.map { (min(max($0, 0), 1) * Self.resolution).rounded() / Self.resolution }
  }

  private func distanceOutside(_ place: [Double]) -> Double {
    place.reduce(0) { $0 + max(0, -$1) + max(0, $1 - 1) }
  }
}
