/// The value of a reading, which knows the columns that blocks of it have.
public protocol ReadingValue: Sendable {
  associatedtype Columns: ReadingColumns where Columns.Element == Self

  /// This value of a reading, if the reading has this kind of value.
  init?(_ value: Reading.Value)
}

extension Vector3: ReadingValue {
  public typealias Columns = VectorColumns

  @inlinable
  public init?(_ value: Reading.Value) {
    guard case .vector(let vector) = value else { return nil }
    self = vector
  }
}

extension Fix: ReadingValue {
  public typealias Columns = FixColumns

  @inlinable
  public init?(_ value: Reading.Value) {
    guard case .fix(let fix) = value else { return nil }
    self = fix
  }
}

extension Scalar: ReadingValue {
  public typealias Columns = ScalarColumns

  @inlinable
  public init?(_ value: Reading.Value) {
    guard case .scalar(let scalar) = value else { return nil }
    self = scalar
  }
}

extension Action: ReadingValue {
  public typealias Columns = ActionColumns

  @inlinable
  public init?(_ value: Reading.Value) {
    guard case .action(let action) = value else { return nil }
    self = action
  }
}

/// A block of readings of one channel as columns.
///
/// A block is a window on arrays that are shared between copies: slicing costs nothing, which is
/// what lets a run split blocks at actions and deadlines.
public protocol ReadingColumns<Element>: Sendable {
  associatedtype Element: ReadingValue

  /// An empty block.
  init()
  /// The window, as positions in the arrays.
  var range: Range<Int> { get }
  /// Measured times in ns; the arrays' positions are those of `range`.
  var measuredTimes: [Int64] { get }
  /// Arrival times in ns, or nil where every reading arrived when it was measured.
  var arrivedTimes: [Int64]? { get }
  /// The reading's value at a position of `range`.
  subscript(position: Int) -> Element { get }
  /// The same arrays seen through a narrower window. `bounds` must lie within `range`.
  subscript(bounds: Range<Int>) -> Self { get }
  /// This block of a channel, if the channel has this kind of columns.
  init?(_ block: ChannelBlock)
  /// Adds a reading at the end; the block must be whole, not a window.
  mutating func append(_ element: Element, measured: Int64, arrived: Int64)
}

extension ReadingColumns {
  @inlinable
  public var count: Int { range.count }

  @inlinable
  public var isEmpty: Bool { range.isEmpty }

  @inlinable
  public func measured(at position: Int) -> TraceInstant {
    TraceInstant(nanoseconds: measuredTimes[position])
  }

  @inlinable
  public func arrived(at position: Int) -> TraceInstant {
    TraceInstant(nanoseconds: (arrivedTimes ?? measuredTimes)[position])
  }

  /// The first position of `range` that arrived after `instant`, or the range's end; the arrival
  /// times must not decrease. O(log n).
  public func firstPosition(arrivedAfter instant: TraceInstant) -> Int {
    let times = arrivedTimes ?? measuredTimes
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if times[middle] > instant.nanoseconds { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The first `limit` readings at most, taken off the front.
  public mutating func popFirst(_ limit: Int) -> Self {
    let end = min(range.lowerBound + limit, range.upperBound)
    let head = self[range.lowerBound..<end]
    self = self[end..<range.upperBound]
    return head
  }
}

/// The times of a block: measured, and arrived where that differs.
public struct TimeColumns: Sendable, Equatable {
  public internal(set) var measured: [Int64]
  public internal(set) var arrived: [Int64]?

  /// - Precondition: where `arrived` is given it is as long as `measured`.
  public init(measured: [Int64] = [], arrived: [Int64]? = nil) {
    precondition(arrived == nil || arrived?.count == measured.count)
    self.measured = measured
    self.arrived = arrived
  }

  /// Starts an arrival column only when a reading first arrives at another time than measured.
  mutating func append(measured time: Int64, arrived arrival: Int64) {
    if arrived == nil, arrival != time { arrived = measured }
    measured.append(time)
    arrived?.append(arrival)
  }
}

/// Columns of three axes: acceleration, user acceleration, rotation rate.
public struct VectorColumns: ReadingColumns, Equatable {
  public private(set) var times: TimeColumns
  public private(set) var x: [Float]
  public private(set) var y: [Float]
  public private(set) var z: [Float]
  public private(set) var range: Range<Int>

  public init() {
    self.init(times: TimeColumns(), x: [], y: [], z: [])
  }

  /// - Precondition: all columns have one length.
  public init(times: TimeColumns, x: [Float], y: [Float], z: [Float]) {
    precondition(x.count == times.measured.count && y.count == x.count && z.count == x.count)
    self.times = times
    self.x = x
    self.y = y
    self.z = z
    range = 0..<x.count
  }

  public init?(_ block: ChannelBlock) {
    guard case .vector(let columns) = block else { return nil }
    self = columns
  }

  public var measuredTimes: [Int64] { times.measured }
  public var arrivedTimes: [Int64]? { times.arrived }

  @inlinable
  public subscript(position: Int) -> Vector3 {
    Vector3(x: x[position], y: y[position], z: z[position])
  }

  public subscript(bounds: Range<Int>) -> VectorColumns {
    precondition(range.lowerBound <= bounds.lowerBound && bounds.upperBound <= range.upperBound)
    var copy = self
    copy.range = bounds
    return copy
  }

  public mutating func append(_ element: Vector3, measured: Int64, arrived: Int64) {
    precondition(range == 0..<x.count)
    times.append(measured: measured, arrived: arrived)
    x.append(element.x)
    y.append(element.y)
    z.append(element.z)
    range = 0..<x.count
  }
}

/// Columns of position fixes.
public struct FixColumns: ReadingColumns, Equatable {
  public private(set) var times: TimeColumns
  public private(set) var fixes: [Fix]
  public private(set) var range: Range<Int>

  public init() {
    self.init(times: TimeColumns(), fixes: [])
  }

  /// - Precondition: as many fixes as times.
  public init(times: TimeColumns, fixes: [Fix]) {
    precondition(fixes.count == times.measured.count)
    self.times = times
    self.fixes = fixes
    range = 0..<fixes.count
  }

  public init?(_ block: ChannelBlock) {
    guard case .fix(let columns) = block else { return nil }
    self = columns
  }

  public var measuredTimes: [Int64] { times.measured }
  public var arrivedTimes: [Int64]? { times.arrived }

  @inlinable
  public subscript(position: Int) -> Fix { fixes[position] }

  public subscript(bounds: Range<Int>) -> FixColumns {
    precondition(range.lowerBound <= bounds.lowerBound && bounds.upperBound <= range.upperBound)
    var copy = self
    copy.range = bounds
    return copy
  }

  public mutating func append(_ element: Fix, measured: Int64, arrived: Int64) {
    precondition(range == 0..<fixes.count)
    times.append(measured: measured, arrived: arrived)
    fixes.append(element)
    range = 0..<fixes.count
  }
}

/// Columns of one value with an accuracy: heading, pressure, odometer.
public struct ScalarColumns: ReadingColumns, Equatable {
  public private(set) var times: TimeColumns
  public private(set) var scalars: [Scalar]
  public private(set) var range: Range<Int>

  public init() {
    self.init(times: TimeColumns(), scalars: [])
  }

  /// - Precondition: as many values as times.
  public init(times: TimeColumns, scalars: [Scalar]) {
    precondition(scalars.count == times.measured.count)
    self.times = times
    self.scalars = scalars
    range = 0..<scalars.count
  }

  public init?(_ block: ChannelBlock) {
    guard case .scalar(let columns) = block else { return nil }
    self = columns
  }

  public var measuredTimes: [Int64] { times.measured }
  public var arrivedTimes: [Int64]? { times.arrived }

  @inlinable
  public subscript(position: Int) -> Scalar { scalars[position] }

  public subscript(bounds: Range<Int>) -> ScalarColumns {
    precondition(range.lowerBound <= bounds.lowerBound && bounds.upperBound <= range.upperBound)
    var copy = self
    copy.range = bounds
    return copy
  }

  public mutating func append(_ element: Scalar, measured: Int64, arrived: Int64) {
    precondition(range == 0..<scalars.count)
    times.append(measured: measured, arrived: arrived)
    scalars.append(element)
    range = 0..<scalars.count
  }
}

/// Columns of actions.
public struct ActionColumns: ReadingColumns, Equatable {
  public private(set) var times: TimeColumns
  public private(set) var actions: [Action]
  public private(set) var range: Range<Int>

  public init() {
    self.init(times: TimeColumns(), actions: [])
  }

  /// - Precondition: as many actions as times.
  public init(times: TimeColumns, actions: [Action]) {
    precondition(actions.count == times.measured.count)
    self.times = times
    self.actions = actions
    range = 0..<actions.count
  }

  public init?(_ block: ChannelBlock) {
    guard case .action(let columns) = block else { return nil }
    self = columns
  }

  public var measuredTimes: [Int64] { times.measured }
  public var arrivedTimes: [Int64]? { times.arrived }

  @inlinable
  public subscript(position: Int) -> Action { actions[position] }

  public subscript(bounds: Range<Int>) -> ActionColumns {
    precondition(range.lowerBound <= bounds.lowerBound && bounds.upperBound <= range.upperBound)
    var copy = self
    copy.range = bounds
    return copy
  }

  public mutating func append(_ element: Action, measured: Int64, arrived: Int64) {
    precondition(range == 0..<actions.count)
    times.append(measured: measured, arrived: arrived)
    actions.append(element)
    range = 0..<actions.count
  }
}

/// A block of any channel.
public enum ChannelBlock: Sendable, Equatable {
  case vector(VectorColumns)
  case fix(FixColumns)
  case scalar(ScalarColumns)
  case action(ActionColumns)

  /// An empty block of the columns that `channel` has.
  public init(emptyFor channel: Channel) {
    switch channel {
    case .acceleration, .userAcceleration, .rotationRate: self = .vector(VectorColumns())
    case .location: self = .fix(FixColumns())
    case .heading, .pressure, .odometer: self = .scalar(ScalarColumns())
    case .action: self = .action(ActionColumns())
    }
  }

  private var columns: any ReadingColumns {
    switch self {
    case .vector(let columns): columns
    case .fix(let columns): columns
    case .scalar(let columns): columns
    case .action(let columns): columns
    }
  }

  public var range: Range<Int> { columns.range }
  public var count: Int { columns.range.count }
  public var isEmpty: Bool { columns.range.isEmpty }
  public var measuredTimes: [Int64] { columns.measuredTimes }
  public var arrivedTimes: [Int64]? { columns.arrivedTimes }

  public subscript(bounds: Range<Int>) -> ChannelBlock {
    switch self {
    case .vector(let columns): .vector(columns[bounds])
    case .fix(let columns): .fix(columns[bounds])
    case .scalar(let columns): .scalar(columns[bounds])
    case .action(let columns): .action(columns[bounds])
    }
  }

  /// The value at a position of `range`.
  public func value(at position: Int) -> Reading.Value {
    switch self {
    case .vector(let columns): .vector(columns[position])
    case .fix(let columns): .fix(columns[position])
    case .scalar(let columns): .scalar(columns[position])
    case .action(let columns): .action(columns[position])
    }
  }
}

// Blocks are gathered first and joined once, so that each column is allocated once and a single
// block, the usual case, is not copied at all.
extension ChannelBlock {
  /// The blocks of a channel one after the other; nil = one of them is of another kind of channel.
  init?(joining blocks: [ChannelBlock], of channel: Channel) {
    switch ChannelBlock(emptyFor: channel) {
    case .vector:
      guard let parts = [VectorColumns](blocks) else { return nil }
      self = .vector(parts.only ?? VectorColumns(joining: parts))
    case .fix:
      guard let parts = [FixColumns](blocks) else { return nil }
      self = .fix(parts.only ?? FixColumns(joining: parts))
    case .scalar:
      guard let parts = [ScalarColumns](blocks) else { return nil }
      self = .scalar(parts.only ?? ScalarColumns(joining: parts))
    case .action:
      guard let parts = [ActionColumns](blocks) else { return nil }
      self = .action(parts.only ?? ActionColumns(joining: parts))
    }
  }
}

extension Array where Element: ReadingColumns {
  /// nil = one of the blocks has other columns.
  fileprivate init?(_ blocks: [ChannelBlock]) {
    self = blocks.compactMap { Element($0) }
    guard count == blocks.count else { return nil }
  }

  /// The only block, if there is one block.
  fileprivate var only: Element? { count == 1 ? first : nil }
}

extension TimeColumns {
  fileprivate init(joining parts: [some ReadingColumns]) {
    self.init(measured: parts.flatMap { $0.measuredTimes[$0.range] })
    guard parts.contains(where: { $0.arrivedTimes != nil }) else { return }
    arrived = parts.flatMap { ($0.arrivedTimes ?? $0.measuredTimes)[$0.range] }
  }
}

extension VectorColumns {
  fileprivate init(joining parts: [VectorColumns]) {
    self.init(
      times: TimeColumns(joining: parts), x: parts.flatMap { $0.x[$0.range] },
      y: parts.flatMap { $0.y[$0.range] }, z: parts.flatMap { $0.z[$0.range] })
  }
}

extension FixColumns {
  fileprivate init(joining parts: [FixColumns]) {
    self.init(
      times: TimeColumns(joining: parts), fixes: parts.flatMap { $0.fixes[$0.range] })
  }
}

extension ScalarColumns {
  fileprivate init(joining parts: [ScalarColumns]) {
    self.init(
      times: TimeColumns(joining: parts), scalars: parts.flatMap { $0.scalars[$0.range] })
  }
}

extension ActionColumns {
  fileprivate init(joining parts: [ActionColumns]) {
    self.init(
      times: TimeColumns(joining: parts), actions: parts.flatMap { $0.actions[$0.range] })
  }
}
