/// Finds the largest fleet whose timing is valid.
package struct CapacitySearch {
  /// What was tried, in order.
  package private(set) var tried: [Int] = []
  private let limit: Int
  private let precision: Double
  private let repeats: Int
  private let isValid: (Int) throws -> Bool

  /// - Parameters:
  ///   - precision: between the largest valid and the smallest invalid number, as a share.
  ///   - repeats: runs that the number found has to pass, all of them.
  ///   - isValid: tries a number of devices.
  package init(
    limit: Int, precision: Double = 0.05, repeats: Int = 3,
    isValid: @escaping (Int) throws -> Bool
  ) {
    self.limit = limit
    self.precision = precision
    self.repeats = repeats
    self.isValid = isValid
  }

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

  private func next(valid: Int, invalid: Int?) -> Int? {
    guard let invalid else { return valid < limit ? min(limit, 2 * valid) : nil }
    if valid == 0 { return invalid > 1 ? invalid / 2 : nil }
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
