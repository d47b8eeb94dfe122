import Synchronization

/// Maps `body` over `items` on `threads` workers. The order of the results is the order of the
/// items, whatever the workers do; the first error by that order is thrown.
func parallelMap<Item: Sendable, Output: Sendable>(
  _ items: [Item], threads: Int, _ body: @escaping @Sendable (Item) throws -> Output
) async throws -> [Output] {
  let next = Mutex(0)
  let workers = max(1, min(threads, items.count))
  let parts = await withTaskGroup(of: [(Int, Result<Output, any Error>)].self) { group in
    for _ in 0..<workers {
      group.addTask {
        var results: [(Int, Result<Output, any Error>)] = []
        while true {
          let index = next.withLock { value -> Int in
            defer { value += 1 }
            return value
          }
          guard index < items.count else { return results }
          results.append((index, Result { try body(items[index]) }))
        }
      }
    }
    return await group.reduce(into: []) { $0 += $1 }
  }
  return try parts.sorted { $0.0 < $1.0 }.map { try $0.1.get() }
}
