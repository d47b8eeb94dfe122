import Detectors
import TraceModel

extension WorkoutEngine {
  mutating func record(_ input: Input, at now: TraceInstant, into effects: inout [Effect]) {
    switch input {
    case .start(let sport):
      var recording = Workout.Recording(sport, rules: rules, epoch: epoch, at: now)
      recording.setSuspended(isSuspended, at: now)
      self.recording = recording
      phase = .recording
      effects += [
        .started(sport), .startUpdates(distanceFilter: rules.tracker.distanceFilter),
      ]
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
    let events =
      recording?.take(fix, measured: measured, at: now, isPaused: phase == .paused) ?? []
    for event in events {
      switch event {
      case .split(let split, let detection):
        effects.append(
          .split(split, detection: DetectionRecord(detection, device: DeviceID(0))))
      case .autoPaused: effects.append(.autoPaused)
      case .autoResumed: effects.append(.autoResumed)
      }
    }
  }

  private mutating func stop(at now: TraceInstant, into effects: inout [Effect]) {
    recording?.setSuspended(false, at: now)
    phase = .finished
    guard let recording else { return }
    effects += [
      .stopUpdates, .finished(recording.record(id: nextID, creatorName: userName).summary),
    ]
  }

  private var nextID: Workout.ActivityID {
    Workout.ActivityID(
      creator: user, installation: installation, number: lastActivityNumber + 1)
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
    let activity = Activity(summary: record.summary, isSaved: false)
    let position = activities.partitioningIndex {
      Workout.Summary.isEarlierInFeed(record.summary, $0.summary)
    }
    activities.insert(activity, at: position)
    send(.save(record), at: now, into: &effects)
    if week != nil { effects.append(.weekChanged) }
  }

  /// Clears a workout that could not be saved (the original's fault).
  mutating func lose(
    _ id: Workout.ActivityID, into effects: inout [Effect]
  ) {
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
