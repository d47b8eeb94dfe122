import Diagnostics
public import Apps
import Replay
public import TraceModel

/// A type-erased app that can be replayed.
public struct RegisteredApp: Sendable {
  public let name: String
  public let summary: String
  public let legend: String
  public let presets: [AppPreset]
  public let peopleCount: ClosedRange<Int>
  /// The channel that its detector reads.
  public let channel: Channel
  /// All channels that it reads.
  public let channels: Set<Channel>
  public let task: ReferenceTask
  /// The parameters of its detector.
  public let parameters: @Sendable (_ preset: String, TraceHeader) -> [AppParameter]
  public let make: @Sendable (AppSetup) throws(TraceError) -> any AppSimulation

  public init<Simulation: AppSimulation>(_ type: Simulation.Type) {
    name = type.name
    summary = type.summary
    legend = type.legend
    presets = type.presets
    peopleCount = type.peopleCount
    channel = type.channel
    channels = Set(type.furtherChannels).union([type.channel])
    task = type.task
    parameters = { type.parameters(of: $0, for: $1) }
    make = { (setup) throws(TraceError) in try Simulation(setup) }
  }

  public var peopleText: String {
    peopleCount.count == 1
      ? "\(peopleCount.lowerBound)" : "\(peopleCount.lowerBound) to \(peopleCount.upperBound)"
  }

  public var help: String {
    let width = presets.map(\.name.count).max() ?? 0
    let lines = presets.map {
      "  /\($0.name)\(String(repeating: " ", count: width - $0.name.count))  \($0.summary)\n"
    }
    return "\(name): \(summary)\n  traces: \(peopleText), with channel \(channel.name)\n"
      + lines.joined()
  }
}

/// The apps that this program can replay.
public enum AppCatalog {
  /// The apps that come with Shadowbox.
  public static let builtIn = [
    RegisteredApp(SimulatedFight.self), RegisteredApp(SimulatedHike.self),
    RegisteredApp(SimulatedWorkout.self),
  ]

  /// The apps that the commands know by name.
  @TaskLocal public static var all = builtIn

  /// The built-in apps and further ones; one named like a built-in one replaces it.
  public static func adding(_ types: [any AppSimulation.Type]) -> [RegisteredApp] {
    var apps = builtIn
    for type in types {
      let app = registered(type)
      apps.removeAll { $0.name == app.name }
      apps.append(app)
    }
    return apps
  }

  private static func registered<Simulation: AppSimulation>(
    _ type: Simulation.Type
  ) -> RegisteredApp {
    RegisteredApp(type)
  }

  public static var help: String { all.map(\.help).joined(separator: "\n") }
}

/// An app with one of its presets.
public struct AppChoice: Sendable {
  public let app: RegisteredApp
  public let preset: String

  public var title: String { "\(app.name)/\(preset)" }

  /// Checks the number of people.
  /// - Throws: wrong use if the app does not support the number.
  public func checkCount(_ count: Int, place: String = "") throws {
    guard !app.peopleCount.contains(count) else { return }
    throw Failure(
      .wrongUse,
      "\(place.isEmpty ? "" : place + ": ")app \(app.name): expected one trace per "
        + "person for \(app.peopleText) people, found \(count)")
  }

  /// - Parameter spelling: `fight` or `fight/hitThat`.
  /// - Throws: wrong use if there is no such app or preset.
  public init(
    _ spelling: String, place: String = "--app", catalog: [RegisteredApp] = AppCatalog.all
  ) throws {
    let parts = spelling.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    try self.init(
      name: parts[0], preset: parts.count > 1 ? parts[1] : nil, place: place, catalog: catalog)
  }

  /// - Parameter preset: the preset; nil = the first.
  public init(
    name: String, preset: String?, place: String, catalog: [RegisteredApp] = AppCatalog.all
  ) throws {
    guard let app = catalog.first(where: { $0.name == name }) else {
      throw Failure.unknown("app", name, known: catalog.map(\.name), place: place)
    }
    let names = app.presets.map(\.name)
    let preset = preset ?? names.first ?? ""
    guard names.contains(preset) else {
      throw Failure.unknown("preset of \(name)", preset, known: names, place: place)
    }
    self.app = app
    self.preset = preset
  }
}
