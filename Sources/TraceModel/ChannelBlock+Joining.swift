extension ChannelBlock {
  /// Joins the blocks of a channel in order; nil if one of them belongs to another kind of channel.
  public init?(joining blocks: [ChannelBlock], of channel: Channel) {
    // Each column is allocated once, and a single block (the usual case) is not copied.
    func joined<Columns: JoinedColumns>(_ block: (Columns) -> ChannelBlock) -> ChannelBlock? {
      let parts = blocks.compactMap { Columns($0) }
      guard parts.count == blocks.count else { return nil }
      return block(parts.count == 1 ? parts[0] : Columns(joining: parts))
    }
    let whole =
      switch ChannelBlock(emptyFor: channel) {
      case .vector: joined(ChannelBlock.vector)
      case .fix: joined(ChannelBlock.fix)
      case .local: joined(ChannelBlock.local)
      case .scalar: joined(ChannelBlock.scalar)
      case .heartbeat: joined(ChannelBlock.heartbeat)
      case .touch: joined(ChannelBlock.touch)
      case .action: joined(ChannelBlock.action)
      }
    guard let whole else { return nil }
    self = whole
  }
}

private protocol JoinedColumns: ReadingColumns {
  init(joining parts: [Self])
}

extension TimeColumns {
  fileprivate init(joining parts: [some ReadingColumns]) {
    self.init(measured: parts.flatMap { $0.measuredTimes[$0.range] })
    guard parts.contains(where: { $0.arrivedTimes != nil }) else { return }
    arrived = parts.flatMap { ($0.arrivedTimes ?? $0.measuredTimes)[$0.range] }
  }
}

extension VectorColumns: JoinedColumns {
  fileprivate init(joining parts: [VectorColumns]) {
    self.init(
      times: TimeColumns(joining: parts), x: parts.flatMap { $0.x[$0.range] },
      y: parts.flatMap { $0.y[$0.range] }, z: parts.flatMap { $0.z[$0.range] })
  }
}

extension ValueColumns: JoinedColumns {
  fileprivate init(joining parts: [ValueColumns]) {
    self.init(
      times: TimeColumns(joining: parts), values: parts.flatMap { $0.values[$0.range] })
  }
}
