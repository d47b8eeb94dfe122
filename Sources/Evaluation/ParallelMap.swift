import Synchronization

/// Maps `body` over `items` on `threads` workers, in order; throws the first error in that order.
package func parallelMap<Item: Sendable, Output: Sendable>(
  _ items: [Item], threads: Int, _ body: @escaping @Sendable (Item) async throws -> Output
) async throws -> [Output] {
  let counter = Counter()
  let workers = max(1, min(threads, items.count))
  let parts = await withTaskGroup(of: [(Int, Result<Output, any Error>)].self) { group in
    for _ in 0..<workers {
      group.addTask { @Sendable in
        var results: [(Int, Result<Output, any Error>)] = []
        while true {
          let index = counter.next() - 1
          guard index < items.count else { return results }
          do {
            results.append((index, .success(try await body(items[index]))))
          } catch {
            results.append((index, .failure(error)))
          }
        }
      }
    }
    var all: [(Int, Result<Output, any Error>)] = []
    for await part in group { all += part }
    return all
  }
  return try parts.sorted { $0.0 < $1.0 }.map { try $0.1.get() }
}

/// A counter for several threads.
package final class Counter: Sendable {
  private let value = Mutex(0)

  package init() {}

  package var count: Int { value.withLock(\.self) }

  /// Adds one and returns the new count; the first call returns 1.
  @discardableResult package func next() -> Int {
    value.withLock {
      $0 += 1
      return $0
    }
  }
}
