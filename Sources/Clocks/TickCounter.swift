import CTicks

/// Reads a monotonic clock often: between two readings of the clock it counts the processor's ticks,
/// which costs half as much and does not wait for what the processor is doing.
///
/// It trusts the ticks only for ``longest`` after a reading, and only while their rates over two
/// successive stretches agree. Where they jump, where they are behind another reading of the clock,
/// or where the thread was interrupted while it read both, it reads the clock instead.
struct TickCounter {
  /// The last reading of the clock, and the ticks at it.
  private var anchor: (time: Int64, ticks: UInt64) = (0, 0)
  /// The ticks after the anchor that are trusted; 0 = none.
  private var trusted: UInt64 = 0
  /// The calls after which it reads the clock though the ticks are trusted: they may stand still.
  private var calls = 0
  /// The start of the stretch over which the rate is being measured, and by how many ticks it may be
  /// wrong.
  private var start: (time: Int64, ticks: UInt64, error: UInt64)?
  /// Nanoseconds per tick over the stretch before it; 0 = unknown.
  private var slope = 0.0
  /// Nanoseconds per tick, times 2^32; 0 = unknown.
  private var rate: UInt64 = 0

  /// How long the ticks are trusted, in ns.
  static var longest: Int64 { 50_000 }
  /// The shortest stretch in ns.
  private static var stretch: Int64 { 1_000_000 }
  /// The ticks and the clock may differ by this in ns.
  private static var mostBehind: Int64 { 1000 }
  /// A call takes more than 10 ns.
  private static var mostCalls: Int { Int(longest / 10) }
  /// The share by which a rate may be wrong.
  private static var tolerance: Double { 0.001 }

  /// Returns the time, no earlier than the last reading.
  ///
  /// The processor may read its ticks before it has finished what comes before them: a step may be
  /// seen as shorter, and the next one as longer, by the time of a read from memory.
  ///
  /// - Parameters:
  ///   - began: the last reading, of the counter or of the clock.
  ///   - ticks: reads the ticks; an injected function in tests.
  ///   - clock: reads the clock, in ns.
  @inline(__always)
  mutating func now(
    after began: Int64, ticks: () -> UInt64 = { cticks_now() }, clock: () -> Int64
  ) -> Int64 {
    let before = ticks()
    let elapsed = before &- anchor.ticks
    calls &-= 1
    let time = anchor.time &+ Int64(truncatingIfNeeded: (elapsed &* rate) &>> 32)
    guard elapsed < trusted, calls > 0, time &- began > -TickCounter.mostBehind else {
      let time = clock()
      read(time, before, ticks())
      return max(time, began)
    }
    return max(time, began)
  }

  /// - Parameters: a reading of the clock, with the ticks before and after it.
  @inline(never)
  private mutating func read(_ time: Int64, _ before: UInt64, _ after: UInt64) {
    trusted = 0
    calls = TickCounter.mostCalls
    guard after >= before else {
      (start, slope, rate) = (nil, 0, 0)
      return
    }
    anchor = (time, before + (after - before) / 2)
    measureRate(error: after - before)
    if rate > 0 {
      let most = (UInt64(TickCounter.longest) << 32) / rate
      if after - before <= most / 256 { trusted = most }
    }
  }

  /// Measures the rate up to the anchor, whose ticks may be wrong by `error`.
  private mutating func measureRate(error: UInt64) {
    let end = (time: anchor.time, ticks: anchor.ticks, error: error)
    guard let start, end.ticks > start.ticks else {
      (self.start, slope, rate) = (end, 0, 0)
      return
    }
    let (time, ticks) = (end.time - start.time, Double(end.ticks - start.ticks))
    let most = TickCounter.tolerance * ticks
    guard time >= TickCounter.stretch, Double(error) <= most else { return }
    self.start = end
    guard Double(start.error) <= most else { return }
    let perTick = Double(time) / ticks
    let isSteady = abs(perTick - slope) <= 4 * TickCounter.tolerance * perTick
    // Coarser ticks would be seen in the times.
    rate = isSteady && perTick < 64 ? UInt64(perTick * 4_294_967_296) : 0
    slope = perTick
  }
}
