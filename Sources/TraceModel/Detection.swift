/// An event as a detector reports it, in the form that every log, file and score uses.
public protocol DetectionEvent: Sendable, Equatable {
  /// The kind of event, e.g. `punch`, `prompt`, `visit`, `split`. Only the kind that the task names
  /// is scored.
  var kind: String { get }
  /// The scored class, e.g. `straight`; empty = none.
  var label: String { get }
  /// The detector's own name for the class, e.g. `thrust`. Default: the label.
  var originalLabel: String { get }
  /// The magnitude (a peak, a distance); NaN = none.
  var value: Double { get }
  /// The place that the event refers to; nil = none.
  var place: Int32? { get }
  /// The number that the detector's threshold was compared with; nil (default) = it follows from the
  /// value.
  var score: Double? { get }
}

extension DetectionEvent {
  public var label: String { "" }
  public var originalLabel: String { label }
  public var value: Double { .nan }
  public var place: Int32? { nil }
  public var score: Double? { nil }
}

/// A number that equals itself even if it is NaN, so that a log equals itself.
@propertyWrapper
public struct NaNEquatable: Hashable, Sendable {
  public var wrappedValue: Double

  public init(wrappedValue: Double) { self.wrappedValue = wrappedValue }

  public static func == (left: NaNEquatable, right: NaNEquatable) -> Bool {
    left.wrappedValue == right.wrappedValue
      || (left.wrappedValue.isNaN && right.wrappedValue.isNaN)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(wrappedValue.isNaN ? .nan : wrappedValue)
  }
}

#if !hasFeature(Embedded)
  extension NaNEquatable: Codable {
    public init(from decoder: any Decoder) throws {
      wrappedValue = try decoder.singleValueContainer().decode(Double.self)
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }
#endif

/// An event without a type of its own, which is enough for most detectors.
///
/// ```swift
/// PlainEvent("swing").value  // nan
/// PlainEvent("swing") == PlainEvent("swing")  // true
/// ```
public struct PlainEvent: DetectionEvent, Hashable {
  public var kind: String
  public var label: String
  @NaNEquatable public var value: Double
  public var place: Int32?

  /// - Parameters:
  ///   - kind: the kind of event; only the kind that the task names is scored.
  ///   - label: the scored class; empty = none.
  ///   - value: the magnitude; NaN = none.
  ///   - place: the place that the event refers to; nil = none.
  public init(_ kind: String, label: String = "", value: Double = .nan, place: Int32? = nil) {
    self.kind = kind
    self.label = label
    self.value = value
    self.place = place
  }
}

/// A detector's output.
///
/// ```swift
/// let deadline = TraceInstant(nanoseconds: 10_000_000_000)
/// let absence = Detection(onset: .zero, emitted: deadline, event: PlainEvent("absent"))
/// absence.newestMeasured.seconds  // 10.0
/// ```
public struct Detection<Event: Sendable & Equatable>: Sendable, Equatable {
  /// The time of the event as the detector reports it, on the measured axis.
  public var onset: TraceInstant
  /// The arrival of the newest reading that the detector had seen, or the deadline at which it
  /// fired.
  public var emitted: TraceInstant
  /// The measured time of the newest reading that the detector had seen. Equals `emitted` if a
  /// deadline, an action or the end of the trace caused the detection. The difference is the
  /// delivery delay.
  public var newestMeasured: TraceInstant
  public var event: Event

  /// - Parameter newestMeasured: nil = `emitted`.
  @inlinable public init(
    onset: TraceInstant, emitted: TraceInstant, newestMeasured: TraceInstant? = nil, event: Event
  ) {
    self.onset = onset
    self.emitted = emitted
    self.newestMeasured = newestMeasured ?? emitted
    self.event = event
  }
}

extension Detection: Codable where Event: Codable {}

/// A detection with its type erased: a row of the detection log.
///
/// ```swift
/// let instant = TraceInstant(nanoseconds: 5)
/// let detection = Detection(
///   onset: .zero, emitted: instant, newestMeasured: .zero, event: PlainEvent("punch", value: 42))
/// let record = DetectionRecord(detection, device: DeviceID(0))
/// record.kind  // punch
/// record.deliveryWait  // 5
/// ```
public struct DetectionRecord: Hashable, Sendable, Codable {
  /// The kind of an event that takes back the one with its onset.
  public static let withdrawal = "withdrawn"

  public var device: DeviceID
  public var onset: TraceInstant
  public var emitted: TraceInstant
  /// The measured time of the newest reading that the detector had seen; see ``Detection``.
  public var newestMeasured: TraceInstant
  public var kind: String
  public var label: String
  public var originalLabel: String
  @NaNEquatable public var value: Double
  public var place: Int32?
  /// The number that the detector's threshold was compared with; nil = it follows from the value.
  public var score: Double?

  /// - Parameter newestMeasured: nil = `emitted`.
  public init(
    device: DeviceID = DeviceID(0), onset: TraceInstant, emitted: TraceInstant,
    newestMeasured: TraceInstant? = nil, kind: String, label: String = "",
    originalLabel: String? = nil, value: Double = .nan, place: Int32? = nil,
    score: Double? = nil
  ) {
    self.device = device
    self.onset = onset
    self.emitted = emitted
    self.newestMeasured = newestMeasured ?? emitted
    self.kind = kind
    self.label = label
    self.originalLabel = originalLabel ?? label
    self.value = value
    self.place = place
    self.score = score
  }

  /// The delivery delay: nanoseconds from the measurement of the newest reading to the detection.
  /// Negative if the sensor's clock is fast.
  public var deliveryWait: Int64 { newestMeasured.nanoseconds(to: emitted) }

  public init(_ detection: Detection<some DetectionEvent>, device: DeviceID) {
    self.init(
      device: device, onset: detection.onset, emitted: detection.emitted,
      newestMeasured: detection.newestMeasured, kind: detection.event.kind,
      label: detection.event.label,
      originalLabel: detection.event.originalLabel, value: detection.event.value,
      place: detection.event.place, score: detection.event.score)
  }
}
