import TraceModel

/// The earlier of two times, of which nil is never. No arrays: it is asked for at every reading.
func earlier(_ one: TraceInstant?, _ other: TraceInstant?) -> TraceInstant? {
  guard let one, let other else { return one ?? other }
  return min(one, other)
}
