internal import GSL
internal import Scoring

/// The search for settings on some of the recordings: fixed points first, then a simplex from the
/// best of them. For each setting all thresholds are looked at, so the threshold is no dimension.
struct Search: Sendable {
  let objective: Objective
  let space: SearchSpace
  let method: SearchSpace.Method
  /// How many values the simplex may ask for, from each of its starts.
  let refinements: Int
  let grouping: Grouping
  let store: TrialStore

  struct Candidate: Sendable {
    var settings: ParameterSettings
    var outcome: ThresholdOutcome

    /// By the best value; of equal ones the wider plateau is safer.
    func isBetter(than other: Candidate) -> Bool {
      guard let own = outcome.choice else { return false }
      guard let others = other.outcome.choice else { return true }
      return (own.bestValue, own.plateau.width) > (others.bestValue, others.plateau.width)
    }
  }

  /// The best setting for the weighted recordings; of equally good ones the first. Its outcome may
  /// be that nothing is worth having.
  func best(_ weights: TrialCurves.Weights) async throws -> Candidate {
    var best = try await candidate([:], .preset, weights)
    var starts: [(point: [Double], candidate: Candidate)] = []
    let origin: TrialOrigin = if case .grid = method { .grid } else { .sobol }
    for point in try space.points(method) {
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
    return Candidate(
      settings: settings,
      outcome: curves.choose(
        objective, weights: weights, groups: grouping.groupOfRecording))
  }

  // MARK: Simplex

  /// From so many of the best points: the figures are counts of events, so the function is one of
  /// steps, and a simplex that stands on one step goes nowhere. Several starts, and first steps
  /// that reach over many of them, are what helps; the best that was seen is kept, whatever the
  /// simplex does, so it never makes the result worse.
  private static let simplexStarts = 2
  /// Of the unit cube's side.
  private static let firstStep = 0.125
  /// Points closer than this are one: no search here needs more of a parameter than a 256th of its
  /// range, and the folds of a cross-validation then ask for many points that are known already.
  private static let resolution = 256.0

  private func refined(
    from point: [Double], _ weights: TrialCurves.Weights
  ) async throws -> Candidate {
    let free = space.dimensions.indices.filter { space.dimensions[$0].isContinuous }
    var best = try await candidate(space.settings(at: point), .simplex, weights)
    guard !free.isEmpty else { return best }
    let start = free.map { point[$0] }
    let simplex = Simplex(
      // Inwards, so that no corner begins outside.
      steps: start.map { $0 < 0.5 ? Self.firstStep : -Self.firstStep },
      tolerance: 1 / Self.resolution, mostSteps: 10 * refinements)
    var heights: [[Double]: Double] = [:]
    // What the simplex asks for is evaluated outside of it, for that takes long; then it is started
    // again, and comes to the same place by what is known.
    while heights.count < refinements {
      let outcome = try simplex.minimize(from: start) { place in
        heights[nearest(place)].map { $0 + distanceOutside(place) }
      }
      guard case .stopped(let place) = outcome else { break }
      let inside = nearest(place)
      var whole = point
      for (index, coordinate) in zip(free, inside) { whole[index] = coordinate }
      let found = try await candidate(space.settings(at: whole), .simplex, weights)
      if found.isBetter(than: best) { best = found }
      heights[inside] = height(of: found, weights)
    }
    return best
  }

  /// Low is good.
  private func height(of candidate: Candidate, _ weights: TrialCurves.Weights) -> Double {
    // Where no threshold is worth having, as high as the worst that is.
    candidate.outcome.choice.map { $0.valueOfNull - $0.bestValue } ?? 0
  }

  /// Within the cube, on the grid of the resolution.
  private func nearest(_ place: [Double]) -> [Double] {
    place.map { (min(max($0, 0), 1) * Self.resolution).rounded() / Self.resolution }
  }

  private func distanceOutside(_ place: [Double]) -> Double {
    place.reduce(0) { $0 + max(0, -$1) + max(0, $1 - 1) }
  }
}
