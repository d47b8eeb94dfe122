import TraceModel

/// A generated trace of a person who drags letter tiles to the slots of a picture-guess game.
///
/// Board by board, the person drags a tile to each slot from the left, and then goes on to the next
/// board (action `continue`). The tile's centre arrives off the slot's centre by the reach error of
/// ``TouchReach``. That error was measured on taps. A drag can be corrected while it is made (to 0.17
/// mm: Bérard, Rochet-Capellan, ITS 2012), so it stands for people in a hurry. A person's precision
/// and pace, the pauses, and the rates of touches that the system takes away and of touches by a
/// second finger are assumptions.
///
/// The scenario does not depend on whether a drop counted: there is one drag per slot and board. So
/// the same drags can judge every rule.
struct DragScenario {
  private typealias Point = TileLayout.Point

  let spec: ScenarioSpec
  private let person: TouchPerson
  private let layout: TileLayout
  private var random: SeededGenerator
  private var touches: [(time: Double, touch: Touch)] = []
  private var boards: [Double] = []
  private var events: [ReferenceEvent] = []

  /// The share of drags that the system takes away, and of those during which a second finger
  /// touches the screen.
  private static let cancelledShare = 0.02
  private static let secondFingerShare = 0.05
  /// The time in seconds after the last drop of a board until the person goes on: longer than any
  /// rule needs for the full board.
  private static let boardPause = 1.5

  init(_ spec: ScenarioSpec) {
    self.spec = spec
    person = TouchPerson(number: spec.subject)
    layout = TileLayout(.fitted, screen: person.screen, letters: person.letters)
    random = spec.generator()
    play(until: spec.duration ?? 0)
  }

  func trace() -> Trace {
    var header = spec.header()
    header.screen = person.screen
    header.end = instant(spec.duration ?? 0)
    header.references = [
      ReferenceSet(
        task: .drop, events: events,
        definition: "the finger is lifted that dragged a tile to the slot of the place")
    ]
    var trace = Trace(header: header)
    var columns = TouchColumns()
    for (time, touch) in touches.sorted(by: { $0.time < $1.time }) {
      let time = instant(time).nanoseconds
      columns.append(touch, measured: time, arrived: time)
    }
    trace.set(
      .touch(columns), for: .touch,
      attributes: ["letters": "\(person.letters)", "layout": TileLayout.Style.fitted.rawValue])
    let times = boards.map { instant($0).nanoseconds }
    trace.set(
      .action(
        ActionColumns(
          times: TimeColumns(measured: times), values: times.map { _ in Action.continue })),
      for: .action)
    return trace
  }

  /// A board is played whole or not at all; it takes less than 3 s per letter.
  private mutating func play(until end: Double) {
    var time = 0.5
    while time + 3 * Double(person.letters) + Self.boardPause < end {
      var homes = Array(layout.tiles.indices)
      for slot in layout.slots.indices {
        let tile = homes.remove(at: Int(random.unit() * Double(homes.count)))
        time = drag(tile, to: slot, at: time) + random.uniform(0.25...0.6)
      }
      time += Self.boardPause
      boards.append(time)
      time += random.uniform(0.4...0.8)
    }
  }

  /// Returns the time at which the finger is lifted.
  private mutating func drag(_ tile: Int, to slot: Int, at start: Double) -> Double {
    let (grip, time) = grab(tile, at: start)
    let (home, goal) = (layout.tiles[tile], layout.slots[slot])
    let error = person.reach.error(atTargetOf: layout.side, &random)
    // The person brings the tile to the slot, so that the finger ends beside it as it began.
    let target = Point(
      x: goal.x + grip.x - home.x + error.x, y: goal.y + grip.y - home.y + error.y)
    let duration = person.reach.duration(over: home.distance(to: goal), toTargetOf: layout.side)
    let isCancelled = random.chance(Self.cancelledShare)
    let length = duration * (isCancelled ? random.uniform(0.3...0.9) : 1)
    if random.chance(Self.secondFingerShare) { touchBeside(time + length / 2) }
    add(.began, at: time, grip)
    func position(_ elapsed: Double) -> Point {
      let share = TouchReach.progress(elapsed / duration)
      return Point(
        x: grip.x + share * (target.x - grip.x), y: grip.y + share * (target.y - grip.y))
    }
    let period = 1 / spec.sampleRate
    var tick = period
    while tick < length - period / 2 {
      add(.moved, at: time + tick, position(tick))
      tick += period
    }
    add(isCancelled ? .cancelled : .ended, at: time + length, position(length))
    if !isCancelled {
      events.append(
        ReferenceEvent(
          onset: instant(time + length), originalLabel: "tile-\(tile + 1)",
          place: Int32(slot + 1)))
    }
    return time + length
  }

  /// Touches the tile. A finger that comes down beside it is lifted at once and tries again.
  /// - Returns: where and when the finger came down on the tile.
  private mutating func grab(_ tile: Int, at start: Double) -> (point: Point, time: Double) {
    var time = start
    let centre = layout.tiles[tile]
    for _ in 0..<3 {
      let error = person.reach.error(atTargetOf: layout.side, &random)
      let point = rounded(Point(x: centre.x + error.x, y: centre.y + error.y))
      if layout.square(around: centre, contains: point) { return (point, time) }
      add(.began, at: time, point)
      add(.ended, at: time + 0.07, point)
      time += 0.07 + random.uniform(0.2...0.4)
    }
    return (rounded(centre), time)
  }

  /// A short touch anywhere by the other hand or the palm.
  private mutating func touchBeside(_ time: Double) {
    let screen = person.screen
    let point = Point(x: random.unit() * screen.width, y: random.unit() * screen.height)
    // Fractions of the period, so that no two touches have one time.
    let period = 1 / spec.sampleRate
    add(.began, at: time + 0.31 * period, point, pointer: 1)
    add(.ended, at: time + 2.37 * period, point, pointer: 1)
  }

  private mutating func add(
    _ phase: Touch.Phase, at time: Double, _ point: Point, pointer: Int32 = 0
  ) {
    let point = rounded(point)
    touches.append((time, Touch(x: point.x, y: point.y, phase: phase, pointer: pointer)))
  }

  /// A touch screen reports whole pixels.
  private func rounded(_ point: Point) -> Point {
    let scale = person.pixelsPerPoint
    return Point(x: (point.x * scale).rounded() / scale, y: (point.y * scale).rounded() / scale)
  }
}

/// The person of a drag scenario with a phone. The number determines everything.
struct TouchPerson: Sendable {
  let screen: ScreenSize
  let pixelsPerPoint: Double
  let reach: TouchReach
  /// The number of letters of the person's answers.
  let letters: Int

  /// iPhone SE (2016), iPhone X, iPhone 8, iPhone XR and the iPad of 9.7 inches, as Apple states them:
  /// the screen in points, its pixels per point and per inch.
  private static let devices: [(width: Double, height: Double, scale: Double, density: Double)] = [
    (320, 568, 2, 326),
    (375, 812, 3, 458),
    (375, 667, 2, 326),
    (414, 896, 2, 326),
    (768, 1024, 2, 264),
  ]

  /// - Parameter number: 1 to 99.
  init(number: Int) {
    var random = SeededGenerator(seed: 0x70C4_0F50_0B1E_C700 &+ UInt64(number))
    let device = Self.devices[(number - 1) % Self.devices.count]
    guard let screen = ScreenSize(width: device.width, height: device.height) else {
      preconditionFailure("the screens above are in range")
    }
    self.screen = screen
    pixelsPerPoint = device.scale
    reach = TouchReach(
      millimetersPerPoint: 25.4 * device.scale / device.density,
      spread: random.uniform(0.8...1.3), slowness: random.uniform(0.8...1.3))
    letters = TileLayout.letterCounts.lowerBound + (number + 1) % TileLayout.letterCounts.count
  }
}
