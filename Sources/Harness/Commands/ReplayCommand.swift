import ArgumentParser
import Detectors
import Digests
import Pacing
import Foundation
import Replay
import TraceFormats
import TraceModel

struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Streams traces through a detector and prints each event.",
    discussion: """
      Several traces are several devices on one clock: their events come merged.

      EXAMPLES:
        shadowbox replay traces/synthetic/punch-s01-right.h5
        shadowbox replay walk.h5 --detector punch/hitThat --parameters threshold=2.5g
        shadowbox replay route.h5 --detector checkin/goHike --policy

      The detectors with their presets and parameters: shadowbox info --detectors
      """)

  @Argument(help: ArgumentHelp("Native traces.", valueName: "trace"))
  var traces: [String]

  @OptionGroup(title: "Detector") var detector: DetectorOptions
  @OptionGroup(title: "Person") var person: PolicyOptions

  @Option(help: "How events are printed.")
  var format = OutputFormat.table

  @Option(help: "Readings handed to the detector at once, at most; changes nothing else.")
  var batch = 4096

  @OptionGroup var common: CommonOptions

  func run() async throws {
    guard batch > 0 else { throw CommandError(.wrongUse, "--batch: expected 1 or more") }
    let terminal = common.terminal
    let registry = Harness.registry
    let gravity = try detector.gravityParameters()
    var loaded: [Trace] = []
    for path in traces {
      var trace = try NativeTrace.read(path)
      if let gravity, trace.header.info(.userAcceleration) == nil { trace.removeGravity(gravity) }
      loaded.append(trace)
    }
    guard let first = loaded.first else { throw CommandError(.wrongUse, "expected a trace") }
    let choice = try detector.choice(for: first.header, registry: registry)
    let registered = try registry.detector(named: choice.detector)
    let policy = try person.value()
    let options = RunOptions(blockSize: batch, policy: policy)
    let watch = Stopwatch()
    let result: RunResult
    if loaded.count == 1 {
      result = try registered.run(choice, on: MemorySource(first), options: options)
    } else {
      let starts = startTimes(of: loaded.map(\.header), terminal: terminal)
      result = try registered.run(
        choice,
        on: loaded.enumerated().map {
          ReplayDevice(
            DeviceID($0.offset), source: MemorySource($0.element),
            start: starts[$0.offset])
        }, options: options)
    }
    let wall = Double(watch.elapsed.nanoseconds) / 1e9
    try StandardOutput.write(text(of: result, traces: loaded))
    let log = SHA256Digest()
    log.update(DetectionLog.text(result.detections))
    let parameters = try registered.parameters(of: choice, for: first.header)
      .map { "\($0.name) \($0.value)\($0.unit.isEmpty ? "" : " " + $0.unit)" }
    terminal.say("\(choice.detector)/\(choice.preset): \(parameters.joined(separator: ", "))")
    terminal.say("person: \(policy?.summary ?? "the trace's own actions")")
    let seconds = loaded.reduce(0) { $0 + $1.header.end.seconds }
    terminal.say(
      "\(result.detections.count) events in \(fixed(seconds, 1)) s of trace, "
        + "\(result.readings) readings, \(grouped(seconds / max(wall, 1e-9))) x real time")
    terminal.say("detection log SHA-256 \(log.finish())")
  }

  /// The devices' zeros on the run's clock, which starts with the earliest of them; all together
  /// where the wall clock of one is not known.
  private func startTimes(of headers: [TraceHeader], terminal: Terminal) -> [TraceInstant] {
    let known = headers.compactMap(\.epochNanoseconds)
    guard known.count == headers.count, let first = known.min() else {
      terminal.warn(
        "warning: the wall clock of at least one trace is not known; all start at zero together")
      return headers.map { _ in .zero }
    }
    return known.map { TraceInstant(nanoseconds: $0.subtractingClamped(first)) }
  }

  private func text(of result: RunResult, traces: [Trace]) throws -> String {
    switch format {
    case .table: table(of: result, traces: traces)
    case .csv: csv(of: result, traces: traces)
    case .json: try json(of: result, traces: traces)
    }
  }

  private func table(of result: RunResult, traces: [Trace]) -> String {
    var table = TextTable(
      "Events",
      [
        .init("onset s"), .init("emitted s"), .init("trace", .left), .init("kind", .left),
        .init("label", .left), .init("value"), .init("place"),
      ])
    for record in result.detections {
      let isSame = record.label == record.originalLabel
      table.add([
        fixed(record.onset.seconds, 3), fixed(record.emitted.seconds, 3),
        traces[record.device.index].header.id, record.kind,
        isSame ? record.label : "\(record.label) (\(record.originalLabel))",
        record.value.isNaN ? "-" : fixed(record.value, 2), record.place.map(String.init) ?? "-",
      ])
    }
    var output = table.render()
    for (device, measurements) in result.measurements.sorted(by: { $0.key < $1.key })
    where !measurements.isEmpty {
      let figures = measurements.map {
        "\($0.name) \(fixed($0.value, 2))\($0.unit.isEmpty ? "" : " " + $0.unit)"
      }
      output += "\(traces[device.index].header.id): \(figures.joined(separator: ", "))\n"
    }
    return output
  }

  private func csv(of result: RunResult, traces: [Trace]) -> String {
    var output = "trace,onset_ns,emitted_ns,kind,label,original_label,value,place\n"
    for record in result.detections {
      let cells = [
        traces[record.device.index].header.id, "\(record.onset.nanoseconds)",
        "\(record.emitted.nanoseconds)", record.kind, record.label, record.originalLabel,
        record.value.isNaN ? "" : "\(record.value)", record.place.map(String.init) ?? "",
      ]
      output += cells.map(csvCell).joined(separator: ",") + "\n"
    }
    return output
  }

  private func json(of result: RunResult, traces: [Trace]) throws -> String {
    struct Event: Encodable {
      var trace: String
      var onsetNs: Int64
      var emittedNs: Int64
      var kind: String
      var label: String
      var originalLabel: String
      @Nullable var value: Double?
      @Nullable var place: Int32?
    }
    struct Figure: Encodable {
      var trace: String
      var name: String
      @Nullable var value: Double?
      var unit: String
    }
    struct Document: Encodable {
      var events: [Event]
      var measurements: [Figure]
    }
    let document = Document(
      events: result.detections.map {
        Event(
          trace: traces[$0.device.index].header.id, onsetNs: $0.onset.nanoseconds,
          emittedNs: $0.emitted.nanoseconds, kind: $0.kind, label: $0.label,
          originalLabel: $0.originalLabel, value: $0.value.isFinite ? $0.value : nil,
          place: $0.place)
      },
      measurements: result.measurements.sorted { $0.key < $1.key }.flatMap { device, figures in
        figures.map {
          Figure(
            trace: traces[device.index].header.id, name: $0.name,
            value: $0.value.isFinite ? $0.value : nil, unit: $0.unit)
        }
      })
    return try jsonText(document)
  }
}
