package import Diagnostics
package import Detectors
package import Replay
import TraceFormats
package import TraceModel

/// How records are printed: one by one while they happen, or all at the end.
package protocol RecordRows {
  func heading(_ format: OutputFormat) -> String
  func row(_ record: DetectionRecord, _ format: OutputFormat) -> String
  func table(_ records: [DetectionRecord]) -> String
}

/// Events as rows, which are printed one by one while they happen, or as a table at the end.
package struct EventRows: RecordRows {
  /// By device.
  private let ids: [String]

  package init(_ ids: [String]) {
    self.ids = ids
  }

  private static let columns: [TextTable.Column] = [
    .init("onset s"), .init("emitted s"), .init("trace", .left), .init("kind", .left),
    .init("label", .left), .init("value"), .init("place"),
  ]

  /// Widths for rows that are printed before the next is known.
  private var widths: [Int] {
    [10, 10, max(ids.map(\.count).max() ?? 0, 5), 8, 20, 10, 5]
  }

  package func heading(_ format: OutputFormat) -> String {
    format == .csv
      ? "trace,onset,emitted,kind,label,original_label,value,place\n"
      : line(EventRows.columns.map(\.title))
  }

  package func row(_ record: DetectionRecord, _ format: OutputFormat) -> String {
    format == .csv ? csvLine(record) : line(cells(record))
  }

  package func table(_ records: [DetectionRecord]) -> String {
    var table = TextTable("Events", EventRows.columns)
    for record in records { table.add(cells(record)) }
    return table.render()
  }

  /// A line a device that measured something.
  package func measurements(_ result: RunResult) -> String {
    result.measurements.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }
      .map { device, measurements in
        let figures = measurements.map {
          "\($0.name) \(fixed($0.value, 2))\($0.unit.isEmpty ? "" : " " + $0.unit)"
        }
        return "\(ids[device.index]): \(figures.joined(separator: ", "))\n"
      }.joined()
  }

  private func cells(_ record: DetectionRecord) -> [String] {
    let isSame = record.label == record.originalLabel
    return [
      fixed(record.onset.seconds, 3), fixed(record.emitted.seconds, 3), ids[record.device.index],
      record.kind, isSame ? record.label : "\(record.label) (\(record.originalLabel))",
      record.value.isNaN ? "-" : fixed(record.value, 2), record.place.map(String.init) ?? "-",
    ]
  }

  private func line(_ cells: [String]) -> String {
    let padded = zip(zip(EventRows.columns, widths), cells).map { column, cell in
      let padding = String(repeating: " ", count: max(0, column.1 - cell.count))
      return column.0.alignment == .left ? cell + padding : padding + cell
    }
    return padded.joined(separator: "  ") + "\n"
  }

  private func csvLine(_ record: DetectionRecord) -> String {
    csvRow([
      ids[record.device.index], decimalSeconds(record.onset.nanoseconds),
      decimalSeconds(record.emitted.nanoseconds), record.kind, record.label,
      record.originalLabel, csvCell(Double(record.value)), record.place.map(String.init) ?? "",
    ])
  }
}
