import Foundation
internal import HDF5

extension ResultsContents {
  /// A run of `run` with its events.
  package struct Run: Codable, Hashable, Sendable {
    package var entry: String
    package var trace: String
    /// The attributes by name; numbers as they are printed.
    package var facts: [[String]]
    /// The attributes of its scores: the tolerance.
    package var scoreFacts: [[String]] = []
    package var figures: [Value] = []
    package var detections = Events()
    package var references = Events()
    /// What the detector measured.
    package var measurements: [Value] = []
  }

  /// The columns of detections or references. What a version of the schema lacks is empty; other columns
  /// have one value for each event.
  package struct Events: Codable, Hashable, Sendable {
    /// The number of events.
    package var count = 0
    package var integers: [String: [Int64]] = [:]
    package var numbers: [String: [Double]] = [:]
    package var texts: [String: [String]] = [:]
  }
}

extension ResultsReader {
  private static let integers = [
    "onset", "offset", "emitted", "newest_measured", "place", "match_index", "newest_reading",
  ]
  private static let numbers = ["value", "score"]
  private static let texts = ["kind", "label", "original_label", "hand", "outcome"]

  /// All runs with their events, before version 5: a group for each.
  func events(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Run] {
    var runs: [ResultsContents.Run] = []
    try forEachGroup(in: group) { entry, traces throws(HDF5Error) in
      try forEachGroup(in: traces) { trace, run throws(HDF5Error) in
        runs.append(try self.run(entry, trace, run))
      }
    }
    return runs
  }

  private func run(
    _ entry: String, _ trace: String, _ group: HDF5Group
  ) throws(HDF5Error) -> ResultsContents.Run {
    var run = ResultsContents.Run(
      entry: entry, trace: try group.textAttribute("trace") ?? trace, facts: try facts(of: group))
    if let scores = try subgroup("scores", of: group) {
      run.scoreFacts = try facts(of: scores)
      run.figures = try FigureColumns(scores, most: 1).values(at: 0)
    }
    if let measurements = try subgroup("measurements", of: group) {
      run.measurements = try FigureColumns(measurements, most: 1).values(at: 0)
    }
    if let detections = try subgroup("detections", of: group) {
      run.detections = try table(detections)
    }
    if let references = try subgroup("references", of: group) {
      run.references = try table(references)
    }
    return run
  }

  func subgroup(
    _ name: String, of group: HDF5Group
  ) throws(HDF5Error) -> HDF5Group? {
    try group.kind(of: name) == .group ? group.openGroup(name) : nil
  }

  /// - Throws: if the columns have different lengths, or more rows than any run has.
  func table(_ group: HDF5Group, most: Int = Self.most) throws(HDF5Error) -> ResultsContents.Events
  {
    var events = ResultsContents.Events()
    var isFirst = true
    for name in try group.links() where try group.kind(of: name) == .dataset {
      let known = Self.integers + Self.numbers + Self.texts
      guard known.contains(name) else { continue }
      let dataset = try group.openDataset(name)
      guard dataset.shape.count == 1, dataset.count <= most,
        isFirst || dataset.count == events.count
      else {
        throw HDF5Error(
          operation: "H5Dread", file: group.file.path, object: dataset.path,
          reason: "expected one dimension with the length of the other columns and at most "
            + "\(most) events, found the shape \(dataset.shape)")
      }
      (events.count, isFirst) = (dataset.count, false)
      if Self.integers.contains(name) {
        events.integers[name] = try dataset.read()
      } else if Self.numbers.contains(name) {
        events.numbers[name] = try dataset.read()
      } else {
        events.texts[name] = try dataset.codedTexts()
      }
    }
    return events
  }
}
