/// Finds the largest fleet whose timing is valid.
package struct CapacitySearch {
  package private(set) var tried: [Int] = []
  private let limit: Int
  private let precision: Double
  private let repeats: Int
  private let isValid: (Int) throws -> Bool
  /// How much a number grows or shrinks until one is valid and a larger one is not.
  private var growth = 2.0

  /// - Parameters:
  ///   - precision: between the largest valid and the smallest invalid number, as a share.
  ///   - repeats: runs that the number found has to pass, all of them.
  ///   - isValid: tries a number of devices.
  package init(
    limit: Int, precision: Double = 0.05, repeats: Int = 3,
    isValid: @escaping (Int) throws -> Bool
  ) {
    (self.limit, self.precision, self.repeats) = (limit, precision, repeats)
    self.isValid = isValid
  }

  /// The number of searches of ``repeated(from:searches:)``: the least and the most of five contain
  /// the median of any number of searches with a probability of 93.75 %, whatever its distribution
  /// (1 - 2 · 2^-5), see ``CapacityEstimate/confidenceOfRange``.
  package static let usualSearches = 5

  /// Doubles from `first` until the timing is invalid in two of three runs, halves the interval
  /// between, and has the number found prove itself again; what fails there is too many. 0 = not
  /// even one device.
  package mutating func run(from first: Int) throws -> Int {
    var valid = 0
    var invalid: Int?
    var next = min(first, limit)
    while true {
      if try passesDespiteHiccup(next) {
        valid = next
      } else {
        invalid = next
      }
      guard let candidate = self.next(valid: valid, invalid: invalid) else {
        if valid == 0 { return 0 }
        if try holds(valid) { return valid }
        // Too many after all: look below.
        invalid = valid
        valid = 0
        next = max(1, Int(Double(invalid ?? 1) * (1 - 2 * precision)))
        if next == invalid { return 0 }
        continue
      }
      next = candidate
    }
  }

  /// Searches several times, because the machine changes between searches: one number alone does not
  /// show by how much.
  ///
  /// The first search begins with `first`. Each further one begins 10 to 30 % below the median of
  /// those before it and grows by a quarter instead of doubling, so that it tries other numbers, and
  /// finds its own from below. If the first search reaches the limit, or not even one device is valid,
  /// there is nothing to repeat. Later ones do not end the searches: their number must not depend on
  /// what they find, or the confidence would be wrong.
  /// - Parameter searches: an odd number, so that the median is one of the numbers found.
  package mutating func repeated(
    from first: Int, searches: Int = CapacitySearch.usualSearches
  ) throws -> CapacityEstimate {
    precondition(searches % 2 == 1)
    var estimate = CapacityEstimate(first: try run(from: first), trials: tried.count, limit: limit)
    growth = 1.25
    defer { growth = 2 }
    if estimate.isAtLimit { return estimate }
    while estimate.found.count < searches, estimate.capacity > 0 {
      let share = [0.7, 0.8, 0.9, 0.75][(estimate.found.count - 1) % 4]
      let start = max(1, Int(Double(estimate.capacity) * share))
      estimate.add(try run(from: start), trials: tried.count)
    }
    return estimate
  }

  private func next(valid: Int, invalid: Int?) -> Int? {
    guard let invalid else {
      return valid < limit ? min(limit, max(valid + 1, Int(Double(valid) * growth))) : nil
    }
    if valid == 0 { return invalid > 1 ? max(1, Int(Double(invalid) / growth)) : nil }
    let gap = invalid - valid
    return gap <= 1 || Double(gap) <= precision * Double(invalid) ? nil : valid + gap / 2
  }

  /// A hiccup of the machine must not decide: what fails is too many only where it fails in two of
  /// three runs.
  private mutating func passesDespiteHiccup(_ devices: Int) throws -> Bool {
    if try passes(devices) { return true }
    guard try passes(devices) else { return false }
    return try passes(devices)
  }

  private mutating func holds(_ devices: Int) throws -> Bool {
    for _ in 1..<max(repeats, 1) where try !passes(devices) { return false }
    return true
  }

  private mutating func passes(_ devices: Int) throws -> Bool {
    tried.append(devices)
    return try isValid(devices)
  }
}
