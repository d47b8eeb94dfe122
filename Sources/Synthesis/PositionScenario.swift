import TraceModel

/// A generated position scenario: the course and the fixes of a receiver.
struct PositionScenario {
  let spec: ScenarioSpec
  let course: Course
  private let receiver: Receiver
  private let noise: SeededGenerator

  init(_ spec: ScenarioSpec) {
    self.spec = spec
    var random = spec.generator()
    noise = random.split()
    receiver = Receiver(
      spec.surroundings, on: Subject(number: spec.subject).receiver, random: &random)
    switch spec.kind {
    case .trackRun: course = .trackRun(random: &random)
    case .roadRun: course = .roadRun(random: &random)
    case .ride: course = .ride(random: &random)
    default: course = .route(subject: spec.subject, random: &random)
    }
  }

  func trace() -> Trace {
    var header = spec.header()
    if Subject(number: spec.subject).receiver == .watch { header.device = "simulated watch" }
    header.end = instant(course.end)
    header.places = course.places
    header.references = course.references()
    header.track = course.track()
    var trace = Trace(header: header)
    var random = noise
    let fixes = receiver.fixes(
      of: course.motion, opened: course.opened, end: course.end, rate: spec.sampleRate,
      random: &random)
    trace.set(.fix(fixes), for: .location)
    if let pause = course.pause { trace.set(.action(actions(pause)), for: .action) }
    return trace
  }

  private func actions(_ pause: ClosedRange<Double>) -> ActionColumns {
    let start = instant(pause.lowerBound).nanoseconds
    let end = instant(pause.upperBound).nanoseconds
    var columns = ActionColumns()
    columns.append(.pause, measured: start, arrived: start)
    columns.append(.resume, measured: end, arrived: end)
    return columns
  }
}
