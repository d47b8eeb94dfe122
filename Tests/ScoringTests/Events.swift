import Scoring
import TraceModel

/// An instant in milliseconds.
func at(_ milliseconds: Int64) -> TraceInstant {
  TraceInstant(nanoseconds: milliseconds * 1_000_000)
}

/// A reference in milliseconds.
func reference(
  _ onset: Int64, to offset: Int64? = nil, _ label: String = "", place: Int32? = nil,
  value: Double = .nan
) -> ReferenceEvent {
  ReferenceEvent(
    onset: at(onset), offset: offset.map(at), label: label, place: place, value: value)
}

/// A detection in milliseconds, emitted `delay` after the onset that it claims.
func detection(
  _ onset: Int64, _ label: String = "", kind: String = "punch", delay: Int64 = 20,
  place: Int32? = nil, value: Double = .nan
) -> DetectionRecord {
  DetectionRecord(
    onset: at(onset), emitted: at(onset + delay), kind: kind, label: label, value: value,
    place: place)
}

func zone(_ onset: Int64, _ offset: Int64) -> IgnoreZone {
  IgnoreZone(onset: at(onset), offset: at(offset))
}
