/// A binary heap of steps: O(log n) for n keys.
struct StepHeap {
  /// The first is the earliest.
  private var keys: [StepKey] = []

  init() {}

  /// - Complexity: O(n).
  init(_ keys: [StepKey]) {
    self.keys = keys
    for index in self.keys.indices.reversed() { siftDown(from: index) }
  }

  var first: StepKey? { keys.first }

  /// The second earliest: one of the children of the first.
  var second: StepKey? {
    switch keys.count {
    case ...1: nil
    case 2: keys[1]
    default: min(keys[1], keys[2])
    }
  }

  mutating func insert(_ key: StepKey) {
    keys.append(key)
    var hole = keys.count - 1
    while hole > 0, key < keys[(hole - 1) / 2] {
      keys[hole] = keys[(hole - 1) / 2]
      hole = (hole - 1) / 2
    }
    keys[hole] = key
  }

  mutating func removeFirst() { replaceFirst(by: nil) }

  mutating func replaceFirst(by key: StepKey?) {
    if let key {
      keys[0] = key
    } else {
      keys.swapAt(0, keys.count - 1)
      keys.removeLast()
    }
    siftDown(from: 0)
  }

  private mutating func siftDown(from start: Int) {
    guard start < keys.count else { return }
    let key = keys[start]
    var hole = start
    while true {
      var child = 2 * hole + 1
      guard child < keys.count else { break }
      if child + 1 < keys.count, keys[child + 1] < keys[child] { child += 1 }
      guard keys[child] < key else { break }
      keys[hole] = keys[child]
      hole = child
    }
    keys[hole] = key
  }
}
