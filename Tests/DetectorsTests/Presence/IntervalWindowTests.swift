import Testing
import TraceModel

@testable import Detectors

@Suite struct IntervalWindowTests {
  private func window(_ intervals: [Int64], capacity: Int = 100) -> IntervalWindow {
    var window = IntervalWindow(capacity: capacity)
    for interval in intervals { window.add(interval) }
    return window
  }

  @Test func nothingIsUndefined() {
    let none = window([])
    #expect(none.mean == nil && none.standardDeviation == nil && none.tail(share: 0.1) == nil)
    #expect(window([5]).mean == 5 && window([5]).standardDeviation == nil)
  }

  /// Against an array of the newest, sorted.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func itHoldsTheNewestInOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let capacity = 1 + Int(random.unit() * 20)
    var window = IntervalWindow(capacity: capacity)
    var all: [Int64] = []
    for _ in 0..<200 {
      all.append(Int64(random.unit() * 15))
      window.add(all[all.count - 1])
      #expect(window.sorted == all.suffix(capacity).sorted(), "seed \(seed)")
      let limit = Int64(random.unit() * 15)
      let longer = all.suffix(capacity).count { $0 > limit }
      #expect(window.count(longerThan: limit) == longer, "seed \(seed)")
    }
  }

  // share of ten intervals 1...10: from which one on, and the mean of what exceeds it.
  @Test(arguments: [
    (0.1, 9, 0.1, 1.0), (0.3, 7, 0.3, 2), (0.25, 7, 0.3, 2), (0.001, 9, 0.1, 1),
    (1, 1, 1, 4.5), (7, 1, 1, 4.5), (.nan, 9, 0.1, 1),
  ])
  func theTailHoldsTheLongest(share: Double, start: Int64, held: Double, excess: Double) {
    let tail = window((1...10).map { $0 }).tail(share: share)
    #expect(tail == IntervalWindow.Tail(start: start, share: held, meanExcess: excess))
  }

  @Test func oneIntervalIsItsOwnTail() {
    #expect(
      window([4]).tail(share: 0.1) == IntervalWindow.Tail(start: 4, share: 1, meanExcess: 0))
  }

  // SciPy 1.17.1: norm.logsf(z) / -ln(10).
  @Test(arguments: [
    (-5, 1.244912137388289e-07), (-1, 0.07502601295781802), (0, 0.30102999566398114),
    (1, 0.7995455414919703), (2.5, 2.206931805795301), (5, 6.5426456723906545),
    (8, 15.206142551017157), (20, 88.5600953430756), (35.3, 272.5322179462663),
    (35.4, 274.06867553796263), (36, 283.3785511680483), (50, 544.9663358619966),
    (100, 2173.8715428690343),
  ])
  func phiIsTheLogarithmOfTheNormalTail(z: Double, phi: Double) {
    #expect(abs(NormalTail.phi(z) - phi) <= 1e-11 * max(phi, 1))
  }

  // SciPy 1.17.1: norm.isf(10 ** -phi).
  @Test(arguments: [
    (0.5, 0.47827353237616266), (1, 1.2815515655446004), (2, 2.3263478740408408),
    (3, 3.090232306167813), (8, 5.612001244174789), (16, 8.222082216130435),
  ])
  func zIsItsInverse(phi: Double, z: Double) {
    #expect(abs(NormalTail.z(phi: phi) - z) < 1e-11)
  }
}
