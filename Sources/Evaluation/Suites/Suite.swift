package import Detectors
package import Foundation
package import Replay
package import TraceModel

/// What a run measures: which traces go through which detectors, and how they are scored.
package struct Suite: Sendable {
  package static let schema = "shadowbox-suite/1"

  package var name: String
  /// The file it was read from; trace paths are relative to its folder.
  package var path: String
  /// Of the file's bytes as they were read.
  package var sha256 = ""
  /// Trace files by set, each sorted; sets in the file's order.
  package var traceSets: [TraceSet]
  package var entries: [Entry]
  /// After the entries.
  package var apps: [AppEntry] = []

  package init(
    name: String, path: String, sha256: String = "", traceSets: [TraceSet], entries: [Entry],
    apps: [AppEntry] = []
  ) {
    self.name = name
    self.path = path
    self.sha256 = sha256
    self.traceSets = traceSets
    self.entries = entries
    self.apps = apps
  }

  package struct TraceSet: Sendable, Equatable {
    package var name: String
    package var files: [String]

    package init(name: String, files: [String]) {
      self.name = name
      self.files = files
    }
  }

  /// One detector with one set of parameters on some of the traces.
  package struct Entry: Sendable, Equatable {
    /// Unique within the suite.
    package var name: String
    package var choice: DetectorChoice
    /// Names of trace sets.
    package var traces: [String]
    /// Nil = the reference's own, else the metric's.
    package var tolerance: Duration?
    /// The step that removes gravity from traces that only have it included.
    package var gravityFilter: GravityFilter.Parameters?
    /// Hz to which the detector's channel is reduced; nil = as it was recorded.
    package var deviceRate: Double?
    /// How readings reach the detector; nil = as the traces say.
    package var delivery: NamedDelivery?
    /// Nil = the traces' own actions.
    package var policy: ScriptedPolicy?
    /// `file:line`, for messages.
    package var place: String

    package init(
      name: String, choice: DetectorChoice, traces: [String], tolerance: Duration? = nil,
      gravityFilter: GravityFilter.Parameters? = nil, deviceRate: Double? = nil,
      delivery: NamedDelivery? = nil, policy: ScriptedPolicy? = nil, place: String
    ) {
      self.name = name
      self.choice = choice
      self.traces = traces
      self.tolerance = tolerance
      self.gravityFilter = gravityFilter
      self.deviceRate = deviceRate
      self.delivery = delivery
      self.policy = policy
      self.place = place
    }
  }

  /// An app that is played by the people of some traces, all on one clock.
  package struct AppEntry: Sendable {
    /// Unique within the suite, entries included.
    package var name: String
    package var choice: AppChoice
    /// Names of trace sets.
    package var traces: [String]
    /// Of the detections; nil = the reference's own, else the metric's.
    package var tolerance: Duration?
    package var gravityFilter: GravityFilter.Parameters?
    /// Hz; nil = as it was recorded.
    package var deviceRate: Double?
    /// Nil = as the traces say.
    package var delivery: NamedDelivery?
    package var options = AppOptions()
    /// Whether all traces start at one instant, whatever their wall clocks say.
    package var isTogether = false
    /// `file:line`, for messages.
    package var place: String

    package init(
      name: String, choice: AppChoice, traces: [String], tolerance: Duration? = nil,
      gravityFilter: GravityFilter.Parameters? = nil, deviceRate: Double? = nil,
      delivery: NamedDelivery? = nil, options: AppOptions = AppOptions(), isTogether: Bool = false,
      place: String
    ) {
      self.name = name
      self.choice = choice
      self.traces = traces
      self.tolerance = tolerance
      self.gravityFilter = gravityFilter
      self.deviceRate = deviceRate
      self.delivery = delivery
      self.options = options
      self.isTogether = isTogether
      self.place = place
    }
  }

  /// What the paths in a suite's file are relative to.
  package static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().relativePath
  }

  /// The files of an entry in the order of its sets, each once, whatever its names.
  package func files(of entry: Entry) -> [String] { files(ofSets: entry.traces) }

  package func files(of app: AppEntry) -> [String] { files(ofSets: app.traces) }

  private func files(ofSets names: [String]) -> [String] {
    var seen: Set<String> = []
    return
      names
      .flatMap { name in traceSets.first { $0.name == name }?.files ?? [] }
      .filter { seen.insert(URL(fileURLWithPath: $0).resolvingSymlinksInPath().path).inserted }
  }
}
