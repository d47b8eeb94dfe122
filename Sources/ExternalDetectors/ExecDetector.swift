import Diagnostics
import Detectors
package import Replay
package import Evaluation
import Synchronization
package import TraceModel

/// A detector in an external program. Each parallel run has its own process, which is reused for
/// later runs.
package final class ExecDetector: Sendable {
  private let program: TrustedProgram
  package let hello: ExecHello
  /// The program and its files at the first start.
  package let files: [ProgramRecord.File]
  private let timeLimit: Duration
  private let state: Mutex<State>

  private struct State {
    var idle: [ExecProcess] = []
    /// The first failure. Later runs report it without waiting again.
    var failure: Failure?
  }

  /// - Parameter timeLimit: the longest wait without input or output.
  /// - Throws: a failed child if it cannot be started or sends no hello.
  package init(_ program: TrustedProgram, timeLimit: Duration) throws {
    self.program = program
    self.timeLimit = timeLimit
    files = try program.command.files()
    let (process, hello) = try Self.start(program, timeLimit)
    self.hello = hello
    state = Mutex(State(idle: [process]))
  }

  package var command: ExecCommandLine { program.command }

  private static func start(
    _ program: TrustedProgram, _ timeLimit: Duration
  ) throws -> (ExecProcess, ExecHello) {
    let process = try ExecProcess(program)
    let reader = ExecHelloReader()
    let conversation = ExecConversation(
      process, place: program.command.text, what: "hello", lastLine: "ready", timeLimit: timeLimit,
      limitsWhole: true, read: reader.take)
    try conversation.send { $0 += (ExecHello.schema + "\n").utf8 }
    // A child may send its hello before it reads the line of the schema.
    try conversation.finish(mayStayUnread: true)
    return (process, reader.hello)
  }

  /// The processor time of its processes that wait for a run; nil = not known.
  var processorTime: Duration? {
    let times = state.withLock(\.idle).compactMap(\.processorTime)
    return times.isEmpty ? nil : times.reduce(.zero, +)
  }

  package func close() {
    // Outside of the lock, because ending may take some time.
    let processes = state.withLock { exchange(&$0.idle, with: []) }
    for process in processes { process.end(closingInput: true, within: .milliseconds(500)) }
  }

  package func run(
    _ parameters: ExecParameters, on source: any TraceSource, device: DeviceID, options: RunOptions
  ) throws -> (result: RunResult, answer: ExecAnswer) {
    guard options.policy == nil else {
      throw Failure(
        .wrongUse,
        "\(command.text): expected no policy, because an exec: detector reports its detections only "
          + "at the end; remove the policy, or write the detector in Swift")
    }
    let process = try take()
    try remembered { try checkSilence(of: process) }
    let session = ExecSession(
      process, command, task: hello.task, header: source.header,
      parameters: hello.parameters.map { ($0.name, parameters[parameter: $0.name]) },
      timeLimit: timeLimit)
    var timeline = Timeline([
      try DeviceStream(
        session, channel: hello.channel, companions: hello.companions, name: hello.name,
        on: source, device: device, options: RunOptions(blockSize: 4096))
    ])
    var none: [DetectionRecord] = []
    try timeline.run(into: &none)
    let answer = try remembered {
      let answer = try session.wholeAnswer()
      try checkSilence(of: process)
      return answer
    }
    state.withLock { $0.idle.append(process) }
    var detections = answer.found.map(\.record)
    for index in detections.indices { detections[index].device = device }
    let result = RunResult(
      detections: detections, measurements: [device: answer.measurements],
      readings: timeline.result.readings)
    return (result, answer)
  }

  /// Runs the child over the whole trace at once, and returns a stream that emits its detections at
  /// their times.
  package func stream(
    _ parameters: ExecParameters, on device: ReplayDevice, options: RunOptions
  ) throws -> DeviceStream {
    let trace = try Trace(reading: device.source)
    let (_, answer) = try run(
      parameters, on: MemorySource(trace), device: device.id, options: options)
    return try DeviceStream(
      PlayedDetections(
        answer.found.map { ($0.input, $0.record) }, measurements: answer.measurements),
      channel: hello.channel, companions: hello.companions, name: hello.name,
      on: MemorySource(trace), device: device.id, start: device.start, options: options)
  }

  /// Returns a process for one run. A process that fails is not reused.
  private func take() throws -> ExecProcess {
    let (failure, idle) = state.withLock { ($0.failure, $0.idle.popLast()) }
    if let failure { throw failure }
    return try idle ?? remembered(startAnother)
  }

  /// Refuses output between two traces, which would look like an answer to the second.
  private func checkSilence(of process: ExecProcess) throws {
    guard process.hasOutput else { return }
    throw Failure(
      .childFailed,
      "\(command.text): expected no output between ready or done and the next start, found some")
  }

  private func startAnother() throws -> ExecProcess {
    let (process, another) = try Self.start(program, timeLimit)
    guard another == hello else {
      throw Failure(
        .childFailed,
        "\(command.text): expected the same hello from each process, found a different one")
    }
    return process
  }

  private func remembered<Output>(_ body: () throws -> Output) throws -> Output {
    do {
      return try body()
    } catch let error as Failure {
      state.withLock { $0.failure = $0.failure ?? error }
      throw error
    }
  }
}

/// The parameters of an external detector, by name.
package typealias ExecParameters = [String: Double]

extension ExecParameters {
  package init(_ hello: ExecHello) {
    self.init(uniqueKeysWithValues: hello.parameters.map { ($0.name, $0.defaultValue) })
  }

  /// The value of a parameter; zero if there is no such parameter.
  fileprivate subscript(parameter name: String) -> Double {
    get { self[name] ?? 0 }
    set { self[name] = newValue }
  }
}

extension AnyDetector {
  /// Creates the detector that a started child describes in its hello.
  package init(_ detector: ExecDetector) {
    let hello = detector.hello
    let schema = ParameterSchema(
      name: detector.command.text,
      presets: [DetectorPreset("default", summary: "its own defaults", ExecParameters(hello))],
      fields: hello.parameters.map {
        .number($0.name, \.[parameter: $0.name], unit: $0.unit, range: $0.range, $0.summary)
      })
    self.init(
      schema, channel: hello.channel, task: hello.task,
      program: ProgramRecord(name: hello.name, version: hello.version, files: detector.files),
      programTime: { detector.processorTime }, note: hello.summary,
      statedThreshold: hello.threshold,
      bind: { parameters in
        BoundDetector(
          parameters, schema.fields,
          run: { try detector.run(parameters, on: $0, device: $1, options: $2).result },
          stream: { try detector.stream(parameters, on: $0, options: $1) })
      })
  }
}

/// The external detectors that a command has started, by command line.
package final class ExecDetectors: DetectorResolver {
  /// The default of the longest wait without input or output.
  package static let defaultTimeLimit = Duration.seconds(10)

  private let state = Mutex(State())

  private struct State {
    var timeLimit = ExecDetectors.defaultTimeLimit
    var trust = ProgramTrust()
    var started: [ExecCommandLine: (detector: ExecDetector, registered: AnyDetector)] = [:]
  }

  /// Sets the time limit of detectors that start later.
  package func setTimeLimit(_ limit: Duration) { state.withLock { $0.timeLimit = limit } }

  package init() {}

  /// Starts new processes, with the time limit and the trust of others.
  package init(like others: ExecDetectors?) {
    guard let (limit, trust) = others?.state.withLock({ ($0.timeLimit, $0.trust) }) else { return }
    state.withLock { ($0.timeLimit, $0.trust) = (limit, trust) }
  }

  /// Lets a program start, because somebody names it who is trusted. Other names are left out.
  package func trust(_ text: String, relativeTo folder: String) {
    guard resolves(text), let command = try? ExecCommandLine(text, relativeTo: folder)
    else { return }
    state.withLock { $0.trust.trust(command) }
  }

  /// - Throws: bad data with all programs among the names that may not be started.
  package func requireTrust(
    _ names: [String], relativeTo folder: String, place: String, unless condition: String
  ) throws {
    let commands = names.filter(resolves).compactMap { name in
      try? ExecCommandLine(name, relativeTo: folder)
    }
    try state.withLock(\.trust).require(commands, place: place, unless: condition)
  }

  package func resolves(_ name: String) -> Bool { ExecCommandLine.isOne(name) }

  /// Returns the detector, and starts its program if it is not running.
  /// - Throws: bad data, unless the program is trusted.
  package func detector(_ text: String, relativeTo folder: String) throws -> AnyDetector {
    let command = try ExecCommandLine(text, relativeTo: folder)
    return try state.withLock { state in
      if let known = state.started[command] { return known.registered }
      let detector = try ExecDetector(state.trust.program(command), timeLimit: state.timeLimit)
      let registered = AnyDetector(detector)
      state.started[command] = (detector, registered)
      return registered
    }
  }

  package func close() {
    let started = state.withLock { exchange(&$0.started, with: [:]) }
    for (_, entry) in started { entry.detector.close() }
  }
}
