import HDF5

/// The layout of older versions: a group for each entry and origin before version 3, and a group for
/// each run before version 5.
extension ResultsReader {
  func legacySummary(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Row] {
    var rows: [ResultsContents.Row] = []
    try group.forEachGroup { entry, origins throws(HDF5Error) in
      try origins.forEachGroup { origin, own throws(HDF5Error) in
        rows.append(.init(name: entry, origin: origin, figures: try figures(own)))
      }
    }
    return rows
  }

  func legacyScores(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Row] {
    var rows: [ResultsContents.Row] = []
    try group.forEachGroup { entry, traces throws(HDF5Error) in
      try traces.forEachGroup { _, run throws(HDF5Error) in
        guard let scores = try subgroup("scores", of: run) else { return }
        rows.append(
          .init(
            name: entry, origin: try run.textAttribute("origin") ?? "",
            subject: try run.textAttribute("subject") ?? "", figures: try figures(scores)))
      }
    }
    return rows
  }

  func legacyEvents(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Run] {
    var runs: [ResultsContents.Run] = []
    try group.forEachGroup { entry, traces throws(HDF5Error) in
      try traces.forEachGroup { trace, run throws(HDF5Error) in
        runs.append(try self.run(entry, trace, run))
      }
    }
    return runs
  }

  private func run(
    _ entry: String, _ trace: String, _ group: HDF5Group
  ) throws(HDF5Error) -> ResultsContents.Run {
    var run = ResultsContents.Run(
      entry: entry, trace: try group.textAttribute("trace") ?? trace,
      facts: try ResultsContents.byName(facts(of: group)))
    if let scores = try subgroup("scores", of: group) {
      for fact in try facts(of: scores) where fact[0].hasPrefix("tolerance_") {
        run.facts[fact[0]] = fact[1]
      }
      run.figures = try figures(scores)
    }
    if let measurements = try subgroup("measurements", of: group) {
      run.measurements = try figures(measurements)
    }
    if let detections = try subgroup("detections", of: group) {
      run.detections = try table(detections)
    }
    if let references = try subgroup("references", of: group) {
      run.references = try table(references)
    }
    return run
  }
}
