import TraceModel

/// When each of a number of things is due: a binary heap that knows where everything lies, so that
/// a time can be changed. The first is known at once; a change is O(log n).
struct DeadlineQueue: Sendable {
  struct Entry: Sendable, Equatable {
    let id: Int
    var time: TraceInstant
  }

  /// The first is the earliest; equal times go by id.
  private var heap: [Entry] = []
  /// By id, the position in the heap; -1 = not due.
  private var positions: [Int] = []

  var first: Entry? { heap.first }
  /// What is due, in no order that means anything.
  var entries: [Entry] { heap }

  /// When `id` is due; nil = never.
  func time(of id: Int) -> TraceInstant? {
    guard positions.indices.contains(id), positions[id] >= 0 else { return nil }
    return heap[positions[id]].time
  }

  /// - Precondition: `id` is not negative; memory grows with the largest.
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
