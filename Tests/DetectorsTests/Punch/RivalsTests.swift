import TestSupport
import Testing
import TraceModel

@testable import Detectors

/// The queue of rivals against the plain list of all samples.
@Suite struct RivalsTests {
  /// All samples that no later one reaches.
  private struct Plain {
    private var samples: [(time: Int64, height: Float)] = []

    mutating func admit(
      _ height: Float, at time: Int64, within window: Int64, apart near: Int64,
      beside peaks: [Int64]
    ) -> Bool {
      while let first = samples.first, abs(first.time - time) > window { samples.removeFirst() }
      let isPeak = samples.allSatisfy { rival in
        rival.height < height
          || abs(rival.time - time) > near && height >= 0.7 * 0.7 * rival.height
            && peaks.contains { abs($0 - rival.time) <= window / 4 }
      }
      while let last = samples.last, last.height <= height { samples.removeLast() }
      samples.append((time, height))
      return isPeak
    }
  }

  /// Noise, and falls that are slower than the samples come, at clocks that may go back.
  @Test(arguments: 0..<60 as Range<UInt64>) func agreesWithThePlainList(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (plain, rivals) = (Plain(), Rivals())
    var (time, height): (Int64, Float) = (0, 100)
    var admitted = 0
    for _ in 0..<2000 {
      let isFall = Int.random(in: 0..<8, using: &random) > 0
      time += Int64.random(in: 0...3, using: &random)
      if seed % 3 == 0, Int.random(in: 0..<200, using: &random) == 0 { time -= 20 }
      height =
        isFall
        ? height * Float.random(in: 0.99...1, using: &random)
        : Float.random(in: 20...100, using: &random)
      let peaks = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        time - Int64.random(in: 0...40, using: &random)
      }
      let near = Int64.random(in: 0...12, using: &random)
      let isPeak = rivals.admit(
        height, at: time, within: 80, apart: near, beside: peaks.first,
        peaks.count > 1 ? peaks[1] : nil)
      #expect(
        isPeak
          == plain.admit(height, at: time, within: 80, apart: near, beside: peaks),
        "seed \(seed), time \(time)")
      admitted += isPeak ? 1 : 0
    }
    #expect(admitted > 60 && admitted < 1900)
  }
}
