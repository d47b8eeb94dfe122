import Scoring

/// Runs a suite again with other batch sizes and thread counts, which must not change the results.
public struct DeterminismCheck {
  public struct Variant: Sendable {
    public var batchSize: Int
    public var threads: Int
  }

  public static let variants = [1, 7, 4096].flatMap { size in
    [1, 2].map { Variant(batchSize: size, threads: $0) }
  }

  public let suite: Suite
  public let registry: DetectorRegistry
  public let loader: any TraceLoader

  public init(suite: Suite, registry: DetectorRegistry, loader: any TraceLoader) {
    self.suite = suite
    self.registry = registry
    self.loader = loader
  }

  /// Returns the first difference with its entry, trace and detection; nil if there is none.
  public func firstDifference(from measured: SuiteRunner.Output) async throws -> String? {
    for variant in Self.variants {
      let again = try await SuiteRunner(
        suite: suite, registry: registry, loader: loader, threads: variant.threads,
        batchSize: variant.batchSize
      ).run()
      for (old, new) in zip(measured.apps, again.apps)
      where SuiteLog.text(old) != SuiteLog.text(new) {
        return "entry \(old.entry): the app is not deterministic: its log changes with batches of "
          + "\(variant.batchSize) on \(variant.threads) thread(s)"
      }
      for (old, new) in zip(measured.runs, again.runs)
      where SuiteLog.text(old) != SuiteLog.text(new) {
        let (one, other) = (lines(old), lines(new))
        let same = zip(one, other).prefix { $0 == $1 }.count
        return
          "entry \(old.entry) on \(old.traceID): the detector is not deterministic: with batches of "
          + "\(variant.batchSize) on \(variant.threads) thread(s), expected line \(same) of its log "
          + "to be \(same < one.count ? one[same] : "missing"), found "
          + "\(same < other.count ? other[same] : "missing"); use only parameters and readings in "
          + "the detector"
      }
    }
    return nil
  }

  private func lines(_ run: RunRecord) -> [Substring] {
    SuiteLog.text(run).split(separator: "\n").map { $0.prefix(200) }
  }
}
