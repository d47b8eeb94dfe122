import Detectors
import Replay
import Results
import Synchronization
import TraceModel

/// A detector that another program is: as many processes of it as runs happen at once, each of which
/// serves one run after another.
final class ExecDetector: Sendable {
  let command: ExecCommandLine
  let hello: ExecHello
  /// As they were when it was started first.
  let files: [ProgramRecord.File]
  private let timeLimit: Duration
  private let state: Mutex<State>

  private struct State {
    var idle: [ExecProcess] = []
    /// What ended a run: whoever comes after it need not find out again, waiting as long.
    var failure: CommandError?
  }

  /// - Parameter timeLimit: how long nothing may move while it is waited for.
  /// - Throws: status 70, where it cannot be started or says no hello.
  init(_ command: ExecCommandLine, timeLimit: Duration) throws {
    self.command = command
    self.timeLimit = timeLimit
    files = try command.files()
    let (process, hello) = try Self.start(command, timeLimit)
    self.hello = hello
    state = Mutex(State(idle: [process]))
  }

  private static func start(
    _ command: ExecCommandLine, _ timeLimit: Duration
  ) throws -> (ExecProcess, ExecHello) {
    let process = try ExecProcess(command)
    let box = HelloBox()
    let conversation = ExecConversation(
      process, place: command.text, what: "hello", lastLine: "ready", timeLimit: timeLimit
    ) { line throws(ExecFault) in try box.reader.take(line) }
    try conversation.send { $0 += Array((ExecHello.schema + "\n").utf8) }
    // A hello needs no input: whether its one line was taken would depend on who came first.
    try conversation.finish(mayStayUnread: true)
    return (process, box.reader.hello)
  }

  private final class HelloBox {
    var reader = ExecHelloReader()
  }

  /// Ends the processes that wait for work.
  func close() {
    // Outside of the lock: it may take them a moment to end.
    let processes = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    for process in processes { process.end(closingInput: true, within: .milliseconds(500)) }
  }

  // MARK: Runs

  /// Readings that are handed over at once: of no meaning to a child, which gets lines.
  private static let blockSize = 4096

  func run(
    _ parameters: ExecParameters, on source: any TraceSource, device: DeviceID,
    options: RunOptions
  ) throws -> (result: RunResult, outcome: ExecSession.Outcome) {
    guard options.policy == nil else {
      throw CommandError(
        .wrongUse,
        "\(command.text): a scripted person answers each prompt before the next reading, and an "
          + "exec: detector is heard at the end; leave the policy out, or write the detector in Swift"
      )
    }
    let process = try take()
    try remembered { try checkSilence(of: process) }
    let session = ExecSession(
      process, command, task: hello.task, header: source.header,
      parameters: hello.parameters.map { ($0.name, parameters[$0.name]) }, timeLimit: timeLimit)
    var timeline = Timeline([
      try DeviceStream(
        session, channel: hello.channel, name: hello.name, on: source, device: device,
        options: RunOptions(blockSize: Self.blockSize))
    ])
    var none: [DetectionRecord] = []
    try timeline.run(into: &none)
    let outcome = try remembered {
      let outcome = try session.outcome()
      try checkSilence(of: process)
      return outcome
    }
    state.withLock { $0.idle.append(process) }
    let records = outcome.found.map { found in
      var record = found.record
      record.device = device
      return record
    }
    let result = RunResult(
      detections: records, measurements: [device: outcome.measurements],
      readings: timeline.result.readings)
    return (result, outcome)
  }

  /// The child runs now, over the whole trace; the stream says what it found when its time comes.
  func stream(
    _ parameters: ExecParameters, on device: ReplayDevice, options: RunOptions
  ) throws -> DeviceStream {
    let trace = try Trace(reading: device.source)
    let (_, outcome) = try run(
      parameters, on: MemorySource(trace), device: device.id, options: options)
    return try DeviceStream(
      PlayedFindings(outcome), channel: hello.channel, name: hello.name, on: MemorySource(trace),
      device: device.id, start: device.start, options: options)
  }

  /// A process for one run; whoever fails in it does not give it back.
  private func take() throws -> ExecProcess {
    let (failure, idle) = state.withLock { ($0.failure, $0.idle.popLast()) }
    if let failure { throw failure }
    return try idle ?? remembered(startAnother)
  }

  /// What it says between two traces would be taken for an answer to the second.
  private func checkSilence(of process: ExecProcess) throws {
    guard process.hasOutput else { return }
    throw CommandError(
      .childFailed,
      "\(command.text): expected nothing between ready or done and the next start, found more")
  }

  private func startAnother() throws -> ExecProcess {
    let (process, another) = try Self.start(command, timeLimit)
    guard another == hello else {
      throw CommandError(
        .childFailed,
        "\(command.text): expected the same hello from each of its processes, found another")
    }
    return process
  }

  private func remembered<Output>(_ body: () throws -> Output) throws -> Output {
    do {
      return try body()
    } catch let error as CommandError {
      state.withLock { $0.failure = $0.failure ?? error }
      throw error
    }
  }
}

/// The parameters of a child, by name.
struct ExecParameters: Sendable {
  private var values: [String: Double]

  init(_ hello: ExecHello) {
    values = Dictionary(
      hello.parameters.map { ($0.name, $0.defaultValue) }, uniquingKeysWith: { first, _ in first })
  }

  /// Zero, where there is no such parameter.
  subscript(name: String) -> Double {
    get { values[name] ?? 0 }
    set { values[name] = newValue }
  }
}

extension RegisteredDetector {
  /// The detector that a started child says it is.
  init(_ detector: ExecDetector) {
    let hello = detector.hello
    let rules = DetectorRules(
      name: detector.command.text,
      presets: [
        DetectorPreset("default", summary: "its own defaults", ExecParameters(hello))
      ],
      fields: hello.parameters.map {
        .number($0.name, \.[$0.name], unit: $0.unit, range: $0.range, $0.summary)
      })
    self.init(
      rules, channel: hello.channel, task: hello.task,
      program: ProgramRecord(
        name: hello.name, version: hello.version, files: detector.files),
      note: hello.summary, statedThreshold: hello.threshold,
      run: { choice, source, device, options in
        try detector.run(
          rules.resolve(choice, for: source.header), on: source, device: device, options: options
        ).result
      },
      stream: { choice, device, options in
        try detector.stream(
          rules.resolve(choice, for: device.source.header), on: device, options: options)
      })
  }
}

/// The children that a command has started, by what was asked for.
final class ExecDetectors: Sendable {
  /// How long nothing may move while a child is waited for, unless told otherwise.
  static let defaultTimeLimit = Duration.seconds(10)

  private let state = Mutex(State())

  private struct State {
    var timeLimit = ExecDetectors.defaultTimeLimit
    var started: [ExecCommandLine: (detector: ExecDetector, registered: RegisteredDetector)] = [:]
  }

  /// For those that are started from now on.
  func setTimeLimit(_ limit: Duration) {
    state.withLock { $0.timeLimit = limit }
  }

  /// Starts the program, unless it is there already.
  func detector(_ text: String, relativeTo folder: String) throws -> RegisteredDetector {
    let command = try ExecCommandLine(text, relativeTo: folder)
    return try state.withLock { state in
      if let known = state.started[command] { return known.registered }
      let detector = try ExecDetector(command, timeLimit: state.timeLimit)
      let registered = RegisteredDetector(detector)
      state.started[command] = (detector, registered)
      return registered
    }
  }

  /// Ends them all.
  func close() {
    let started = state.withLock { state in
      defer { state.started = [:] }
      return state.started
    }
    for (_, entry) in started { entry.detector.close() }
  }
}
