public import AppEngines
import Diagnostics
import TraceModel

extension AppSimulation {
  static var channels: Set<Channel> { Set(furtherChannels).union([channel]) }

  fileprivate static var peopleText: String {
    peopleCount.count == 1
      ? "\(peopleCount.lowerBound)" : "\(peopleCount.lowerBound) to \(peopleCount.upperBound)"
  }

  /// The actions of decisions, with their arguments.
  private static var actionHelp: String {
    guard !actions.isEmpty else { return "" }
    let lines = actions.map { action in
      let arguments = action.arguments.map { $0.isNeeded ? $0.name : "[\($0.name)]" }
      return "    \(([action.name] + arguments).joined(separator: " ")): \(action.summary)\n"
    }
    return "  decisions:\n" + lines.joined()
  }

  fileprivate static var help: String {
    let width = presets.map(\.name.count).max() ?? 0
    let lines = presets.map {
      "  /\($0.name)\(String(repeating: " ", count: width - $0.name.count))  \($0.summary)\n"
    }
    return "\(name): \(summary)\n  traces: \(peopleText), with channel \(channel.name)\n"
      + lines.joined() + actionHelp
  }
}

/// The apps that commands find by name.
public struct AppCatalog: Sendable {
  private var apps: [any AppSimulation.Type] = []

  /// - Parameter apps: of several with one name, the last counts.
  public init(_ apps: [any AppSimulation.Type] = []) {
    for app in apps {
      self.apps.removeAll { $0.name == app.name }
      self.apps.append(app)
    }
  }

  public subscript(name: String) -> (any AppSimulation.Type)? { apps.first { $0.name == name } }

  /// The names in the order of the registration.
  public var names: [String] { apps.map { $0.name } }

  /// - Parameter more: returns what else is to be said of an app.
  public func help(
    with more: (any AppSimulation.Type) throws -> String = { _ in "" }
  ) rethrows -> String {
    try apps.map { try $0.help + more($0) }.joined(separator: "\n")
  }
}

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
  public init(_ spelling: String, of catalog: AppCatalog, place: String = "--app") throws {
    let parts = spelling.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    try self.init(
      name: parts[0], preset: parts.count > 1 ? parts[1] : nil, of: catalog, place: place)
  }

  /// - Parameter preset: the preset; nil = the first.
  public init(name: String, preset: String?, of catalog: AppCatalog, place: String) throws {
    guard let app = catalog[name] else {
      throw Failure.unknown("app", name, known: catalog.names, place: place)
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
