import AppEngines
import TraceModel

extension [ExchangeFault] {
  /// Returns the faults with lost messages merged into cuts of their endpoints, as long as the test
  /// fails; the list never grows.
  ///
  /// - Parameters:
  ///   - messages: those of a run with these faults, which state when each was sent.
  ///   - delay: the time in seconds that a message travels.
  func merged(
    _ messages: [MessageRecord], delay: Double, fails: ([ExchangeFault]) throws -> Bool
  ) rethrows -> [ExchangeFault] {
    var times: [MessageNumber: TraceInstant] = [:]
    for message in messages { times[message.number] = message.sent }
    var faults = self
    /// Tries one cut for all of them, then for those before and after the longest pause.
    func merge(_ lost: [LostMessage], at endpoint: Endpoint) throws {
      guard let first = lost.first, let last = lost.last, lost.count > 1 else { return }
      let cut = ExchangeFault.cut(
        endpoint, from: first.time, to: last.time.advanced(byNanoseconds: 1_000_000))
      let candidate = faults.filter { fault in !lost.contains { $0.fault == fault } } + [cut]
      if try fails(candidate) { return faults = candidate }
      let pauses = zip(lost, lost.dropFirst()).map { $0.time.nanoseconds(to: $1.time) }
      guard let longest = pauses.max(), let split = pauses.firstIndex(of: longest) else { return }
      try merge([LostMessage](lost[...split]), at: endpoint)
      try merge([LostMessage](lost[(split + 1)...]), at: endpoint)
    }
    let lost = compactMap { LostMessage($0, times) }
    let endpoints = Set(lost.flatMap(\.fault.endpoints)).sorted { one, other in
      let counts = [one, other].map { end in lost.count { $0.fault.endpoints.contains(end) } }
      return counts[0] == counts[1] ? one < other : counts[0] > counts[1]
    }
    for endpoint in endpoints {
      let left = lost.filter { faults.contains($0.fault) }
        .compactMap { $0.met(by: endpoint, after: delay) }
      try merge(left.sorted { $0.time < $1.time }, at: endpoint)
    }
    return faults
  }
}

private struct LostMessage {
  var fault: ExchangeFault
  var time: TraceInstant

  /// - Parameter times: when each message is sent.
  init?(_ fault: ExchangeFault, _ times: [MessageNumber: TraceInstant]) {
    guard case .lose(let message) = fault, let time = times[message] else { return nil }
    (self.fault, self.time) = (fault, time)
  }

  /// Returns the message with the time at which an endpoint sends it or would get it.
  func met(by endpoint: Endpoint, after delay: Double) -> LostMessage? {
    guard case .lose(let message) = fault, fault.endpoints.contains(endpoint) else { return nil }
    var met = self
    if message.link.to == endpoint { met.time = time.advanced(bySeconds: delay) }
    return met
  }
}

extension ExchangeFault {
  /// Moves the ends of a cut towards each other in smaller and smaller steps, down to a 64th of its
  /// length.
  func narrow(while holds: (ExchangeFault) throws -> Bool) rethrows {
    guard case .cut(let endpoint, var start, var end) = self else { return }
    let length = start.nanoseconds(to: end)
    func cut(_ step: Int64, _ isStart: Bool) -> ExchangeFault {
      .cut(
        endpoint, from: isStart ? start.advanced(byNanoseconds: step) : start,
        to: isStart ? end : end.advanced(byNanoseconds: -step))
    }
    for isStart in [true, false] {
      var step = length / 2
      while step >= Swift.max(length / 64, 1_000_000) {
        if start.nanoseconds(to: end) > step, try holds(cut(step, isStart)) {
          if isStart {
            start = start.advanced(byNanoseconds: step)
          } else {
            end = end.advanced(byNanoseconds: -step)
          }
        } else {
          step /= 2
        }
      }
    }
  }
}
