public import TraceModel

/// Follows the fingers that drag letter tiles to slots, and reports where they drop them.
///
/// A finger that comes down on a tile holds it. **The tile keeps the place at which it was grabbed:**
/// it moves by as much as the finger does, so that its centre stays as far from the finger as it was
/// at first. What counts at the release is the tile's centre, not the finger. With the rule
/// `contains` that centre must lie within the square of a slot; with `nearest` the nearest free slot
/// within the radius takes the tile. Otherwise the tile goes home.
///
/// - A touch that begins on no tile is ignored until it is lifted, as are moves of a finger that
///   never came down.
/// - If a finger comes down twice without being lifted, its end is lost: the first touch counts as
///   cancelled.
/// - A coordinate that is not finite leaves the tile where it is.
/// - When all slots are taken for `checkDelay`, the guess counts (`full`), and after `returnDelay`
///   all tiles go home: a wrong guess starts again, and after a right one there is a new board.
/// - The action `continue` of the person starts a new board: all tiles go home.
///
/// The onset of a drop, a miss and a cancel is the time of the touch that ended it. A larger radius
/// does not only add drops: a drop that only the larger one accepts takes a slot from later ones. So
/// drops are not nested in the radius, and a sweep runs the detector once per value.
///
/// A touch costs O(tiles); `deadline` is O(1).
///
/// ```swift
/// var (detector, events) = (TileDragDetector(.init(), places: []), [Detection<TileDragEvent>]())
/// let (tile, slot) = (detector.layout.tiles[0], detector.layout.slots[2])
/// let grab = Touch(x: tile.x + 5, y: tile.y, phase: .began)
/// for touch in [grab, Touch(x: slot.x + 5, y: slot.y, phase: .ended)] {
///   detector.ingest(touch, measured: .zero, arrived: .zero, into: &events)
/// }
/// events.map(\.event.kind)  // ["drop"]
/// detector.board  // [nil, nil, Optional(1), nil, nil, nil]
/// ```
public struct TileDragDetector: Detector, Codable {
  public static let name = "tiledrag"
  public static let channel = Channel.touch
  public static let task = ReferenceTask.drop

  private struct Grab: Sendable, Codable {
    let pointer: Int32
    let tile: Int
    /// The vector from the tile's centre to the finger.
    let offset: TileLayout.Point
  }

  /// An action on a full board at a later time.
  private struct Timer: Sendable, Codable {
    let time: TraceInstant
    let isCheck: Bool
  }

  private let parameters: Parameters
  private var state: TileBoard
  private var grabs: [Grab] = []
  private var timers: [Timer] = []
  private var drags = 0
  private var drops = 0
  private var misses = 0

  /// - Parameter places: not used.
  public init(_ parameters: Parameters, places: [Place]) {
    self.parameters = parameters
    state = TileBoard(parameters.tileLayout)
  }

  public var layout: TileLayout { state.layout }

  /// The tile in each slot from the left, 1 to 12; nil = the slot is free. A dragged tile still
  /// counts for the slot that it comes from.
  public var board: [Int?] { state.occupants.map { $0.map { $0 + 1 } } }

  public mutating func ingest(
    _ touch: Touch, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<TileDragEvent>]
  ) {
    func report(_ event: TileDragEvent) {
      detections.append(
        Detection(onset: measured, emitted: arrived, newestMeasured: measured, event: event))
    }
    let held = grabs.firstIndex { $0.pointer == touch.pointer }
    if touch.phase != .began, let held { follow(touch, grabs[held]) }
    switch (touch.phase, held) {
    case (.began, let held):
      if let held { report(cancel(held, at: arrived)) }
      grab(touch)
    case (.moved, _), (_, nil): break
    case (.ended, let held?): report(release(held, at: arrived))
    case (.cancelled, let held?): report(cancel(held, at: arrived))
    }
  }

  private mutating func grab(_ touch: Touch) {
    guard grabs.isEmpty || parameters.allowsSecondFinger else { return }
    let finger = TileLayout.Point(x: touch.x, y: touch.y)
    guard let tile = state.tile(at: finger, except: grabs.map({ $0.tile })) else { return }
    let centre = state.tiles[tile].centre
    grabs.append(
      Grab(
        pointer: touch.pointer, tile: tile,
        offset: TileLayout.Point(x: finger.x - centre.x, y: finger.y - centre.y)))
    drags += 1
    if parameters.stopsCheck, state.tiles[tile].slot != nil { timers.removeAll { $0.isCheck } }
  }

  private mutating func follow(_ touch: Touch, _ grab: Grab) {
    guard touch.x.isFinite, touch.y.isFinite else { return }
    state.tiles[grab.tile].centre = TileLayout.Point(
      x: touch.x - grab.offset.x, y: touch.y - grab.offset.y)
  }

  private mutating func release(_ held: Int, at now: TraceInstant) -> TileDragEvent {
    let tile = grabs.remove(at: held).tile
    let slot =
      switch parameters.rule {
      case .contains: state.slotContaining(tile)
      case .nearest:
        state.nearestFreeSlot(to: tile, within: parameters.radius * layout.side)
      }
    guard let slot else { return miss(tile) }
    let distance = layout.slots[slot].distance(to: state.tiles[tile].centre)
    state.place(tile, in: slot)
    drops += 1
    scheduleCheck(at: now)
    return TileDragEvent(.drop, tile: tile + 1, slot: slot + 1, distance: distance)
  }

  private mutating func miss(_ tile: Int) -> TileDragEvent {
    let nearest = state.nearestEdge(to: tile)
    misses += 1
    state.sendHome(tile)
    return TileDragEvent(
      .miss, tile: tile + 1, slot: nearest.slot + 1, distance: nearest.distance)
  }

  private mutating func cancel(_ held: Int, at now: TraceInstant) -> TileDragEvent {
    let tile = grabs.remove(at: held).tile
    if parameters.returnsCancelled {
      state.putBack(tile)
      // The grab may have stopped the check of a board that is full again.
      if parameters.stopsCheck, !timers.contains(where: { $0.isCheck }) { scheduleCheck(at: now) }
    }
    return TileDragEvent(.cancel, tile: tile + 1)
  }

  public var deadline: TraceInstant? { timers.first?.time }

  public mutating func advance(
    to now: TraceInstant, into detections: inout [Detection<TileDragEvent>]
  ) {
    while let timer = timers.first, timer.time <= now {
      timers.removeFirst()
      if timer.isCheck {
        detections.append(
          Detection(onset: timer.time, emitted: timer.time, event: TileDragEvent(.full)))
        schedule(
          Timer(time: timer.time.advanced(bySeconds: parameters.returnDelay), isCheck: false))
      } else {
        returnTiles()
      }
    }
  }

  private mutating func scheduleCheck(at now: TraceInstant) {
    guard state.isFull else { return }
    schedule(Timer(time: now.advanced(bySeconds: parameters.checkDelay), isCheck: true))
  }

  /// Starts a new board with the action `continue`.
  public mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<TileDragEvent>]
  ) {
    guard action == .continue else { return }
    timers = []
    returnTiles()
  }

  /// Keeps the timers in order; of equal times the first one stays first.
  private mutating func schedule(_ timer: Timer) {
    timers.insert(timer, at: timers.firstIndex { $0.time > timer.time } ?? timers.endIndex)
  }

  /// Sends all tiles home. A dragged tile follows its finger again with the next touch.
  private mutating func returnTiles() {
    for tile in state.tiles.indices where !grabs.contains(where: { $0.tile == tile }) {
      state.sendHome(tile)
    }
    for grab in grabs { state.tiles[grab.tile].slot = nil }
  }

  /// The numbers of tiles that were picked up, dropped in a slot, and released elsewhere.
  public var measurements: [Measurement] {
    [
      Measurement("drags", Double(drags), unit: ""),
      Measurement("drops", Double(drops), unit: ""),
      Measurement("misses", Double(misses), unit: ""),
    ]
  }
}
