import Diagnostics
import Apps
import Evaluation
import Scoring
import TraceFormats
package import TraceModel

/// An app's log as lines for people, printed one by one while it is played or all at the end.
package struct AppRows: RecordRows {
  /// By device.
  private let names: [String]

  package init(_ names: [String]) {
    self.names = names
  }

  private var width: Int { max(names.map { terminalWidth(inLine($0)) }.max() ?? 0, 3) }

  package func heading(_ format: OutputFormat) -> String {
    format == .csv
      ? "person,time,kind,text,value,unit,place\n"
      : "    time s  " + padded("who") + "  what happened\n"
  }

  package func row(_ record: DetectionRecord, _ format: OutputFormat) -> String {
    let event = AppEvent(record)
    if format == .csv {
      return csvRow([
        names[event.person.index], decimalSeconds(event.time.nanoseconds), event.kind, event.text,
        csvCell(event.value), event.unit, event.place.map(String.init) ?? "",
      ])
    }
    let time = fixed(event.time.seconds, 3)
    return String(repeating: " ", count: max(0, 10 - time.count)) + time + "  "
      + padded(inLine(names[event.person.index])) + "  " + inLine(event.text) + "\n"
  }

  package func table(_ records: [DetectionRecord]) -> String {
    heading(.table) + records.map { row($0, .table) }.joined()
  }

  private func padded(_ name: String) -> String {
    name + String(repeating: " ", count: max(0, width - terminalWidth(name)))
  }
}
