/// The value of a reading. Its type determines the columns of a block.
public protocol ReadingValue: Sendable {
  associatedtype Columns: ReadingColumns where Columns.Element == Self
}

extension Vector3: ReadingValue {
  public typealias Columns = VectorColumns
}

extension Fix: WholeValue {
  public typealias Columns = FixColumns

  public static func columns(of block: ChannelBlock) -> FixColumns? {
    if case .fix(let columns) = block { columns } else { nil }
  }
}

extension LocalPosition: WholeValue {
  public typealias Columns = LocalColumns

  public static func columns(of block: ChannelBlock) -> LocalColumns? {
    if case .local(let columns) = block { columns } else { nil }
  }
}

extension Scalar: WholeValue {
  public typealias Columns = ScalarColumns

  public static func columns(of block: ChannelBlock) -> ScalarColumns? {
    if case .scalar(let columns) = block { columns } else { nil }
  }
}

extension Heartbeat: WholeValue {
  public typealias Columns = HeartbeatColumns

  public static func columns(of block: ChannelBlock) -> HeartbeatColumns? {
    if case .heartbeat(let columns) = block { columns } else { nil }
  }
}

extension Action: WholeValue {
  public typealias Columns = ActionColumns

  public static func columns(of block: ChannelBlock) -> ActionColumns? {
    if case .action(let columns) = block { columns } else { nil }
  }
}

/// A block of readings of one channel as columns.
///
/// A block is a window on arrays that copies share. Slicing costs nothing, so a run can split
/// blocks at actions and deadlines.
public protocol ReadingColumns<Element>: Sendable {
  associatedtype Element: ReadingValue

  init()
  /// The window, as positions in the arrays.
  var range: Range<Int> { get }
  /// Measured times in ns; the arrays' positions are those of `range`.
  var measuredTimes: [Int64] { get }
  /// Arrival times in ns, or nil where every reading arrived when it was measured.
  var arrivedTimes: [Int64]? { get }
  /// When the reading at a position of `range` was measured.
  func measured(at position: Int) -> TraceInstant
  /// When the reading at a position of `range` arrived.
  func arrived(at position: Int) -> TraceInstant
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
  @inlinable public var count: Int { range.count }

  @inlinable public var isEmpty: Bool { range.isEmpty }

  @inlinable public func measured(at position: Int) -> TraceInstant {
    TraceInstant(nanoseconds: measuredTimes[position])
  }

  @inlinable public func arrived(at position: Int) -> TraceInstant {
    TraceInstant(nanoseconds: (arrivedTimes ?? measuredTimes)[position])
  }

  /// The first position of `range` that arrived after `instant`, or the range's end; the arrival
  /// times must not decrease. O(log n).
  @inlinable public func firstPosition(arrivedAfter instant: TraceInstant) -> Int {
    (arrivedTimes ?? measuredTimes)[range].partitioningIndex { $0 > instant.nanoseconds }
  }

  /// Removes and returns at most `limit` readings from the front.
  @inlinable public mutating func popFirst(_ limit: Int) -> Self {
    let end = range.lowerBound + min(limit, count)
    let head = self[range.lowerBound..<end]
    self = self[end..<range.upperBound]
    return head
  }
}

/// The times of a block: measured, and arrived where that differs.
///
/// ```swift
/// TimeColumns(measured: [0, 10_000_000]).arrived == nil  // true
/// ```
public struct TimeColumns: Sendable, Equatable {
  public internal(set) var measured: [Int64]
  public internal(set) var arrived: [Int64]?

  /// - Precondition: where `arrived` is given it is as long as `measured`.
  public init(measured: [Int64] = [], arrived: [Int64]? = nil) {
    precondition(arrived == nil || arrived?.count == measured.count)
    self.measured = measured
    self.arrived = arrived
  }

  @inlinable func arrival(at position: Int) -> TraceInstant {
    TraceInstant(nanoseconds: arrived?[position] ?? measured[position])
  }

  /// Starts an arrival column only when a reading first arrives at another time than measured.
  mutating func append(measured time: Int64, arrived arrival: Int64) {
    if arrived == nil, arrival != time { arrived = measured }
    measured.append(time)
    arrived?.append(arrival)
  }
}

/// Columns of three axes: acceleration, user acceleration, rotation rate.
///
/// ```swift
/// var columns = VectorColumns()
/// columns.append(Acceleration(x: 3, y: 4, z: 0), measured: 0, arrived: 20_000_000)
/// columns[0].magnitude  // 5.0
/// columns.arrived(at: 0).seconds  // 0.02
/// ```
public struct VectorColumns: ReadingColumns, Equatable {
  @usableFromInline struct Storage: Sendable, Equatable {
    @usableFromInline var times: TimeColumns
    @usableFromInline var x: [Float]
    @usableFromInline var y: [Float]
    @usableFromInline var z: [Float]
  }

  /// Always one element: the array is the box that all windows share, so a window keeps one
  /// reference instead of one per column. A paced run creates a window for every sample.
  @usableFromInline var box: [Storage]
  @usableFromInline var window: Range<Int>

  public init() { self.init(times: TimeColumns(), x: [], y: [], z: []) }

  /// - Precondition: all columns have one length.
  public init(times: TimeColumns, x: [Float], y: [Float], z: [Float]) {
    precondition(x.count == times.measured.count && y.count == x.count && z.count == x.count)
    box = [Storage(times: times, x: x, y: y, z: z)]
    window = 0..<x.count
  }

  public init?(_ block: ChannelBlock) {
    guard case .vector(let columns) = block else { return nil }
    self = columns
  }

  @inlinable init(box: [Storage], window: Range<Int>) {
    self.box = box
    self.window = window
  }

  @inlinable public var range: Range<Int> { window }
  @inlinable public var times: TimeColumns { box[0].times }
  @inlinable public var x: [Float] { box[0].x }
  @inlinable public var y: [Float] { box[0].y }
  @inlinable public var z: [Float] { box[0].z }
  @inlinable public var measuredTimes: [Int64] { box[0].times.measured }
  @inlinable public var arrivedTimes: [Int64]? { box[0].times.arrived }

  // Same as the default, without copying the reference to a whole column for one element.
  @inlinable public func measured(at position: Int) -> TraceInstant {
    TraceInstant(nanoseconds: box[0].times.measured[position])
  }

  @inlinable
  public func arrived(at position: Int) -> TraceInstant { box[0].times.arrival(at: position) }

  @inlinable public subscript(position: Int) -> Vector3 {
    Vector3(x: box[0].x[position], y: box[0].y[position], z: box[0].z[position])
  }

  @inlinable public subscript(bounds: Range<Int>) -> VectorColumns {
    precondition(range.lowerBound <= bounds.lowerBound && bounds.upperBound <= range.upperBound)
    return VectorColumns(box: box, window: bounds)
  }

  public mutating func append(_ element: Vector3, measured: Int64, arrived: Int64) {
    precondition(range == 0..<box[0].x.count)
    box[0].times.append(measured: measured, arrived: arrived)
    box[0].x.append(element.x)
    box[0].y.append(element.y)
    box[0].z.append(element.z)
    window = 0..<box[0].x.count
  }
}

/// A value that is stored whole, in one array next to the times. At a few readings per second, one
/// column per component brings no gain.
public protocol WholeValue: ReadingValue, Equatable {
  /// The columns of a block with this kind of value; nil if the block has other columns.
  static func columns(of block: ChannelBlock) -> ValueColumns<Self>?
}

/// Columns of whole values: position fixes, local positions, scalars, heartbeats, touches, actions.
///
/// ```swift
/// var fixes = FixColumns()
/// fixes.append(Fix(latitude: 47.4, longitude: 8.5), measured: 0, arrived: 300_000_000)
/// fixes.firstPosition(arrivedAfter: .zero)  // 0
/// fixes[0].latitude  // 47.4
/// ```
public struct ValueColumns<Value: WholeValue>: ReadingColumns, Equatable {
  public private(set) var times: TimeColumns
  public private(set) var values: [Value]
  public private(set) var range: Range<Int>

  public init() { self.init(times: TimeColumns(), values: []) }

  /// - Precondition: as many values as times.
  public init(times: TimeColumns, values: [Value]) {
    precondition(values.count == times.measured.count)
    self.times = times
    self.values = values
    range = 0..<values.count
  }

  public init?(_ block: ChannelBlock) {
    guard let columns = Value.columns(of: block) else { return nil }
    self = columns
  }

  public var measuredTimes: [Int64] { times.measured }
  public var arrivedTimes: [Int64]? { times.arrived }

  @inlinable public subscript(position: Int) -> Value { values[position] }

  public subscript(bounds: Range<Int>) -> ValueColumns {
    precondition(range.lowerBound <= bounds.lowerBound && bounds.upperBound <= range.upperBound)
    var copy = self
    copy.range = bounds
    return copy
  }

  public mutating func append(_ element: Value, measured: Int64, arrived: Int64) {
    precondition(range == 0..<values.count)
    times.append(measured: measured, arrived: arrived)
    values.append(element)
    range = 0..<values.count
  }
}

public typealias FixColumns = ValueColumns<Fix>
public typealias LocalColumns = ValueColumns<LocalPosition>
/// Columns of one value with an accuracy: heading, pressure, odometer.
public typealias ScalarColumns = ValueColumns<Scalar>
public typealias HeartbeatColumns = ValueColumns<Heartbeat>
public typealias TouchColumns = ValueColumns<Touch>
public typealias ActionColumns = ValueColumns<Action>

/// A block of any channel.
///
/// ```swift
/// ChannelBlock(emptyFor: .location) == .fix(FixColumns())  // true
/// ```
public enum ChannelBlock: Sendable, Equatable {
  case vector(VectorColumns)
  case fix(FixColumns)
  case local(LocalColumns)
  case scalar(ScalarColumns)
  case heartbeat(HeartbeatColumns)
  case touch(TouchColumns)
  case action(ActionColumns)

  /// An empty block of the columns that `channel` has.
  public init(emptyFor channel: Channel) {
    switch channel {
    case .acceleration, .userAcceleration, .rotationRate: self = .vector(VectorColumns())
    case .location: self = .fix(FixColumns())
    case .local: self = .local(LocalColumns())
    case .heading, .pressure, .odometer: self = .scalar(ScalarColumns())
    case .heartbeat: self = .heartbeat(HeartbeatColumns())
    case .touch: self = .touch(TouchColumns())
    case .action: self = .action(ActionColumns())
    }
  }

  public var range: Range<Int> {
    switch self {
    case .vector(let columns): columns.range
    case .fix(let columns): columns.range
    case .local(let columns): columns.range
    case .scalar(let columns): columns.range
    case .heartbeat(let columns): columns.range
    case .touch(let columns): columns.range
    case .action(let columns): columns.range
    }
  }

  public var count: Int { range.count }
  public var isEmpty: Bool { range.isEmpty }

  public var measuredTimes: [Int64] { times.measured }
  public var arrivedTimes: [Int64]? { times.arrived }

  private var times: TimeColumns {
    switch self {
    case .vector(let columns): columns.times
    case .fix(let columns): columns.times
    case .local(let columns): columns.times
    case .scalar(let columns): columns.times
    case .heartbeat(let columns): columns.times
    case .touch(let columns): columns.times
    case .action(let columns): columns.times
    }
  }

  public subscript(bounds: Range<Int>) -> ChannelBlock {
    switch self {
    case .vector(let columns): .vector(columns[bounds])
    case .fix(let columns): .fix(columns[bounds])
    case .local(let columns): .local(columns[bounds])
    case .scalar(let columns): .scalar(columns[bounds])
    case .heartbeat(let columns): .heartbeat(columns[bounds])
    case .touch(let columns): .touch(columns[bounds])
    case .action(let columns): .action(columns[bounds])
    }
  }

  /// The value at a position of `range`.
  public func value(at position: Int) -> Reading.Value {
    switch self {
    case .vector(let columns): .vector(columns[position])
    case .fix(let columns): .fix(columns[position])
    case .local(let columns): .local(columns[position])
    case .scalar(let columns): .scalar(columns[position])
    case .heartbeat(let columns): .heartbeat(columns[position])
    case .touch(let columns): .touch(columns[position])
    case .action(let columns): .action(columns[position])
    }
  }
}
