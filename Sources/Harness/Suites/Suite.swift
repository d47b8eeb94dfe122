import Detectors
import Foundation
import Replay
import TraceModel

/// What a run measures: which traces go through which detectors, and how they are scored.
struct Suite: Sendable {
  static let schema = "shadowbox-suite/1"

  var name: String
  /// The file it was read from; trace paths are relative to its folder.
  var path: String
  /// Of the file's bytes as they were read.
  var sha256 = ""
  /// Trace files by set, each sorted; sets in the file's order.
  var traceSets: [TraceSet]
  var entries: [Entry]
  /// After the entries.
  var apps: [AppEntry] = []

  struct TraceSet: Sendable, Equatable {
    var name: String
    var files: [String]
  }

  /// One detector with one set of parameters on some of the traces.
  struct Entry: Sendable, Equatable {
    /// Unique within the suite.
    var name: String
    var choice: DetectorChoice
    /// Names of trace sets.
    var traces: [String]
    /// Nil = the reference's own, else the metric's.
    var tolerance: Duration?
    /// The step that removes gravity from traces that only have it included.
    var gravityFilter: GravityFilter.Parameters?
    /// Hz to which the detector's channel is reduced; nil = as it was recorded.
    var deviceRate: Double?
    /// How readings reach the detector; nil = as the traces say.
    var delivery: NamedDelivery?
    /// Nil = the traces' own actions.
    var policy: ScriptedPolicy?
    /// `file:line`, for messages.
    var place: String
  }

  /// An app that is played by the people of some traces, all on one clock.
  struct AppEntry: Sendable {
    /// Unique within the suite, entries included.
    var name: String
    var choice: AppChoice
    /// Names of trace sets.
    var traces: [String]
    /// Of the detections; nil = the reference's own, else the metric's.
    var tolerance: Duration?
    var gravityFilter: GravityFilter.Parameters?
    /// Hz; nil = as it was recorded.
    var deviceRate: Double?
    /// Nil = as the traces say.
    var delivery: NamedDelivery?
    var options = AppOptions()
    /// Whether all traces start at one instant, whatever their wall clocks say.
    var isTogether = false
    /// `file:line`, for messages.
    var place: String
  }

  /// What the paths in a suite's file are relative to.
  static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().relativePath
  }

  /// The files of an entry in the order of its sets, each once, whatever its names.
  func files(of entry: Entry) -> [String] { files(ofSets: entry.traces) }

  func files(of app: AppEntry) -> [String] { files(ofSets: app.traces) }

  private func files(ofSets names: [String]) -> [String] {
    var seen: Set<String> = []
    return
      names
      .flatMap { name in traceSets.first { $0.name == name }?.files ?? [] }
      .filter { seen.insert(URL(fileURLWithPath: $0).resolvingSymlinksInPath().path).inserted }
  }
}
