import TraceModel

/// A queue of deadlines by id: a binary heap that stores the position of each id, so that a
/// deadline can change. Reading the first is O(1), a change is O(log n).
struct DeadlineQueue: Sendable, Codable {
  struct Entry: Sendable, Equatable, Codable {
    let id: Int
    var time: TraceInstant
  }

  /// The entries in heap order: the first is the earliest; ties are broken by id.
  private var heap: [Entry] = []
  /// The position in the heap, by id; -1 = no deadline.
  private var positions: [Int] = []

  var first: Entry? { heap.first }
  /// All entries, in heap order.
  var entries: [Entry] { heap }

  /// Returns the deadline of `id`; nil = none.
  func time(of id: Int) -> TraceInstant? {
    guard positions.indices.contains(id), positions[id] >= 0 else { return nil }
    return heap[positions[id]].time
  }

  /// - Precondition: `id` is not negative; memory grows with the largest id.
  mutating func set(_ id: Int, to time: TraceInstant) {
    while positions.count <= id { positions.append(-1) }
    let position = positions[id]
    if position < 0 {
      positions[id] = heap.count
      heap.append(Entry(id: id, time: time))
      siftUp(from: heap.count - 1)
    } else {
      heap[position].time = time
      siftUp(from: position)
      siftDown(from: positions[id])
    }
  }

  mutating func removeFirst() -> Entry? {
    guard let first = heap.first else { return nil }
    swap(0, heap.count - 1)
    heap.removeLast()
    positions[first.id] = -1
    siftDown(from: 0)
    return first
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    (heap[left].time, heap[left].id) < (heap[right].time, heap[right].id)
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    heap.swapAt(left, right)
    positions[heap[left].id] = left
    positions[heap[right].id] = right
  }

  private mutating func siftUp(from start: Int) {
    var child = start
    while child > 0, precedes(child, (child - 1) / 2) {
      swap(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func siftDown(from start: Int) {
    var parent = start
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && precedes(right, left) ? right : left
      guard precedes(child, parent) else { return }
      swap(child, parent)
      parent = child
    }
  }
}
