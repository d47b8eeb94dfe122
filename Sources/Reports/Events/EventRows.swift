import Diagnostics
import Detectors
package import Replay
import TraceFormats
package import TraceModel

/// The form of printed records: one by one while they happen, or all at the end.
package protocol RecordRows {
  func heading(_ format: OutputFormat) -> String
  func row(_ record: DetectionRecord, _ format: OutputFormat) -> String
  func table(_ records: [DetectionRecord]) -> String
}

/// Events as rows, printed one by one while they happen, or as a table at the end.
package struct EventRows: RecordRows {
  /// By device.
  private let ids: [String]
  private let screen: Screen

  package init(_ ids: [String], screen: Screen = Screen()) {
    self.ids = ids
    self.screen = screen
  }

  private static let columns: [TextTable.Column] = [
    .init("onset s"), .init("emitted s", rank: 1), .init("trace", .left),
    .init("kind", .left, rank: 2), .init("label", .left), .init("value", rank: 3),
    .init("place", rank: 3),
  ]

  /// The widths of rows that are printed before the next is known.
  private var widths: [Int] {
    [9, 9, max(ids.map(terminalWidth).max() ?? 0, 5), 8, 14, 8, 5]
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
    return table.render(screen)
  }

  /// One line per device that measured something.
  package func measurements(_ result: RunResult) -> String {
    result.measurements.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }
      .map { device, measurements in
        let figures = measurements.map {
          "\($0.name) \(fixed($0.value, 2))\($0.unit.isEmpty ? "" : " " + $0.unit)"
        }
        let line = "\(ids[device.index]): \(figures.joined(separator: ", "))"
        return screen.wrapped(line, indent: 2) + "\n"
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
      let padding = String(repeating: " ", count: max(0, column.1 - terminalWidth(cell)))
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
