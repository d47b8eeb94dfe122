import AppEngines
import Detectors
import TraceModel

/// What an observer who knows the truth notes about the prompts of a walk, whatever the app's rules.
struct HikeWatch: Sendable {
  /// The accuracy in metres from which on a fix says too little about a circle of 60 m.
  static let badAccuracy = 100.0

  /// The first true entry into each place, on the run's axis; empty = not stated.
  private var entries: [Int32: TraceInstant] = [:]
  private var prompted: Set<Int32> = []
  /// The times in seconds from the first true entry into a place to its first prompt.
  private(set) var delays: [Double] = []
  /// The distances of the prompts in metres.
  private(set) var distances: [Double] = []
  /// The number of prompts by a fix that is worse than ``badAccuracy``, or invalid.
  private(set) var badFixPrompts = 0
  /// The horizontal accuracy of the last fix in metres; NaN = not stated.
  var lastAccuracy = Double.nan

  init(_ person: AppSetup.Person) {
    for event in person.header.reference(.visit)?.events ?? [] {
      guard let place = event.place else { continue }
      let entry = person.start.advanced(byNanoseconds: event.onset.nanoseconds)
      entries[place] = min(entries[place] ?? entry, entry)
    }
  }

  mutating func prompted(at place: Int32?, distance: Double, _ now: TraceInstant) {
    distances.append(distance)
    if lastAccuracy < 0 || lastAccuracy > HikeWatch.badAccuracy { badFixPrompts += 1 }
    guard let place, prompted.insert(place).inserted, let entry = entries[place] else { return }
    delays.append(Double(entry.nanoseconds(to: now)) / 1e9)
  }

  var meanDistance: Double? {
    distances.isEmpty ? nil : distances.reduce(0, +) / Double(distances.count)
  }
}
