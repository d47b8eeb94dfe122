import AppEngines
package import Detectors
import Diagnostics
import Evaluation
package import Replay
package import Results
import Scoring
import TraceFormats
package import TraceModel

/// Prints records: one by one while they happen, or all at the end.
package protocol RecordRows {
  func heading(_ format: OutputFormat) -> String
  func row(_ record: DetectionRecord, _ format: OutputFormat) -> String
  func table(_ records: [DetectionRecord]) -> String
}

package struct EventRows: RecordRows {
  /// By device.
  let ids: [String]
  private let screen: Screen

  package init(_ ids: [String], screen: Screen = Screen()) {
    (self.ids, self.screen) = (ids, screen)
  }

  private var columns: [TableColumn<DetectionRecord>] {
    [
      .init("onset s") { fixed($0.onset.seconds, 3) },
      .init("emitted s", rank: 1) { fixed($0.emitted.seconds, 3) },
      .init("trace", .left) { inLine(ids[$0.device.index]) },
      .init("kind", .left, rank: 2) { inLine($0.kind) },
      .init("label", .left) {
        inLine($0.label == $0.originalLabel ? $0.label : "\($0.label) (\($0.originalLabel))")
      },
      .init("value", rank: 3) { fixed($0.value, 2) },
      .init("place", rank: 3) { $0.place.map(String.init) ?? "-" },
    ]
  }

  /// The widths of rows that are printed one by one.
  private var widths: [Int] {
    [9, 9, max(ids.map { terminalWidth(inLine($0)) }.max() ?? 0, 5), 8, 14, 8, 5]
  }

  package func heading(_ format: OutputFormat) -> String {
    format == .csv
      ? "trace,onset,emitted,kind,label,original_label,value,place\n"
      : line(columns.map(\.heading.title))
  }

  package func row(_ record: DetectionRecord, _ format: OutputFormat) -> String {
    guard format == .csv else { return line(columns.map { $0.cell(record) }) }
    return csvRow([
      ids[record.device.index], decimalSeconds(record.onset.nanoseconds),
      decimalSeconds(record.emitted.nanoseconds), record.kind, record.label,
      record.originalLabel, csvCell(Double(record.value)), record.place.map(String.init) ?? "",
    ])
  }

  package func table(_ records: [DetectionRecord]) -> String {
    TextTable("Events", records, columns).render(screen)
  }

  /// One line per device with measurements.
  package func measurements(_ result: RunResult) -> String {
    result.measurements.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }
      .map { device, measurements in
        let figures = measurements.map {
          "\($0.name) \(fixed($0.value, 2))\($0.unit.isEmpty ? "" : " " + $0.unit)"
        }
        let line = inLine("\(ids[device.index]): \(figures.joined(separator: ", "))")
        return screen.wrapped(line, indent: 2) + "\n"
      }.joined()
  }

  private func line(_ cells: [String]) -> String {
    zip(zip(columns, widths), cells).map { column, cell in
      padded(cell, to: column.1, column.0.heading.alignment)
    }.joined(separator: "  ") + "\n"
  }
}

/// The events and measurements in the JSON of `replay`. Times are in seconds.
extension EventRows {
  package func documents(_ records: [DetectionRecord]) -> [JSONObject] {
    records.map { record in
      [
        "trace": ids[record.device.index], "onset": record.onset.seconds,
        "emitted": record.emitted.seconds, "kind": record.kind, "label": record.label,
        "original_label": record.originalLabel, "value": finite(Double(record.value)),
        "place": record.place,
      ]
    }
  }

  package func documents(_ measurements: [DeviceID: [Measurement]]) -> [JSONObject] {
    measurements.sorted { $0.key < $1.key }.flatMap { device, figures in
      figures.map { figure -> JSONObject in
        [
          "trace": ids[device.index], "name": figure.name, "value": finite(figure.value),
          "unit": figure.unit,
        ]
      }
    }
  }
}

/// An app's log as lines for people.
package struct AppRows: RecordRows {
  /// By device.
  private let names: [String]
  private let screen: Screen

  package init(_ names: [String], screen: Screen) { (self.names, self.screen) = (names, screen) }

  private var width: Int { max(names.map { terminalWidth(inLine($0)) }.max() ?? 0, 3) }

  package func heading(_ format: OutputFormat) -> String {
    format == .csv
      ? "person,time,kind,text,value,unit,place\n"
      : "    time s  " + padded("who", to: width) + "  what happened\n"
  }

  package func row(_ record: DetectionRecord, _ format: OutputFormat) -> String {
    let event = AppEvent(record)
    if format == .csv {
      return csvRow([
        names[event.person.index], decimalSeconds(event.time.nanoseconds), event.kind, event.text,
        csvCell(event.value), event.unit, event.place.map(String.init) ?? "",
      ])
    }
    let name = padded(inLine(names[event.person.index]), to: width)
    let lead = padded(fixed(event.time.seconds, 3), to: 10, .right) + "  \(name)  "
    let rest = Screen(width: screen.width - terminalWidth(lead)).wrapped(inLine(event.text))
    let indent = "\n" + String(repeating: " ", count: terminalWidth(lead))
    return lead + rest.replacing("\n", with: indent) + "\n"
  }

  package func table(_ records: [DetectionRecord]) -> String {
    heading(.table) + records.map { row($0, .table) }.joined()
  }
}
