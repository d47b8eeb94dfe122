public import Detectors
public import TraceModel

/// The result of a delivery by a ``DetectorBank``.
///
/// It has four words, so it is returned in registers. Returned in memory, its parts would be stored
/// and then loaded with others, which waits for the store.
@usableFromInline
struct BankDelivery: Sendable {
  /// The detector's deadline in ns; `Int64.max` = none.
  @usableFromInline let deadline: Int64
  /// The position after the delivered readings.
  @usableFromInline let position: Int
  /// When the reading there arrives in ns.
  @usableFromInline let arrival: Int64
  @usableFromInline let flags: UInt8

  /// Whether the block has no reading there.
  var isExhausted: Bool { flags & 1 != 0 }
  var hasDetections: Bool { flags & 2 != 0 }

  @inlinable init(status: DetectorStatus, position: Int, arrival: Int64, isExhausted: Bool) {
    deadline = status.deadline
    self.position = position
    self.arrival = arrival
    flags = (isExhausted ? 1 : 0) | (status.hasDetections ? 2 : 0)
  }
}

/// Running detectors of one type, side by side, with their type erased.
///
/// It is the ``DetectorWorker`` of many streams: one set of closures for all, each with the
/// stream's place in the bank as its first parameter. A step of a large fleet mostly waits for
/// memory. Here it needs the cache lines of one detector, and none for closures and boxes of its
/// own.
@usableFromInline
final class DetectorBank {
  /// Ingests the reading at a position of the loaded block, and all that arrive with it at `time`.
  @usableFromInline let deliver: (_ place: Int, _ position: Int, _ time: Int64) -> BankDelivery
  @usableFromInline let call: (_ place: Int, DetectorCall) -> DetectorStatus
  /// The last cache line of the first state, and the bytes to that of the next.
  @usableFromInline let lines: (first: UnsafeRawPointer, stride: Int)
  /// Loads the next block; false = it has other columns.
  @usableFromInline let load: (_ place: Int, ChannelBlock) -> Bool
  /// Appends the detections since the last call, on the device's own axis.
  @usableFromInline let take: (_ place: Int, DeviceID, inout [DetectionRecord]) -> Void
  @usableFromInline let measurements: (_ place: Int) -> [Measurement]

  @inlinable init(
    lines: (first: UnsafeRawPointer, stride: Int),
    deliver: @escaping (_ place: Int, _ position: Int, _ time: Int64) -> BankDelivery,
    call: @escaping (_ place: Int, DetectorCall) -> DetectorStatus,
    load: @escaping (_ place: Int, ChannelBlock) -> Bool,
    take: @escaping (_ place: Int, DeviceID, inout [DetectionRecord]) -> Void,
    measurements: @escaping (_ place: Int) -> [Measurement]
  ) {
    (self.lines, self.deliver, self.call) = (lines, deliver, call)
    (self.load, self.take, self.measurements) = (load, take, measurements)
  }

  /// Copies the states of detectors; the boxes are not needed afterwards. A function instead of an
  /// initializer, because a class of Embedded Swift cannot have a generic initializer.
  /// - Parameter boxes: each a `DetectorBox<D>`.
  @inlinable static func of<D: Detector>(_ type: D.Type, boxes: [AnyObject]) -> DetectorBank {
    let states = DetectorStates<D>(boxes)
    let end = UnsafeRawPointer(states[0]) + MemoryLayout<DetectorState<D>>.stride
    return DetectorBank(
      lines: (end - 64, states.stride),
      deliver: { states[$0].pointee.deliver(from: $1, at: $2) },
      call: { states[$0].pointee.perform($1) },
      load: { states[$0].pointee.load($1) },
      take: { states[$0].pointee.take(device: $1, into: &$2) },
      measurements: { states[$0].pointee.detector.measurements })
  }
}

/// The states of a bank's detectors.
///
/// It owns its memory instead of an array: in a class, each access to an array's element costs two
/// checks, for exclusive access and for a unique reference. The bank's places come from its own
/// timeline and are those of `boxes`.
///
/// Each state ends at the end of a cache line. That line has its last fields: the block, the
/// detections, and what the detector declares last.
@usableFromInline
final class DetectorStates<D: Detector> {
  /// Where the first state is.
  @usableFromInline let first: UnsafeMutableRawPointer
  /// The bytes between two states.
  @usableFromInline let stride: Int
  @usableFromInline let count: Int

  @inlinable init(_ boxes: [AnyObject]) {
    let line = 64
    count = boxes.count
    stride = (MemoryLayout<DetectorState<D>>.stride + line - 1) / line * line
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1) * stride, alignment: line)
    first = bytes + (stride - MemoryLayout<DetectorState<D>>.stride)
    for (place, box) in boxes.enumerated() {
      guard let box = box as? DetectorBox<D> else { preconditionFailure("another detector") }
      (first + place * stride).initializeMemory(as: DetectorState<D>.self, to: box.state)
    }
  }

  @inlinable subscript(place: Int) -> UnsafeMutablePointer<DetectorState<D>> {
    (first + place &* stride).assumingMemoryBound(to: DetectorState<D>.self)
  }

  @inlinable deinit {
    for place in 0..<count { self[place].deinitialize(count: 1) }
    (first - (stride - MemoryLayout<DetectorState<D>>.stride)).deallocate()
  }
}

extension DetectorState {
  /// Ingests the reading at `position`, which arrives at `time`, and all that arrive with it.
  @inlinable mutating func deliver(from position: Int, at time: Int64) -> BankDelivery {
    let end = block.range.upperBound
    var next = position + 1
    var arrival = Int64.max
    if next < end {
      arrival = block.arrived(at: next).nanoseconds
      if arrival == time { (next, arrival) = group(from: next) }
    }
    let status = ingest(position..<next)
    return BankDelivery(
      status: status, position: next, arrival: arrival, isExhausted: next == end)
  }

  /// Returns the end of the readings that arrive with the one at `position`, and the arrival there.
  @inlinable
  @inline(never)
  func group(from position: Int) -> (end: Int, arrival: Int64) {
    let instant = block.arrived(at: position)
    for next in position..<block.range.upperBound where block.arrived(at: next) != instant {
      return (next, block.arrived(at: next).nanoseconds)
    }
    return (block.range.upperBound, .max)
  }
}
