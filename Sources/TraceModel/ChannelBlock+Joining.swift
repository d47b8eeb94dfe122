// Collects the blocks first and joins them once: each column is allocated once, and a single block
// (the usual case) is not copied.
extension ChannelBlock {
  /// Joins the blocks of a channel in order; nil if one of them belongs to another kind of channel.
  public init?(joining blocks: [ChannelBlock], of channel: Channel) {
    switch ChannelBlock(emptyFor: channel) {
    case .vector:
      guard let parts = [VectorColumns](blocks) else { return nil }
      self = .vector(parts.only ?? VectorColumns(joining: parts))
    case .fix:
      guard let parts = [FixColumns](blocks) else { return nil }
      self = .fix(parts.only ?? FixColumns(joining: parts))
    case .local:
      guard let parts = [LocalColumns](blocks) else { return nil }
      self = .local(parts.only ?? LocalColumns(joining: parts))
    case .scalar:
      guard let parts = [ScalarColumns](blocks) else { return nil }
      self = .scalar(parts.only ?? ScalarColumns(joining: parts))
    case .heartbeat:
      guard let parts = [HeartbeatColumns](blocks) else { return nil }
      self = .heartbeat(parts.only ?? HeartbeatColumns(joining: parts))
    case .touch:
      guard let parts = [TouchColumns](blocks) else { return nil }
      self = .touch(parts.only ?? TouchColumns(joining: parts))
    case .action:
      guard let parts = [ActionColumns](blocks) else { return nil }
      self = .action(parts.only ?? ActionColumns(joining: parts))
    }
  }
}

extension Array where Element: ReadingColumns {
  /// Returns nil if one of the blocks has other columns.
  fileprivate init?(_ blocks: [ChannelBlock]) {
    self = blocks.compactMap { Element($0) }
    guard count == blocks.count else { return nil }
  }

  /// The element if there is exactly one.
  fileprivate var only: Element? { count == 1 ? first : nil }
}

extension TimeColumns {
  fileprivate init(joining parts: [some ReadingColumns]) {
    self.init(measured: parts.flatMap { $0.measuredTimes[$0.range] })
    guard parts.contains(where: { $0.arrivedTimes != nil }) else { return }
    arrived = parts.flatMap { ($0.arrivedTimes ?? $0.measuredTimes)[$0.range] }
  }
}

extension VectorColumns {
  fileprivate init(joining parts: [VectorColumns]) {
    self.init(
      times: TimeColumns(joining: parts), x: parts.flatMap { $0.x[$0.range] },
      y: parts.flatMap { $0.y[$0.range] }, z: parts.flatMap { $0.z[$0.range] })
  }
}

extension ValueColumns {
  fileprivate init(joining parts: [ValueColumns]) {
    self.init(
      times: TimeColumns(joining: parts), values: parts.flatMap { $0.values[$0.range] })
  }
}
