import TestSupport
import Testing
import TraceModel

@testable import Synthesis

@Suite struct OtherMotionTests {
  private func columns(_ channel: Channel, _ kind: ScenarioKind) throws -> VectorColumns {
    let spec = try ScenarioSpec(kind: kind, subject: 5, duration: 120)
    guard case .vector(let columns)? = Synthesizer.trace(spec)[channel] else {
      throw TraceError(place: spec.id, expected: "\(channel.name)", found: "none")
    }
    return columns
  }

  /// Each fall: less than two thirds of gravity before the impact, afterwards a rest in another
  /// attitude.
  @Test func fallsTipHitAndRest() throws {
    let force = try columns(.acceleration, .falls)
    let heights = force.range.map { Double(force[$0].magnitude) }
    func mean(_ range: Range<Int>) -> Vector {
      let sum = range.reduce(Vector.zero) {
        $0 + Vector(x: Double(force.x[$1]), y: Double(force.y[$1]), z: Double(force.z[$1]))
      }
      return sum * (1 / Double(range.count))
    }
    var falls: [Int] = []
    for index in 200..<(heights.count - 400) where heights[index] > 35 {
      if let last = falls.last, index - last < 500 { continue }
      falls.append(index)
    }
    #expect((3...12).contains(falls.count))
    var turned = 0
    for fall in falls {
      #expect((heights[(fall - 80)..<fall].min() ?? 10) < 0.67 * standardGravity)
      let rest = heights[(fall + 150)..<(fall + 350)]
      #expect((rest.max() ?? 0) - (rest.min() ?? 0) < 4)
      let before = mean((fall - 180)..<(fall - 100)).normalized
      let after = mean((fall + 150)..<(fall + 350)).normalized
      if before.dot(after) < 0.7 { turned += 1 }
    }
    #expect(turned * 3 >= falls.count * 2)
  }

  /// Applause: many short peaks at an even beat.
  @Test func clapsAreShortAndRegular() throws {
    let user = try columns(.userAcceleration, .clapping)
    let heights = user.range.map { Double(user[$0].magnitude) }
    var claps: [Int] = []
    for index in 1..<(heights.count - 1)
    where heights[index] > 15
      && heights[index]
        >= (heights[max(index - 8, 0)...min(index + 8, heights.count - 1)].max() ?? 0)
    {
      claps.append(index)
    }
    let gaps = zip(claps, claps.dropFirst()).map { Double($1 - $0) / 100 }.filter { $0 < 0.6 }
    let beat = Subject(number: 5).clapBeat
    #expect(claps.count > 150)
    #expect((gaps.sorted()[gaps.count / 2] - beat).magnitude < 0.03)
  }

  /// Exercises and stairs stay far below a punch.
  @Test(arguments: [ScenarioKind.exercise, .stairs])
  func everydayMotionIsMild(_ kind: ScenarioKind) throws {
    let user = try columns(.userAcceleration, kind)
    let heights = user.range.map { Double(user[$0].magnitude) }.sorted()
    #expect((1...8).contains(heights[heights.count / 2]))
    #expect(heights[heights.count * 99 / 100] < 25)
  }
}
