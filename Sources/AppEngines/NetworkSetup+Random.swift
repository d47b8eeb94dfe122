import TraceModel

extension NetworkSetup {
  /// Returns a bad network that is drawn from a seed, for runs that look for broken invariants: loss,
  /// duplication, delay and reordering of every size, endpoints that are cut off, phones and servers
  /// that restart from older states or without one, and clocks that step and drift.
  ///
  /// Equal arguments give equal networks. One seed in eight has no faults besides the conditions.
  ///
  /// - Parameters:
  ///   - phones: at least 1.
  ///   - hasServer: whether the server can be cut off and restarted.
  ///   - length: the time in seconds in which faults happen.
  public static func random(
    seed: UInt64, phones: Int, hasServer: Bool = true, length: Double
  ) -> NetworkSetup {
    var random = SeededGenerator(seed: StableHash.ofBytes("bad network \(seed)".utf8))
    var setup = NetworkSetup(conditions(seed: seed, &random))
    guard !random.isTrue(1 / 8) else { return setup }
    let phones = max(phones, 1)
    func endpoint() -> Endpoint {
      let count = phones + (hasServer ? 1 : 0)
      let index = Int(random.uniform(0...Double(count)).rounded(.down))
      return index < phones ? .phone(index) : hasServer ? .server : .phone(0)
    }
    func time() -> Int64 { milliseconds(random.uniform(0...max(length, 1))) }
    for _ in 0..<random.count(upTo: 3) {
      let start = time()
      let end = start + milliseconds(random.spread(0.05...max(length / 2, 1)))
      setup.faults.append(
        .cut(
          endpoint(), from: TraceInstant(nanoseconds: start),
          to: TraceInstant(nanoseconds: max(end, start + 1_000_000))))
    }
    for _ in 0..<random.count(upTo: 3) {
      let state: ExchangeFault.RestoredState =
        random.isTrue(0.25) ? .new : .age(milliseconds(random.spread(0.01...max(length, 1))))
      setup.faults.append(.restart(endpoint(), at: TraceInstant(nanoseconds: time()), state))
    }
    for _ in 0..<random.count(upTo: 3) {
      let size = max(milliseconds(random.spread(0.05...4_000)), 1_000_000)
      setup.faults.append(
        .clock(
          phone: Int(random.uniform(0...Double(phones)).rounded(.down)) % phones,
          at: TraceInstant(nanoseconds: time()), by: random.isTrue(0.5) ? size : -size))
    }
    for phone in 0..<phones where random.isTrue(0.2) {
      let drift = Int64(random.uniform(1...200)) * 1000
      setup.faults.append(.drift(phone: phone, random.isTrue(0.5) ? drift : -drift))
    }
    return setup
  }

  private static func conditions(
    seed: UInt64, _ random: inout SeededGenerator
  ) -> NetworkConditions {
    var conditions = NetworkConditions()
    conditions.seed = seed
    if random.isTrue(0.7) { conditions.delay = random.spread(0.001...3) }
    if random.isTrue(0.7) { conditions.jitter = random.spread(0.001...10) }
    if random.isTrue(0.7) { conditions.loss = random.uniform(0...0.6) }
    if random.isTrue(0.5) { conditions.duplication = random.uniform(0...0.5) }
    return conditions
  }

  /// Returns whole milliseconds in nanoseconds, so that the texts of faults stay short.
  private static func milliseconds(_ seconds: Double) -> Int64 {
    Int64((seconds * 1000).rounded()) * 1_000_000
  }
}

extension SeededGenerator {
  fileprivate mutating func isTrue(_ probability: Double) -> Bool { uniform(0...1) < probability }

  /// Returns a whole number from 0, each equally probable, to the limit, which is not reached.
  fileprivate mutating func count(upTo limit: Int) -> Int {
    min(Int(uniform(0...Double(limit))), limit - 1)
  }

  /// Returns a number whose logarithm is uniform.
  fileprivate mutating func spread(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound * Math.exp(Math.log(range.upperBound / range.lowerBound) * uniform(0...1))
  }
}
