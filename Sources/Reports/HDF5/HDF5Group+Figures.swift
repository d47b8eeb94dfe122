import Diagnostics
package import HDF5
package import Scoring

extension HDF5Group {
  /// Writes each figure as a scalar with its bounds. Undefined is NaN.
  package func write(_ figures: [Figure]) throws(HDF5Error) {
    for figure in figures {
      let estimate = figure.estimate
      let dataset = try scalar(figure.name, estimate.value, unit: figure.unit)
      guard let method = estimate.method else { continue }
      try dataset.setAttribute("interval_method", method.rawValue)
      if let count = estimate.count { try dataset.setAttribute("interval_count", Int64(count)) }
      if let clusters = estimate.clusters {
        try dataset.setAttribute("interval_clusters", Int64(clusters))
      }
      try scalar(figure.name + "_lo", estimate.interval?.lower, unit: figure.unit)
      try scalar(figure.name + "_hi", estimate.interval?.upper, unit: figure.unit)
    }
  }

  @discardableResult
  package func scalar(
    _ name: String, _ value: Double?, unit: String
  ) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try createDataset(name, of: Double.self, shape: [])
    try dataset.write([value ?? .nan])
    try dataset.setAttribute("units", unit.isEmpty ? "1" : unit)
    return dataset
  }

  /// Writes a flag as int8: 1 = true.
  package func setFlag(_ name: String, _ value: Bool) throws(HDF5Error) {
    try setAttribute(name, Int8(value ? 1 : 0))
  }

  /// Writes the attributes that every results file has.
  package func writeOrigin(schema: String, dataCommit: String) throws(HDF5Error) {
    try setAttribute("Conventions", "CF-1.8")
    try setAttribute("schema", schema)
    try setAttribute("tool_version", Tool.version)
    try setAttribute("data_commit", dataCommit)
  }
}
