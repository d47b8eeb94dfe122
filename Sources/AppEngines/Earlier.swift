public import TraceModel

/// Returns the earlier of two times; nil means never. It uses no arrays because it is called for
/// every reading.
@inlinable
package func earlier(_ one: TraceInstant?, _ other: TraceInstant?) -> TraceInstant? {
  guard let one, let other else { return one ?? other }
  return min(one, other)
}
