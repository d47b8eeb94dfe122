public import TraceModel

/// Marks in a recording's readings, to find other recordings of the same readings.
///
/// A mark is a hash of ten readings in a row, values without times. Which of them are marked depends on
/// the values alone (winnowing: Schleimer, Wilkerson and Aiken, SIGMOD 2003, doi
/// 10.1145/872757.872770), so that a copy that was cut or moved in time has the same marks where it has
/// the same readings.
///
/// Values count at the resolution of sensors, so that a copy in another format is the same. Readings
/// that mostly repeat one of the four before them have no mark: any two sensors that lie still, or are
/// broken, have those in common. Only vectors and positions are marked: other readings are counts or
/// messages, which two people may share.
public struct ReadingMarks: Sendable, Equatable {
  /// The number of readings of a mark.
  static let length = 10
  /// One of this many neighbouring places is marked.
  static let spacing = 6
  /// The minimum number of readings of a mark that differ from the four before them.
  private static let fewestFresh = 8

  /// The channel of the readings.
  public let channel: Channel
  private(set) var hashes: [UInt64] = []
  /// The position of the first reading of each mark, from 0.
  private(set) var positions: [UInt32] = []
  /// Its measured time, in ms; a time outside of the first 49 days is clamped.
  private(set) var milliseconds: [UInt32] = []

  /// - Complexity: O(n) for n readings; about 5 bytes for each.
  public init(of trace: Trace, channel: Channel) {
    self.channel = channel
    guard let block = trace[channel] else { return }
    switch block {
    case .vector(let columns):
      let scale = channel == .rotationRate ? 1e3 : 1e2
      mark(columns.range, columns.measuredTimes) { position in
        let (x, y, z) = (columns.x[position], columns.y[position], columns.z[position])
        return hash(step(Double(x), scale), step(Double(y), scale), step(Double(z), scale))
      }
    case .fix(let columns):
      mark(columns.range, columns.measuredTimes) { position in
        let fix = columns[position]
        return hash(step(fix.latitude, 1e6), step(fix.longitude, 1e6), 0)
      }
    case .local(let columns):
      mark(columns.range, columns.measuredTimes) { position in
        let place = columns[position]
        return hash(step(place.x, 1e2), step(place.y, 1e2), 0)
      }
    case .scalar, .heartbeat, .touch, .action: break
    }
  }

  private mutating func mark(_ range: Range<Int>, _ times: [Int64], hash: (Int) -> UInt64) {
    var rows = RowWindow()
    for position in range {
      guard let mark = rows.push(hash(position)) else { continue }
      let first = position - mark.age - Self.length + 1
      hashes.append(mark.hash)
      positions.append(UInt32(truncatingIfNeeded: first - range.lowerBound))
      milliseconds.append(UInt32(clamping: times[first] / 1_000_000))
    }
  }

  /// The last readings as hashes, and which of the last places has the mark.
  private struct RowWindow {
    private var rows = [UInt64](repeating: 0, count: ReadingMarks.length)
    private var isFresh = [Bool](repeating: false, count: ReadingMarks.length)
    private var freshCount = 0
    private var gram: UInt64 = 0
    /// The hashes of the last places; `.max` = too few fresh readings.
    private var grams = [UInt64](repeating: .max, count: ReadingMarks.spacing)
    private var count = 0
    /// The number of the marked place; -1 = none.
    private var marked = -1

    private static let base: UInt64 = 0x9e37_79b9_7f4a_7c15
    private static let highest = (0...ReadingMarks.length).reduce(UInt64(1)) { power, _ in
      power &* base
    }

    /// Returns a new mark and how many readings ago it ended; nil = there is none.
    mutating func push(_ row: UInt64) -> (hash: UInt64, age: Int)? {
      let slot = count % ReadingMarks.length
      let fresh = isNew(row)
      freshCount += (fresh ? 1 : 0) - (isFresh[slot] ? 1 : 0)
      // Each step multiplies a reading by the base once more.
      gram = (gram &+ row) &* Self.base &- rows[slot] &* Self.highest
      (rows[slot], isFresh[slot]) = (row, fresh)
      count += 1
      guard count >= ReadingMarks.length else { return nil }
      let place = count - ReadingMarks.length
      let value = freshCount >= ReadingMarks.fewestFresh ? gram : .max
      grams[place % ReadingMarks.spacing] = value
      guard place >= ReadingMarks.spacing - 1 else { return nil }
      return select(place)
    }

    /// Whether a reading is unlike the four before it.
    private func isNew(_ row: UInt64) -> Bool {
      for back in 1...4 where count >= back {
        if rows[(count - back) % ReadingMarks.length] == row { return false }
      }
      return true
    }

    /// Marks the lowest of the last places, the later one of two.
    private mutating func select(_ place: Int) -> (hash: UInt64, age: Int)? {
      var (lowest, at) = (UInt64.max, -1)
      for age in 0..<ReadingMarks.spacing {
        let value = grams[(place - age) % ReadingMarks.spacing]
        if value < lowest { (lowest, at) = (value, place - age) }
      }
      guard at >= 0, at != marked else { return nil }
      marked = at
      return (lowest, place - at)
    }
  }
}

/// A value in steps of a sensor's resolution, whose bounds avoid the short decimals of formats.
private func step(_ value: Double, _ scale: Double) -> Int64 {
  let steps = (value * scale + 0.381_966).rounded(.down)
  return steps.isNaN ? .min : Int64(min(max(steps, -9e15), 9e15))
}

/// Stafford's thirteenth mix of the values ("Better bit mixing", 2011), as in SplitMix64.
private func hash(_ x: Int64, _ y: Int64, _ z: Int64) -> UInt64 {
  var bits = UInt64(bitPattern: x) &* 0x9e37_79b9_7f4a_7c15
  bits = (bits ^ (bits >> 30)) &+ UInt64(bitPattern: y) &* 0xbf58_476d_1ce4_e5b9
  bits = (bits ^ (bits >> 27)) &+ UInt64(bitPattern: z) &* 0x94d0_49bb_1331_11eb
  bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
  bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
  return bits ^ (bits >> 31)
}

/// Readings that two recordings have in common.
public struct SharedReadings: Hashable, Sendable {
  /// The recordings, as positions in the given ones.
  public var first: Int
  public var second: Int
  /// The approximate start of the common readings, on the axis of each recording.
  public var firstStart: TraceInstant
  public var secondStart: TraceInstant
  /// The approximate number of common readings, at least 25.
  public var count: Int

  /// This many equal readings in a row are always found: a second at 40 Hz.
  public static let surelyFound = 40
  /// The minimum number of readings from the first mark to the last: fewer may agree by chance.
  private static let shortest = 25

  /// Returns the recordings of different owners that share readings: one for each pair, with the longest
  /// stretch, in their order. It finds equal recordings, and those with ``surelyFound`` readings or more
  /// in a row in common, whatever their times. It does not find copies that are resampled, rotated,
  /// filtered or in other units.
  ///
  /// A recording is compared with the first one that has the readings, so each copy is found once.
  /// - Parameter recordings: the person, or the group that stays together, and the marks.
  /// - Complexity: O(n) for n marks.
  public static func pairs(
    _ recordings: [(owner: String, marks: ReadingMarks)]
  ) -> [SharedReadings] {
    guard Set(recordings.map(\.owner)).count > 1 else { return [] }
    var firsts: [UInt64: Place] = [:]
    firsts.reserveCapacity(recordings.reduce(0) { $0 + $1.marks.hashes.count })
    var longest: [Int: [Int: SharedReadings]] = [:]
    for (second, recording) in recordings.enumerated() {
      var run: Run?
      for (index, hash) in recording.marks.hashes.enumerated() {
        guard let place = firsts[hash] else {
          firsts[hash] = Place(recording: UInt32(second), mark: UInt32(index))
          continue
        }
        let first = Int(place.recording)
        guard recordings[first].owner != recording.owner else { continue }
        run.extend(
          (first, Int(place.mark), recordings[first].marks), (second, index, recording.marks))
        guard let found = run?.shared, found.count >= shortest else { continue }
        if found.count > longest[second]?[first]?.count ?? 0 {
          longest[second, default: [:]][first] = found
        }
      }
    }
    return longest.values.flatMap(\.values).sorted { ($0.second, $0.first) < ($1.second, $1.first) }
  }

  private struct Place {
    var recording: UInt32
    var mark: UInt32
  }

  /// Marks with the same distance in both recordings, one soon after the other.
  fileprivate struct Run {
    var shared: SharedReadings
    var distance: Int
    var start: Int
    var last: Int
  }
}

extension SharedReadings.Run? {
  fileprivate mutating func extend(
    _ first: (recording: Int, mark: Int, marks: ReadingMarks),
    _ second: (recording: Int, mark: Int, marks: ReadingMarks)
  ) {
    let position = Int(second.marks.positions[second.mark])
    let distance = position - Int(first.marks.positions[first.mark])
    if let run = self, run.shared.first == first.recording, run.distance == distance,
      position - run.last <= 2 * ReadingMarks.spacing
    {
      self?.last = position
      self?.shared.count = position - run.start + ReadingMarks.length
      return
    }
    func time(_ place: (recording: Int, mark: Int, marks: ReadingMarks)) -> TraceInstant {
      TraceInstant(nanoseconds: Int64(place.marks.milliseconds[place.mark]) * 1_000_000)
    }
    self = SharedReadings.Run(
      shared: SharedReadings(
        first: first.recording, second: second.recording, firstStart: time(first),
        secondStart: time(second), count: ReadingMarks.length),
      distance: distance, start: position, last: position)
  }
}
