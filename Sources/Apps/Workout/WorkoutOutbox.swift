import TraceModel

extension Workout {
  /// Requests that the server has not answered yet.
  struct Outbox: Hashable, Sendable, Codable {
    struct Item: Hashable, Sendable, Codable {
      var letter: Letter
      var attempts: Int
      /// The time of the next retry or of giving up; nil = permanently refused.
      var due: TraceInstant?
      var refusal: Refusal?
    }

    /// The items, in the order of their numbers.
    private(set) var items: [Item] = []
    private var lastNumber = 0
    private let retryAfter: Double

    init(retryAfter: Double) {
      self.retryAfter = retryAfter
    }

    mutating func add(_ request: Request, at now: TraceInstant) -> Letter {
      lastNumber += 1
      let letter = Letter(number: lastNumber, request: request)
      items.append(Item(letter: letter, attempts: 1, due: due(attempts: 1, at: now)))
      return letter
    }

    /// Removes requests that are superseded by a newer one of the same kind; their answers are
    /// ignored.
    mutating func drop(_ isSuperseded: (Request) -> Bool) {
      items.removeAll { isSuperseded($0.letter.request) }
    }

    func item(_ number: Int) -> Item? { items.first { $0.letter.number == number } }

    mutating func remove(_ number: Int) {
      items.removeAll { $0.letter.number == number }
    }

    mutating func refuse(_ number: Int, _ refusal: Refusal) {
      guard let index = items.firstIndex(where: { $0.letter.number == number }) else { return }
      items[index].due = nil
      items[index].refusal = refusal
    }

    /// Sends a refused request again.
    mutating func retry(_ number: Int, at now: TraceInstant) {
      guard let index = items.firstIndex(where: { $0.letter.number == number }) else { return }
      items[index].attempts = 1
      items[index].due = due(attempts: 1, at: now)
      items[index].refusal = nil
    }

    /// Returns the next deadline after `now`; overdue items are due immediately.
    func deadline(after now: TraceInstant) -> TraceInstant? {
      let next = now.advanced(byNanoseconds: 1)
      guard next > now, let due = items.compactMap(\.due).min() else { return nil }
      return max(due, next)
    }

    /// Returns the due items and sets their next times.
    mutating func takeDue(at now: TraceInstant) -> [Item] {
      var taken: [Item] = []
      for index in items.indices {
        guard let due = items[index].due, due <= now else { continue }
        items[index].attempts += 1
        items[index].due = self.due(attempts: items[index].attempts, at: now)
        taken.append(items[index])
      }
      return taken
    }

    private func due(attempts: Int, at now: TraceInstant) -> TraceInstant {
      now.advanced(bySeconds: retryAfter * Double(1 << min(attempts - 1, 6)))
    }
  }
}
