import TraceModel
import Detectors
import Diagnostics
public import Replay

/// A benchmark suite: detectors, the traces that they run on, and how they are scored.
///
/// ```swift
/// let (bag, gym) = (["a.h5", "b.h5"], ["b.h5", "c.h5"])
/// let sets = [Suite.TraceSet(name: "bag", files: bag), .init(name: "gym", files: gym)]
/// let suite = Suite(name: "boxing", path: "suites/boxing.yaml", traceSets: sets, entries: [])
/// suite.files(of: ["bag", "gym"])  // ["a.h5", "b.h5", "c.h5"]
/// ```
public struct Suite: Sendable {
  public static let schema = "shadowbox-suite/1"

  public var name: String
  /// The suite's file; trace paths are relative to its folder.
  public var path: String
  public var sha256 = ""
  /// The trace sets in the order of the file; the files of each are sorted.
  public var traceSets: [TraceSet]
  public var entries: [Entry]
  /// The entries that play an app; they follow the detector entries.
  public var apps: [AppEntry] = []
  /// The bounds that `gate` checks; nil = the suite states none.
  public var gate: GateRules?

  public init(
    name: String, path: String, sha256: String = "", traceSets: [TraceSet], entries: [Entry],
    apps: [AppEntry] = []
  ) {
    (self.name, self.path, self.sha256) = (name, path, sha256)
    (self.traceSets, self.entries, self.apps) = (traceSets, entries, apps)
  }

  public struct TraceSet: Sendable, Equatable {
    public var name: String
    public var files: [String]

    public init(name: String, files: [String]) {
      self.name = name
      self.files = files
    }
  }

  /// A detector with one set of parameters on some of the traces.
  public struct Entry: Sendable, Equatable {
    /// The name, unique within the suite.
    public var name: String
    public var choice: DetectorChoice
    public var traces: [String]
    /// The tolerance on both sides; nil = the reference's own, else the metric's.
    public var tolerance: Duration?
    /// What happens to a trace before the detector gets it.
    public var path: SignalPath
    /// The simulated person who acts on prompts; nil = the traces' own actions.
    public var policy: ScriptedPolicy?
    /// The place in the suite, `file:line`, for messages.
    public var place: String

    public init(
      name: String, choice: DetectorChoice, traces: [String], tolerance: Duration? = nil,
      path: SignalPath = SignalPath(), policy: ScriptedPolicy? = nil, place: String
    ) {
      (self.name, self.choice, self.traces) = (name, choice, traces)
      (self.tolerance, self.path, self.policy, self.place) = (tolerance, path, policy, place)
    }
  }

  /// An app played by the people of some traces, all on one clock.
  public struct AppEntry: Sendable {
    public var name: String
    public var choice: AppChoice
    public var traces: [String]
    public var tolerance: Duration?
    public var path: SignalPath
    public var options = AppOptions()
    /// Whether all traces start at the same time; the wall clocks are ignored.
    public var isTogether = false
    public var place: String

    public init(
      name: String, choice: AppChoice, traces: [String], tolerance: Duration? = nil,
      path: SignalPath = SignalPath(), options: AppOptions = AppOptions(),
      isTogether: Bool = false, place: String
    ) {
      (self.name, self.choice, self.traces, self.tolerance) = (name, choice, traces, tolerance)
      (self.path, self.options, self.isTogether, self.place) = (path, options, isTogether, place)
    }
  }

  /// Returns the folder to which the paths in a suite's file are relative.
  public static func folder(of path: String) -> String {
    let whole = withoutEnd(path[...])
    guard let slash = whole.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    let folder = withoutEnd(whole[..<slash])
    return folder.isEmpty ? "/" : String(folder)
  }

  /// Returns the files of the named sets in the order of the sets, each file once.
  public func files(of sets: [String]) -> [String] {
    sets.flatMap { name in traceSets.first { $0.name == name }?.files ?? [] }
      .inGroups(by: resolvedPath).map { $0[0] }
  }

  /// - Throws: bad data for paths that ``String`` holds for equal, but that name several files.
  package static func requireDistinct(_ files: some Sequence<String>) throws {
    var known: Set<String> = []
    for file in files {
      let (isNew, other) = known.insert(file)
      guard isNew || other.utf8.elementsEqual(file.utf8) else {
        throw Failure(
          .badData,
          "\(file): expected files with different names, found two that differ only in the bytes of an "
            + "accented letter; rename one")
      }
    }
  }

  private static func withoutEnd(_ path: Substring) -> Substring {
    path.lastIndex { $0 != "/" }.map { path[...$0] } ?? ""
  }
}
