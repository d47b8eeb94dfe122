package import TraceModel
import TraceFormats

/// References as a label track of Audacity: start, end and label in seconds from the trace's zero on,
/// separated by tabs. `convert --reference` reads it back, to the nanosecond.
package enum AudacityLabels {
  package static func text(of events: [ReferenceEvent]) -> String {
    events.map { event in
      let label = event.originalLabel.isEmpty ? event.label : event.originalLabel
      return [decimalSeconds(event.onset.nanoseconds), decimalSeconds(event.offset.nanoseconds)]
        .joined(separator: "\t") + "\t" + inOneCell(label) + "\n"
    }.joined()
  }

  /// A tab or a line feed would end the label.
  private static func inOneCell(_ label: String) -> String {
    String(label.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}
