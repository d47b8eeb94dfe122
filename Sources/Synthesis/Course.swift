import TraceModel

/// A path with a pace and the places along it: a position scenario without a receiver.
struct Course: Sendable {
  var motion: Receiver.Motion
  /// The time in seconds at which the app is opened; earlier measurements are old.
  var opened: Double
  /// The end in seconds.
  var end: Double
  var places: [Place] = []
  /// The pause of the recording in seconds; the person stands still at both ends.
  var pause: ClosedRange<Double>?
  /// The distance between splits in metres; nil = none.
  var splitLength: Double?

  var path: GroundPath { motion.path }
  var profile: SpeedProfile { motion.profile }

  /// Returns the counted distance in metres at a time: from the app's opening, without the pause.
  func counted(at time: Double) -> Double {
    let covered = profile.way(at: time) - profile.way(at: opened)
    guard let pause, time > pause.lowerBound else { return covered }
    let lost = profile.way(at: min(time, pause.upperBound)) - profile.way(at: pause.lowerBound)
    return covered - lost
  }

  /// Returns the time in seconds at which a counted distance is reached.
  func time(counting distance: Double) -> Double? {
    let way = distance + profile.way(at: opened)
    guard let pause, way > profile.way(at: pause.lowerBound) else {
      return profile.time(reaching: way)
    }
    let lost = profile.way(at: pause.upperBound) - profile.way(at: pause.lowerBound)
    return profile.time(reaching: way + lost)
  }

  var movingTime: Double {
    let whole = profile.movingTime(in: opened...end)
    return whole - (pause.map(profile.movingTime(in:)) ?? 0)
  }

  /// Returns the stretches of time within `radius` metres of a place, by the true path; open ends
  /// are those of the scenario.
  func visits(to place: GeodeticPoint, radius: Double) -> [ClosedRange<Double>] {
    func excess(_ time: Double) -> Double { motion.point(at: time).distance(to: place) - radius }
    var visits: [ClosedRange<Double>] = []
    var entry: Double? = excess(0) <= 0 ? 0 : nil
    let step = 0.25
    for index in 0..<Int((end / step).rounded(.up)) {
      let start = Double(index) * step
      let next = min(start + step, end)
      let isInside = excess(next) <= 0
      if let from = entry, !isInside {
        visits.append(from...Course.root(of: excess, in: start...next))
        entry = nil
      } else if entry == nil, isInside {
        entry = Course.root(of: excess, in: start...next)
      }
    }
    if let entry { visits.append(entry...end) }
    return visits
  }

  /// Returns where a function changes its sign, by bisection, to a thousandth of a nanosecond.
  private static func root(
    of function: (Double) -> Double, in interval: ClosedRange<Double>
  ) -> Double {
    var low = interval.lowerBound
    var high = interval.upperBound
    let isRising = function(high) > 0
    while high - low > 1e-12 * max(high, 1) {
      let middle = low + (high - low) / 2
      if middle <= low || middle >= high { break }
      if (function(middle) > 0) == isRising { high = middle } else { low = middle }
    }
    return (low + high) / 2
  }

  func references() -> [ReferenceSet] {
    var sets = [
      total(
        .distance, counted(at: end), "m",
        "length of the true path from the app's opening on, without pauses"),
      total(
        .movingTime, movingTime, "s",
        "time with a true speed above zero from the app's opening on, without pauses"),
    ]
    if let splitLength { sets.append(splitReference(splitLength)) }
    if !places.isEmpty { sets.append(visitReference()) }
    return sets.sorted { $0.task < $1.task }
  }

  private func total(
    _ task: ReferenceTask, _ value: Double, _ units: String, _ definition: String
  ) -> ReferenceSet {
    let event = ReferenceEvent(onset: .zero, offset: instant(end), label: "total", value: value)
    return ReferenceSet(task: task, events: [event], valueUnits: units, definition: definition)
  }

  private func splitReference(_ length: Double) -> ReferenceSet {
    let total = counted(at: end)
    // A small tolerance: the last split may be the end of the course.
    let count = Int((total / length + 1e-9).rounded(.down))
    let events = (1...max(count, 1)).compactMap { index -> ReferenceEvent? in
      let distance = Double(index) * length
      return time(counting: min(distance, total)).map {
        ReferenceEvent(onset: instant($0), value: distance)
      }
    }
    return ReferenceSet(
      task: .split, events: events, valueUnits: "m",
      definition: "true path reaches a whole number of \(length) m; value = metres so far")
  }

  private func visitReference() -> ReferenceSet {
    var events: [ReferenceEvent] = []
    for place in places {
      let centre = GeodeticPoint(degreesLatitude: place.latitude, longitude: place.longitude)
      for visit in visits(to: centre, radius: place.radius) {
        events.append(
          ReferenceEvent(
            onset: instant(visit.lowerBound), offset: instant(visit.upperBound),
            place: place.id))
      }
    }
    events.sort {
      ($0.onset, $0.offset, $0.place ?? 0) < ($1.onset, $1.offset, $1.place ?? 0)
    }
    return ReferenceSet(
      task: .visit, events: events,
      definition: "true path crosses the place's radius; open ends are the trace's")
  }

  /// Returns the true path at every second and at the end.
  func track() -> ReferenceTrack {
    var times = (0...Int(end.rounded(.down))).map(Double.init)
    if let last = times.last, last < end { times.append(end) }
    let points = times.map(motion.point(at:))
    return ReferenceTrack(
      times: times.map { instant($0).nanoseconds },
      latitudes: points.map { Math.degrees($0.latitude) },
      longitudes: points.map { Math.degrees($0.longitude) })
  }
}
