public import TraceModel

/// A trace with an additional gravity-free channel, computed while the trace is read: the streaming
/// form of ``TraceModel/Trace/removeGravity(_:)``, with the same readings.
public final class GravityFreeSource: TraceSource {
  public let header: TraceHeader
  private let source: any TraceSource
  /// A second reader of the same readings: the two channels are read at different times.
  private let copy: any TraceSource
  private var filter: GravityFilter

  /// - Parameters:
  ///   - source: has a channel `acceleration`; an existing `userAcceleration` is replaced.
  ///   - copy: another reader of the same readings, at their start.
  public init(
    _ source: any TraceSource, copy: any TraceSource,
    parameters: GravityFilter.Parameters = GravityFilter.Parameters()
  ) {
    self.source = source
    self.copy = copy
    filter = GravityFilter(parameters)
    var header = source.header
    header.channels.removeAll { $0.channel == .userAcceleration }
    if let info = header.info(.acceleration) {
      header.channels.append(
        ChannelInfo(
          channel: .userAcceleration, count: info.count, hasArrivalTimes: info.hasArrivalTimes,
          attributes: ["gravity_removal": filter.name]))
      header.channels.sort { $0.channel < $1.channel }
    }
    self.header = header
  }

  public func nextBlock(of channel: Channel, limit: Int) throws(TraceError) -> ChannelBlock? {
    guard channel == .userAcceleration else {
      return try source.nextBlock(of: channel, limit: limit)
    }
    guard let block = try copy.nextBlock(of: .acceleration, limit: limit) else { return nil }
    return VectorColumns(block).map { .vector(filter.apply($0)) }
  }
}
