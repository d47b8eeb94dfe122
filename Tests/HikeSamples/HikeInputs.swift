import AppEngines
package import HikeApp
package import TraceModel

/// Random inputs of a hike: many that are legal, some that never are.
package struct HikeInputs {
  private var generator: SeededGenerator
  private var now = TraceInstant.zero
  private var version = 1
  /// Where the walker dwells, in waypoints.
  private var place = 0

  package init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  private mutating func below(_ limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }
  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  package mutating func next(for engine: HikeEngine) -> (HikeEngine.Input, TraceInstant) {
    now = now.advanced(bySeconds: generator.uniform(0...(below(10) == 0 ? 100 : 3)))
    let time = below(50) == 0 ? TraceInstant(nanoseconds: pick([.min, -1, 0, 77])) : now
    guard below(300) > 0 else {
      // All later times are on the new axis.
      now = TraceInstant(nanoseconds: pick([0, 5_000_000_000, now.nanoseconds, 1 << 60]))
      return (.clockRestarted(epoch: WallTime(nanoseconds: pick([.min, 0, 77, .max]))), now)
    }
    return (input(for: engine), time)
  }

  private mutating func input(for engine: HikeEngine) -> HikeEngine.Input {
    switch engine.screen {
    case .prompt where below(3) == 0: return .confirm
    case .details where below(3) == 0: return .proceed
    default: break
    }
    switch below(30) {
    case 0...9: return fix()
    case 10...12: return .confirm
    case 13...15: return .proceed
    case 16: return .cancel
    case 17: return .heading(Scalar(value: number(), accuracy: number()))
    case 18: return pick([.activate, .deactivate, .activate, .relaunched])
    case 19: return .connectivity(pick(HikeEngine.Connectivity.allCases))
    case 20, 21: return .openRoute(pick([HikeSample.long, HikeSample.short, key()]))
    case 22:
      return pick([.closeRoute, .closeProfile, .openProfile("families"), .openProfile(id())])
    case 23: return pick([.openHelp, .closeHelp, .openCompass, .closeCompass, .closeReward])
    case 24: return .choose(pick(["101", "102", "103", "104", id()]))
    case 25: return .languages(pick([[], ["nl"], [id()]]))
    case 26: return .uploadStored(stamp(for: engine))
    case 27:
      return pick([
        .uploadFailed(stamp(for: engine)), .allStored(stamp(for: engine), stored()),
        .updateFailed(number: request()),
        .uploadOutOfStep(stamp(for: engine), StampPosition(epoch: 3, next: request())),
      ])
    case 28:
      if case .pinging(let number) = engine.update {
        return .pingAnswered(number: number, isCurrent: below(3) == 0)
      }
      return .pingAnswered(number: request(), isCurrent: false)
    default:
      let download = download()
      if case .downloading(let number) = engine.update {
        return .downloaded(number: number, download)
      }
      return below(20) == 0
        ? .contentOpened(download) : .downloaded(number: request(), download)
    }
  }

  private mutating func fix() -> HikeEngine.Input {
    // A stamp from the future sets the clock, so that the next fixes are too old for a while.
    let age = below(8) == 0 ? pick([1, 14, 16, -5, .nan, .infinity]) : 0
    let measured = now.advanced(bySeconds: -age)
    guard below(10) > 0 else {
      return .fix(
        Fix(latitude: number(), longitude: number(), horizontalAccuracy: number()),
        measured: TraceInstant(nanoseconds: pick([.min, .max, 0])))
    }
    if below(12) == 0 { place = below(5) }
    let fix = HikeSample.fix(
      north: Double(place) * HikeSample.spacing + generator.uniform(-20...20),
      east: generator.uniform(-20...20), accuracy: pick([5, 5, 20, 500, -1, .nan]))
    return .fix(fix, measured: measured)
  }

  /// What the server may have of the phone.
  private mutating func stored() -> [HikeCheckIn] {
    (0..<below(3)).map { _ in
      HikeRecord(
        key: pick([HikeSample.long, HikeSample.short, key()]),
        location: pick(["101", "104", "201", id()]),
        timestamp: WallTime(nanoseconds: pick([.min, .max, 0]))
      ).checkIn
    }
  }

  private mutating func number() -> Double {
    pick([
      0, -1, 90, -90, 180, 360, 52.09, 5.12, .nan, .infinity, -.infinity, 1e308,
      .leastNonzeroMagnitude, 10,
    ])
  }

  private mutating func id() -> String {
    pick(["", "nowhere", "101", "\u{0}", String(repeating: "ü", count: 5000)])
  }

  private mutating func key() -> HikeRouteKey {
    HikeRouteKey(profile: pick(["families", "runners", id()]), route: pick(["7", "8", id()]))
  }

  private mutating func stamp(for engine: HikeEngine) -> RequestStamp {
    let other = RequestStamp(epoch: 3, number: request(), mark: generator.next())
    return below(3) == 0 ? other : pick([other] + engine.unansweredUploads)
  }

  private mutating func request() -> Int {
    below(5) == 0 ? pick([.min, .max, -1, 0]) : below(200)
  }

  private mutating func download() -> HikeDownload {
    version += 1
    var waypoints = (0..<Int32(below(6))).map { rank in
      HikeSample.waypoint(rank, location: below(3) == 0 ? "\(101 + below(6))" : nil)
    }
    if below(20) == 0, !waypoints.isEmpty {
      waypoints[0].latitude = number()
      waypoints[0].rank = pick([.min, .max])
      waypoints[0].radius = number()
    }
    var content = HikeSample.content("v\(version)", waypoints: waypoints)
    if below(10) == 0 { content.profiles[0].routes[0].id = id() }
    if below(10) == 0 { content.profiles.removeFirst() }
    if below(10) == 0 { content.profiles = [] }
    return HikeDownload(content: content, checksum: below(8) == 0 ? "no" : content.version)
  }
}
