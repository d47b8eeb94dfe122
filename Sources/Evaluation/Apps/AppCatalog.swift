import Diagnostics
public import Apps
import TraceModel

extension AppSimulation {
  /// All channels that it reads.
  static var channels: Set<Channel> { Set(furtherChannels).union([channel]) }

  fileprivate static var peopleText: String {
    peopleCount.count == 1
      ? "\(peopleCount.lowerBound)" : "\(peopleCount.lowerBound) to \(peopleCount.upperBound)"
  }

  fileprivate static var help: String {
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
  public static let builtIn: [any AppSimulation.Type] = [
    SimulatedFight.self, SimulatedHike.self, SimulatedWorkout.self, SimulatedTicTacToe.self,
    SimulatedPictureGuess.self,
  ]

  /// The apps that the commands know by name.
  @TaskLocal public static var all = builtIn

  /// The built-in apps and further ones; one named like a built-in one replaces it.
  public static func adding(_ types: [any AppSimulation.Type]) -> [any AppSimulation.Type] {
    types.reduce(into: builtIn) { apps, type in
      apps.removeAll { $0.name == type.name }
      apps.append(type)
    }
  }

  public static var help: String { all.map { $0.help }.joined(separator: "\n") }
}

/// An app with one of its presets.
public struct AppChoice: Sendable {
  public let app: any AppSimulation.Type
  public let preset: String

  public var title: String { "\(app.name)/\(preset)" }

  /// Checks the number of people.
  /// - Throws: wrong use if the app does not support the number.
  public func checkCount(_ count: Int, place: String = "") throws {
    guard !app.peopleCount.contains(count) else { return }
    throw Failure(
      .wrongUse, place: place,
      "app \(app.name): expected one trace per person for \(app.peopleText) people, found \(count)")
  }

  /// - Parameter spelling: `fight` or `fight/hitThat`.
  /// - Throws: wrong use if there is no such app or preset.
  public init(_ spelling: String, place: String = "--app") throws {
    let parts = spelling.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    try self.init(name: parts[0], preset: parts.count > 1 ? parts[1] : nil, place: place)
  }

  /// - Parameter preset: the preset; nil = the first.
  public init(name: String, preset: String?, place: String) throws {
    let catalog = AppCatalog.all
    guard let app = catalog.first(where: { $0.name == name }) else {
      throw Failure.unknown("app", name, known: catalog.map { $0.name }, place: place)
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
