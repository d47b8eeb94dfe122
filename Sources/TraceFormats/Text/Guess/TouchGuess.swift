import TraceModel

/// Finds the columns of touches: a column of phases next to `x` and `y`. The words for phases decide,
/// so there is no doubt. Coordinates in pixels must first be divided by the screen's scale.
struct TouchGuess {
  let sample: TableSample

  /// Nil = the table has no column of phases, or no unique coordinates.
  var found: ColumnReading? {
    guard let phase = only(["phase", "touch_phase", "action"]), hasPhases(phase),
      let x = only(["touch_x"]) ?? only(["x"]), let y = only(["touch_y"]) ?? only(["y"]),
      sample.isNumeric(x), sample.isNumeric(y)
    else { return nil }
    var entries = [
      sample.entry(.value(0, of: .touch), x, nil), sample.entry(.value(1, of: .touch), y, nil),
      sample.entry(.value(2, of: .touch), phase, nil),
    ]
    if let pointer = only(["pointer", "pointer_id", "finger"]), sample.isNumeric(pointer) {
      entries.append(sample.entry(.value(3, of: .touch), pointer, nil))
    }
    return ColumnReading(entries: entries)
  }

  private func only(_ keys: [String]) -> Int? {
    let columns = sample.columns(keys)
    return columns.count == 1 ? columns[0] : nil
  }

  private func hasPhases(_ column: Int) -> Bool {
    let words = sample.rows.map { $0[column] }.filter { !$0.isEmpty }
    return !words.isEmpty && words.allSatisfy { Touch.Phase(anyName: $0.trimmingSpaces()) != nil }
  }
}
