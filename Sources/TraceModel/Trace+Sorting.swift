extension Trace {
  /// Puts the readings of every channel into the order of their arrival; readings that arrive
  /// together keep theirs. O(n log n).
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
  fileprivate func sortedByArrival() -> ChannelBlock {
    switch self {
    case .vector(let columns): .vector(columns.sortedByArrival())
    case .fix(let columns): .fix(columns.sortedByArrival())
    case .scalar(let columns): .scalar(columns.sortedByArrival())
    case .heartbeat(let columns): .heartbeat(columns.sortedByArrival())
    case .action(let columns): .action(columns.sortedByArrival())
    }
  }
}

extension ReadingColumns {
  fileprivate func sortedByArrival() -> Self {
    let times = arrivedTimes ?? measuredTimes
    // By position among equals: sorting is not promised to be stable.
    let order = range.sorted { (times[$0], $0) < (times[$1], $1) }
    var sorted = Self()
    for position in order {
      sorted.append(self[position], measured: measuredTimes[position], arrived: times[position])
    }
    return sorted
  }
}
