extension Trace {
  /// Sorts the readings of every channel by arrival. The sort is stable. O(n log n).
  public mutating func sortByArrival() {
    for info in header.channels {
      guard let block = self[info.channel] else { continue }
      var attributes = info.attributes
      if info.channel == .action { attributes["kinds"] = nil }
      set(block.sortedByArrival(), for: info.channel, attributes: attributes)
    }
  }
}

extension ChannelBlock {
  /// Returns a new block of the readings at `positions`, in that order, each as often as it is
  /// listed.
  /// - Parameter times: the times of the new block, one for each of `positions`; nil = unchanged.
  /// - Precondition: the positions lie in `range`, and there are as many times as positions.
  public func gathering(_ positions: [Int], times: TimeColumns? = nil) -> ChannelBlock {
    switch self {
    case .vector(let columns): .vector(columns.gathering(positions, times: times))
    case .fix(let columns): .fix(columns.gathering(positions, times: times))
    case .local(let columns): .local(columns.gathering(positions, times: times))
    case .scalar(let columns): .scalar(columns.gathering(positions, times: times))
    case .heartbeat(let columns): .heartbeat(columns.gathering(positions, times: times))
    case .touch(let columns): .touch(columns.gathering(positions, times: times))
    case .action(let columns): .action(columns.gathering(positions, times: times))
    }
  }

  /// The sort is stable. O(n log n).
  package func sortedByArrival() -> ChannelBlock {
    let times = arrivedTimes ?? measuredTimes
    // Ties are broken by position: Swift does not guarantee a stable sort.
    return gathering(range.sorted { (times[$0], $0) < (times[$1], $1) })
  }
}

extension ReadingColumns {
  fileprivate func times(at positions: [Int]) -> TimeColumns {
    TimeColumns(
      measured: positions.map { measuredTimes[$0] },
      arrived: arrivedTimes.map { times in positions.map { times[$0] } })
  }
}

extension VectorColumns {
  fileprivate func gathering(_ positions: [Int], times: TimeColumns?) -> VectorColumns {
    precondition(positions.allSatisfy(range.contains))
    return VectorColumns(
      times: times ?? self.times(at: positions), x: positions.map { x[$0] },
      y: positions.map { y[$0] }, z: positions.map { z[$0] })
  }
}

extension ValueColumns {
  fileprivate func gathering(_ positions: [Int], times: TimeColumns?) -> ValueColumns {
    precondition(positions.allSatisfy(range.contains))
    return ValueColumns(
      times: times ?? self.times(at: positions), values: positions.map { values[$0] })
  }
}
