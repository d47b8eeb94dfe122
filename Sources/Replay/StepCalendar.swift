import TraceModel

/// A priority queue of steps for many streams: a calendar of buckets by time for near steps, and a
/// heap for the others.
///
/// The order is that of ``StepKey``. Devices of one rate recur after about a period: taking the
/// first key and inserting the next one of its stream then costs two moves of 16 bytes, in sequence,
/// and independently of the number of streams; a heap of 100,000 streams costs 17 dependent
/// comparisons. At worst, if the times are very uneven, it is O(log n), and where few streams are left,
/// n/256 words are searched.
///
/// (R. Brown, "Calendar queues", Communications of the ACM 31, 1988, doi:10.1145/63039.63045. There,
/// the buckets are resized as the queue grows. Here, the number of streams is known, and only the
/// width grows, so it cannot swing.)
final class StepCalendar {
  /// The earliest key; `StepKey.none` = empty.
  private(set) var earliest = StepKey.none
  /// Whether `earliest` is in `others`.
  private var isOther = false
  /// The keys of the opened buckets, ascending, and `StepKey.none` after them; from `head` on they
  /// are not taken yet.
  private let opened: UnsafeMutablePointer<StepKey>
  private var head = 0
  private var openedCount = 0
  /// Keys that were before or after the buckets when they came, e.g. before the end of the opened ones.
  private var others = StepHeap()
  /// The first of `others`; `StepKey.none` = empty.
  private var firstOther = StepKey.none
  /// Keys of the bucket `current` and of those less than one round after it.
  private let buckets: KeyBuckets
  /// The number of the first bucket that is not opened.
  private var current: UInt64 = 0
  /// The width of a bucket, as a power of two in ns; at least 1, so that numbers do not overflow.
  private var shift: UInt64
  /// Recent counts: keys that came after the last bucket, and opened ones.
  private var traffic = (far: 0, opened: 0)
  private let capacity: Int

  /// - Parameter keys: the largest number of keys that are ever in the calendar.
  init(_ keys: [StepKey]) {
    capacity = keys.count
    opened = .allocate(capacity: keys.count + 1 + KeyBuckets.slack)
    opened[0] = .none
    buckets = KeyBuckets(capacity: keys.count)
    let sorted = keys.sorted()
    shift = StepCalendar.shift(for: sorted)
    if let start = sorted.first { current = number(of: start) }
    for key in sorted { insert(key) }
    _ = settle()
  }

  deinit { opened.deallocate() }

  /// Some keys for each bucket, so that few buckets are empty and few keys are sorted.
  private static var keysPerBucket: UInt64 { 8 }

  /// Returns the width for the densest of the first keys: a part of the streams may be slow.
  private static func shift(for sorted: [StepKey]) -> UInt64 {
    guard sorted.count > 1 else { return 1 }
    let last = sorted.count - 1
    let places = [0, last / 8, last / 4, last / 2, last]
    let gap = zip(places, places.dropFirst()).filter { $0 < $1 }.map { from, to in
      sorted[to].time.subtractingClamped(sorted[from].time) / Int64(to - from)
    }.min()
    let width = UInt64(min(gap ?? 0, .max / 16)) * keysPerBucket
    return UInt64(max(63 - (width | 2).leadingZeroBitCount, 1))
  }

  var first: StepKey? { earliest == .none ? nil : earliest }

  /// The keys that come next, unless others are inserted before them.
  var upcoming: UnsafeBufferPointer<StepKey> {
    UnsafeBufferPointer(start: opened + head, count: openedCount - head)
  }

  /// Removes the first key, and inserts the next one of its stream, which may be earlier.
  /// - Returns: whether `upcoming` is new.
  /// - Precondition: the calendar is not empty.
  func replaceFirst(by key: StepKey?) -> Bool {
    if isOther {
      others.removeFirst()
      firstOther = others.first ?? .none
    } else {
      head &+= 1
    }
    if let key { insert(key) }
    return settle()
  }

  /// The number of a key's bucket, counted from the earliest time there is.
  private func number(of key: StepKey) -> UInt64 {
    (UInt64(bitPattern: key.time) ^ 1 << 63) &>> shift
  }

  private func insert(_ key: StepKey) {
    let number = number(of: key)
    guard number &- current < UInt64(buckets.count) else { return insertOther(key, number) }
    buckets.insert(key, at: number)
  }

  @inline(never)
  private func insertOther(_ key: StepKey, _ number: UInt64) {
    others.insert(key)
    firstOther = others.first ?? .none
    guard number > current else { return }
    traffic.far += 1
    if traffic.far > max(capacity, traffic.opened), shift < 63 { widen() }
  }

  /// Doubles the width: most keys come after the last bucket.
  private func widen() {
    var keys: [StepKey] = []
    while let number = buckets.next(from: current) { keys += buckets.take(number) }
    while let key = others.first {
      keys.append(key)
      others.removeFirst()
    }
    firstOther = .none
    shift += 1
    current = current / 2 + current % 2
    traffic = (0, 0)
    for key in keys { insert(key) }
  }

  /// Updates the earliest key. Opens the next buckets if needed, and returns whether it tried.
  private func settle() -> Bool {
    let opens = head == openedCount
    if opens { openNext() }
    let next = opened[head]
    isOther = firstOther < next
    earliest = isOther ? firstOther : next
    return opens
  }

  private func openNext() {
    head = 0
    openedCount = 0
    // Opens several, so that there are some upcoming keys.
    while let number = buckets.next(from: current),
      openedCount == 0 || openedCount + buckets.count(of: number) <= 4 * StepCalendar.keysPerBucket
    {
      openedCount += buckets.move(number, to: opened + openedCount)
      current = number + 1
    }
    opened[openedCount] = .none
    traffic.opened += openedCount
    if traffic.opened > 4 * capacity { traffic = (0, 0) }
    if openedCount > 0 {
      sortOpened()
    } else if firstOther != .none {
      current = max(current, number(of: firstOther))
    }
  }

  private func sortOpened() {
    var index = 1
    while index < openedCount, opened[index &- 1] < opened[index] { index &+= 1 }
    guard index < openedCount else { return }
    guard openedCount <= 4 * Int(StepCalendar.keysPerBucket) else {
      var all = UnsafeMutableBufferPointer(start: opened, count: openedCount)
      return all.sort()
    }
    while index < openedCount {
      let key = opened[index]
      var hole = index
      while hole > 0, key < opened[hole &- 1] {
        opened[hole] = opened[hole &- 1]
        hole &-= 1
      }
      opened[hole] = key
      index &+= 1
    }
  }
}

/// The buckets of a calendar, in a round: bucket `number` is at `number` modulo their count. Their
/// keys are in chunks of one pool, so the memory does not depend on the path of the keys through the
/// buckets.
///
/// It owns its memory: a step makes several accesses, and in arrays of a class each would be checked
/// for exclusive access and a unique reference.
private final class KeyBuckets {
  private static var chunkSize: Int { 8 }
  /// The places that ``move(_:to:)`` needs after the keys.
  static var slack: Int { chunkSize - 1 }

  private struct Bucket {
    var first: Int32 = -1
    /// The chunk that is being filled; all others of the bucket are full.
    var last: Int32 = -1
    var count = 0
  }

  /// A power of two, at least 64.
  let count: Int
  private let chunks: Int
  private let keys: UnsafeMutablePointer<StepKey>
  /// The next chunk of the same bucket, or of the free chunks.
  private let following: UnsafeMutablePointer<Int32>
  private let buckets: UnsafeMutablePointer<Bucket>
  /// A bit for each bucket that has keys.
  private let occupied: UnsafeMutablePointer<UInt64>
  private var free: Int32 = 0

  /// - Parameter capacity: the largest number of keys.
  init(capacity: Int) {
    var count = 64
    while count < capacity / 4 { count *= 2 }
    self.count = count
    // Each bucket with keys has at most one chunk that is not full.
    chunks = capacity / KeyBuckets.chunkSize + min(capacity, count)
    keys = .allocate(capacity: chunks * KeyBuckets.chunkSize)
    following = .allocate(capacity: chunks)
    for chunk in 0..<chunks { following[chunk] = Int32(chunk + 1) }
    buckets = .allocate(capacity: count)
    buckets.initialize(repeating: Bucket(), count: count)
    occupied = .allocate(capacity: count / 64)
    occupied.initialize(repeating: 0, count: count / 64)
  }

  deinit {
    keys.deallocate()
    following.deallocate()
    buckets.deallocate()
    occupied.deallocate()
  }

  private func index(_ number: UInt64) -> Int { Int(truncatingIfNeeded: number) & (count &- 1) }

  func count(of number: UInt64) -> Int { buckets[index(number)].count }

  /// The number of the first bucket with keys, from `number` on; nil = all are empty.
  func next(from number: UInt64) -> UInt64? {
    let start = index(number)
    let words = count / 64
    var bits = occupied[start / 64] & (~0 << UInt64(start % 64))
    var word = start / 64
    // At the end, the bits of the first word before `start`.
    for _ in 0...words {
      if bits != 0 {
        let found = word &* 64 &+ bits.trailingZeroBitCount
        return number &+ UInt64((found &- start) & (count &- 1))
      }
      word = (word &+ 1) & (words &- 1)
      bits = occupied[word]
    }
    return nil
  }

  func insert(_ key: StepKey, at number: UInt64) {
    let index = index(number)
    let bucket = buckets + index
    let fill = bucket.pointee.count & (KeyBuckets.chunkSize - 1)
    if fill == 0 { addChunk(to: index) }
    keys[Int(bucket.pointee.last) &* KeyBuckets.chunkSize &+ fill] = key
    bucket.pointee.count &+= 1
  }

  private func addChunk(to index: Int) {
    let chunk = free
    precondition(chunk < chunks, "more keys than the capacity")
    free = following[Int(chunk)]
    if buckets[index].count == 0 {
      buckets[index].first = chunk
      occupied[index / 64] |= 1 << UInt64(index % 64)
    } else {
      following[Int(buckets[index].last)] = chunk
    }
    buckets[index].last = chunk
  }

  /// Moves the keys of a bucket in the order of their insertion, which is nearly that of their
  /// times, and returns their number. It uses up to `slack` places after them.
  func move(_ number: UInt64, to target: UnsafeMutablePointer<StepKey>) -> Int {
    let index = index(number)
    let bucket = buckets[index]
    buckets[index] = Bucket()
    occupied[index / 64] &= ~(1 << UInt64(index % 64))
    var moved = 0
    var chunk = bucket.first
    while moved < bucket.count {
      // The whole chunk: with a constant count, this compiles to no call.
      (target + moved).update(
        from: keys + Int(chunk) * KeyBuckets.chunkSize, count: KeyBuckets.chunkSize)
      moved += KeyBuckets.chunkSize
      let next = following[Int(chunk)]
      following[Int(chunk)] = free
      free = chunk
      chunk = next
    }
    return bucket.count
  }

  /// Returns the keys of a bucket and makes it empty.
  func take(_ number: UInt64) -> [StepKey] {
    let count = count(of: number)
    return Array(unsafeUninitializedCapacity: count + KeyBuckets.slack) { buffer, filled in
      filled = buffer.baseAddress.map { move(number, to: $0) } ?? 0
    }
  }
}
