import AppEngines
import Detectors
import TraceModel

extension WorkoutEngine {
  mutating func record(_ input: Input, at now: TraceInstant, into effects: inout [Effect]) {
    switch input {
    case .start(let sport):
      var recording = Workout.Recording(sport, rules: rules, epoch: epoch, at: now)
      recording.setSuspended(isSuspended, at: now)
      fixTimes?.restart()
      isIgnoringFixes = false
      self.recording = recording
      phase = .recording
      effects += [.started(sport), .startUpdates(distanceFilter: rules.tracker.distanceFilter)]
    case .fix(let fix, let measured): take(fix, measured: measured, at: now, into: &effects)
    case .pause:
      recording?.pause(at: now)
      phase = .paused
      effects.append(.paused)
    case .resume:
      recording?.resume(at: now, isSuspended: isSuspended)
      phase = .recording
      effects.append(.resumed)
    case .stop: stop(at: now, into: &effects)
    case .save: save(at: now, into: &effects)
    case .suspended(let isSuspended):
      self.isSuspended = isSuspended
      if phase == .recording { recording?.setSuspended(isSuspended, at: now) }
    default:
      if phase != .finished { effects.append(.stopUpdates) }
      recording = nil
      phase = .ready
      effects.append(.discarded)
    }
  }

  /// Processes a fix. The location service may deliver at any time: fixes without a recording are
  /// ignored.
  private mutating func take(
    _ fix: Fix, measured: TraceInstant, at now: TraceInstant, into effects: inout [Effect]
  ) {
    guard phase == .recording || phase == .paused else { return }
    let time = time(of: measured, at: now, into: &effects)
    guard let time else { return }
    let events = recording?.take(fix, measured: time, at: now, isPaused: phase == .paused) ?? []
    for event in events {
      switch event {
      case .split(let split, let detection):
        effects.append(.split(split, detection: DetectionRecord(detection, device: DeviceID(0))))
      case .autoPaused: effects.append(.autoPaused)
      case .autoResumed: effects.append(.autoResumed)
      }
    }
  }

  /// Returns the time of a fix on the monotonic clock; nil = it is ignored. Reports the first fix of
  /// a period in which they are ignored, and the first one after it.
  private mutating func time(
    of stamp: TraceInstant, at now: TraceInstant, into effects: inout [Effect]
  ) -> TraceInstant? {
    switch fixTimes?.verdict(on: stamp, arrived: now) {
    case .ignored(let age):
      // Fixes that are slightly out of order are no period.
      if !isIgnoringFixes, age > Self.reportedAge {
        isIgnoringFixes = true
        effects.append(.fixesIgnored(age: age))
      }
      return nil
    case .counts(let time):
      if isIgnoringFixes {
        isIgnoringFixes = false
        effects.append(.fixesUsed(correction: fixTimes?.correction ?? 0))
      }
      return time
    case nil: return stamp
    }
  }

  /// The age in seconds from which on ignored fixes are reported.
  private static var reportedAge: Double { 2 }

  private mutating func stop(at now: TraceInstant, into effects: inout [Effect]) {
    recording?.setSuspended(false, at: now)
    phase = .finished
    guard let recording else { return }
    effects += [
      .stopUpdates, .finished(recording.record(id: nextID, creatorName: userName).summary),
    ]
  }

  private var nextID: Workout.ActivityID {
    Workout.ActivityID(creator: user, installation: installation, number: lastActivityNumber + 1)
  }

  /// Saves the workout: the record is in the outbox, which is part of the state, before the workout
  /// is cleared.
  private mutating func save(at now: TraceInstant, into effects: inout [Effect]) {
    guard let recording else { return }
    add(recording.record(id: nextID, creatorName: userName), at: now, into: &effects)
    self.recording = nil
    phase = .ready
  }

  mutating func logSwim(
    _ form: Workout.SwimForm, at now: TraceInstant, into effects: inout [Effect]
  ) {
    let summary = Workout.Summary(
      id: nextID, creatorName: userName, sport: .swim, start: form.date,
      duration: form.duration, movingTime: form.duration, distance: form.distance)
    add(Workout.Record(summary: summary), at: now, into: &effects)
  }

  private mutating func add(
    _ record: Workout.Record, at now: TraceInstant, into effects: inout [Effect]
  ) {
    lastActivityNumber += 1
    keep(record, at: now, into: &effects)
  }

  /// Lists an activity as unsaved, and sends it.
  mutating func keep(_ record: Workout.Record, at now: TraceInstant, into effects: inout [Effect]) {
    let activity = Activity(summary: record.summary, isSaved: false)
    let position = activities.partitioningIndex {
      Workout.Summary.isEarlierInFeed(record.summary, $0.summary)
    }
    activities.insert(activity, at: position)
    send(.save(record), at: now, into: &effects)
    if week != nil { effects.append(.weekChanged) }
  }

  /// Gives an activity of this phone the next id and sends it again.
  /// - Returns: false, without a change, if there is no such activity or no next id.
  mutating func renumber(
    _ record: Workout.Record, at now: TraceInstant, into effects: inout [Effect]
  ) -> Bool {
    let known = served.filter { $0.creator == user && $0.id.installation == installation }
      .map(\.id.number)
    let last = max(lastActivityNumber, known.max() ?? 0)
    guard last < RequestStamp.largestNumber,
      let index = activities.firstIndex(where: { $0.summary.id == record.id && !$0.isSaved })
    else { return false }
    lastActivityNumber = last
    activities.remove(at: index)
    if tapped == record.id { tapped = nil }
    effects.append(.renumbered(record.id, to: nextID))
    var record = record
    record.summary.id = nextID
    var sent: [Effect] = []
    add(record, at: now, into: &sent)
    // A server that has every id must not be asked without a wait.
    if retryBudget?.take(at: now) == false {
      sent.removeAll { if case .send = $0 { true } else { false } }
    }
    effects += sent
    return true
  }

  /// Clears a workout that could not be saved (the original's fault).
  mutating func lose(_ id: Workout.ActivityID, into effects: inout [Effect]) {
    activities.removeAll { $0.summary.id == id }
    if tapped == id { tapped = nil }
    effects.append(.lost(id))
    if week != nil { effects.append(.weekChanged) }
  }

  mutating func markSaved(_ id: Workout.ActivityID, into effects: inout [Effect]) {
    guard let index = activities.firstIndex(where: { $0.summary.id == id }) else { return }
    activities[index].isSaved = true
    effects.append(.saved(id))
  }
}
