import Diagnostics
import TraceFormats
import TraceModel

/// The references that the options state.
extension ConvertCommand {
  /// The file's own reference sets, with those that the options replace.
  func references(
    of header: TraceHeader, _ imported: inout Imported
  ) throws -> [ReferenceSet] {
    var sets = header.references
    if let reference {
      let events = try LabelReader.read(
        reference, for: header.id, origin: imported.trace.labelOrigin)
      guard !events.isEmpty else {
        throw Failure(
          .badData,
          "\(reference): expected labels of \(header.id), found none; name the trace with --id as "
            + "the file names it, or say --without punch")
      }
      let inside = try labels(events, within: header, of: reference, imported.trace.labelOrigin)
      imported.labelsOutside = events.count - inside.count
      sets.removeAll { $0.task == .punch }
      sets.append(ReferenceSet(task: .punch, events: inside))
    }
    for name in without {
      let task = try ReferenceTask(name, of: "--without")
      sets.removeAll { $0.task == task }
      sets.append(ReferenceSet(task: task, events: []))
    }
    if let tolerance {
      let value = try time(tolerance, of: "--tolerance", "a time such as 400ms")
      for index in sets.indices { sets[index].tolerance = value }
    }
    if let definition {
      for index in sets.indices { sets[index].definition = definition }
    }
    return sets
  }

  /// The labels within the recording. If most are outside, they belong to another recording or have
  /// another unit.
  private func labels(
    _ events: [ReferenceEvent], within header: TraceHeader, of file: String, _ origin: Int64
  ) throws -> [ReferenceEvent] {
    let inside = events.filter { $0.onset >= .zero && $0.onset <= header.end }
    let first = events.first { $0.onset < .zero || $0.onset > header.end }
    guard let first, inside.count * 2 < events.count else { return inside }
    let isLarge = (events.map(\.onset).max() ?? .zero).seconds > 100 * header.end.seconds
    throw Failure(
      .badData,
      "\(file): expected onsets within the \(header.end.seconds) s of \(header.id), found "
        + "\(events.count - inside.count) of \(events.count) outside, the first at "
        + "\(first.onset.advanced(byNanoseconds: origin).seconds) s"
        + (isLarge ? "; are they in milliseconds? Labels count in seconds" : ""))
  }
}
