/// A priority queue of steps for many streams: a calendar of buckets by time, coarse for later
/// times and finer for near ones.
///
/// The order is that of ``StepKey``. Taking the first and inserting another costs a few moves of 16
/// bytes, mostly in sequence, independently of the number of streams; a heap of 100,000 streams
/// costs 17 dependent comparisons. At worst, if the times are very uneven, it is O(log n).
///
/// Times are split into digits of six bits. A key is in the bucket of the highest digit in which its
/// time differs from `base`. The lowest bucket has the earliest keys: a small one is sorted, a large
/// one is distributed to the buckets of the next lower digits. (A radix queue with two levels:
/// Ahuja, Mehlhorn, Orlin, Tarjan, "Faster algorithms for the shortest path problem", 1990,
/// doi:10.1145/77600.77615.)
final class StepCalendar {
  /// The earliest key; nil = empty.
  private(set) var first: StepKey?
  /// The keys of the opened bucket, ascending; from `head` on they are not taken yet.
  private let opened: UnsafeMutablePointer<StepKey>
  private var head = 0
  private var openedCount = 0
  /// Keys that were inserted before the end of the opened bucket.
  private var late = StepHeap()
  /// That of `late`, which is nearly always empty.
  private var firstLate: StepKey?
  private var isFirstLate = false
  private let buckets: KeyBuckets
  /// The start of the opened bucket.
  private var base: UInt64 = 0
  /// The last time of the opened bucket.
  private var last: UInt64 = 0

  /// - Parameter keys: there are never more than these in the calendar.
  init(_ keys: [StepKey]) {
    opened = .allocate(capacity: keys.count)
    buckets = KeyBuckets(capacity: keys.count)
    guard let start = keys.map(\.time).min() else { return }
    (base, last) = (StepCalendar.position(start), StepCalendar.position(start))
    for key in keys { insert(key) }
    _ = settle()
  }

  deinit { opened.deallocate() }

  private static var bitsPerDigit: Int { 6 }
  /// A bucket with at most this number of keys is sorted instead of distributed.
  private static var fewKeys: Int { 32 }

  /// The time in the order of unsigned numbers.
  private static func position(_ time: Int64) -> UInt64 { UInt64(bitPattern: time) ^ 1 << 63 }

  /// The keys that come next, unless others are inserted before them.
  var upcoming: UnsafeBufferPointer<StepKey> {
    UnsafeBufferPointer(start: opened + head, count: openedCount - head)
  }

  /// Removes the first key, and inserts the next one of its stream, which may be earlier.
  /// - Returns: whether there are new `upcoming` keys.
  /// - Precondition: the calendar is not empty.
  func replaceFirst(by key: StepKey?) -> Bool {
    if isFirstLate {
      late.removeFirst()
      firstLate = late.first
    } else {
      head &+= 1
    }
    if let key { insert(key) }
    return settle()
  }

  private func insert(_ key: StepKey) {
    let time = StepCalendar.position(key.time)
    guard time > last else {
      late.insert(key)
      return firstLate = late.first
    }
    buckets.insert(key, at: StepCalendar.bucket(of: time, from: base))
  }

  private static func bucket(of time: UInt64, from base: UInt64) -> Int {
    // A difference in the lowest digit, or none, is level 0.
    let level = (63 &- ((time ^ base) | 1).leadingZeroBitCount) / bitsPerDigit
    return level &<< bitsPerDigit | Int(truncatingIfNeeded: time &>> (level &* bitsPerDigit)) & 63
  }

  /// Updates `first`. Opens the next bucket if needed, and returns whether it did.
  private func settle() -> Bool {
    let opens = head == openedCount && firstLate == nil
    if opens { openNext() }
    first = head < openedCount ? opened[head] : nil
    isFirstLate = false
    guard let firstLate else { return opens }
    isFirstLate = first.map { firstLate < $0 } ?? true
    if isFirstLate { first = firstLate }
    return opens
  }

  private func openNext() {
    head = 0
    openedCount = 0
    while let bucket = buckets.lowest {
      let level = bucket >> StepCalendar.bitsPerDigit
      guard level > 0, buckets.count(of: bucket) > StepCalendar.fewKeys else {
        open(bucket)
        // With the next ones of its level, so that there are some upcoming keys.
        while let next = buckets.lowest, next >> StepCalendar.bitsPerDigit == level,
          openedCount + buckets.count(of: next) <= StepCalendar.fewKeys
        {
          open(next)
        }
        return sortOpened()
      }
      let start = start(of: bucket)
      base = start
      buckets.distribute(bucket) {
        StepCalendar.bucket(of: StepCalendar.position($0.time), from: start)
      }
    }
  }

  /// The first time of a bucket: above its digit as `base`, then its digit, then zeros.
  private func start(of bucket: Int) -> UInt64 {
    let shift = (bucket >> StepCalendar.bitsPerDigit) * StepCalendar.bitsPerDigit
    let above = shift + StepCalendar.bitsPerDigit
    return (above < 64 ? (base >> above) << above : 0) | UInt64(bucket & 63) << shift
  }

  private func open(_ bucket: Int) {
    base = start(of: bucket)
    last = base | (1 << ((bucket >> StepCalendar.bitsPerDigit) * StepCalendar.bitsPerDigit) - 1)
    openedCount += buckets.move(bucket, to: opened + openedCount)
  }

  private func sortOpened() {
    guard openedCount <= StepCalendar.fewKeys else {
      var all = UnsafeMutableBufferPointer(start: opened, count: openedCount)
      return all.sort()
    }
    var index = 1
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

/// The buckets of a calendar. Their keys are in chunks of one pool, so the memory does not depend on
/// the path of the keys through the buckets.
///
/// It owns its memory: a step makes several accesses, and in arrays of a class each would be checked
/// for exclusive access and a unique reference.
private final class KeyBuckets {
  private static var chunkSize: Int { 16 }
  private static var levels: Int { 11 }

  private struct Bucket {
    var first: Int32 = -1
    /// The chunk that is being filled; all others of the bucket are full.
    var last: Int32 = -1
    var count = 0
  }

  private let chunks: Int
  private let keys: UnsafeMutablePointer<StepKey>
  /// The next chunk of the same bucket, or of the free chunks.
  private let following: UnsafeMutablePointer<Int32>
  private let buckets: UnsafeMutablePointer<Bucket>
  /// By level, a bit for each bucket that has keys.
  private let occupied: UnsafeMutablePointer<UInt64>
  /// A bit for each level that has keys.
  private var occupiedLevels: UInt32 = 0
  private var free: Int32 = 0

  /// - Parameter capacity: the largest number of keys.
  init(capacity: Int) {
    let bucketCount = KeyBuckets.levels * 64
    // Each bucket with keys has at most one chunk that is not full; one more is being emptied.
    chunks = capacity / KeyBuckets.chunkSize + min(capacity, bucketCount) + 1
    keys = .allocate(capacity: chunks * KeyBuckets.chunkSize)
    following = .allocate(capacity: chunks)
    for chunk in 0..<chunks { following[chunk] = Int32(chunk + 1) }
    buckets = .allocate(capacity: bucketCount)
    buckets.initialize(repeating: Bucket(), count: bucketCount)
    occupied = .allocate(capacity: KeyBuckets.levels)
    occupied.initialize(repeating: 0, count: KeyBuckets.levels)
  }

  deinit {
    keys.deallocate()
    following.deallocate()
    buckets.deallocate()
    occupied.deallocate()
  }

  /// The bucket with the earliest keys; nil = all are empty.
  var lowest: Int? {
    guard occupiedLevels != 0 else { return nil }
    let level = occupiedLevels.trailingZeroBitCount
    return level &* 64 &+ occupied[level].trailingZeroBitCount
  }

  func count(of bucket: Int) -> Int { buckets[bucket].count }

  func insert(_ key: StepKey, at index: Int) {
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
      occupiedLevels |= 1 << UInt32(index / 64)
    } else {
      following[Int(buckets[index].last)] = chunk
    }
    buckets[index].last = chunk
  }

  /// Moves the keys of a bucket in the order of their insertion, which is nearly that of their
  /// times, and returns their number.
  func move(_ index: Int, to target: UnsafeMutablePointer<StepKey>) -> Int {
    let bucket = remove(index)
    var moved = 0
    var chunk = bucket.first
    while moved < bucket.count {
      let fill = min(bucket.count - moved, KeyBuckets.chunkSize)
      (target + moved).update(from: keys + Int(chunk) * KeyBuckets.chunkSize, count: fill)
      moved += fill
      chunk = release(chunk)
    }
    return moved
  }

  /// Moves the keys of a bucket to other ones, as `move` does.
  func distribute(_ index: Int, to target: (StepKey) -> Int) {
    let bucket = remove(index)
    var moved = 0
    var chunk = bucket.first
    while moved < bucket.count {
      let fill = min(bucket.count - moved, KeyBuckets.chunkSize)
      let start = keys + Int(chunk) * KeyBuckets.chunkSize
      for place in 0..<fill { insert(start[place], at: target(start[place])) }
      moved += fill
      chunk = release(chunk)
    }
  }

  /// Makes a bucket empty; its chunks stay in use.
  private func remove(_ index: Int) -> Bucket {
    let bucket = buckets[index]
    buckets[index] = Bucket()
    occupied[index / 64] &= ~(1 << UInt64(index % 64))
    if occupied[index / 64] == 0 { occupiedLevels &= ~(1 << UInt32(index / 64)) }
    return bucket
  }

  /// Makes a chunk free and returns the next one.
  private func release(_ chunk: Int32) -> Int32 {
    let next = following[Int(chunk)]
    following[Int(chunk)] = free
    free = chunk
    return next
  }
}
