import Detectors
import Diagnostics
import Evaluation
import TraceFormats
import TraceModel

/// The traces of a recording, completed by the options.
extension ConvertCommand {
  struct Imported {
    var trace: ImportedTrace
    /// The filter that adds a channel without gravity; nil = no filter.
    var gravityFilter: GravityFilter.Parameters?
    /// The parts of a native file that no trace holds.
    var unread: [String] = []
    /// The number of labels outside of the recording, which are left out.
    var labelsOutside = 0
    /// The parts that the options replaced.
    var replaced: [String] = []
    /// The repairs, a line each.
    var repairs: [String] = []

    init(_ trace: ImportedTrace, unread: [String] = []) {
      self.trace = trace
      self.unread = unread
    }

    /// The trace to write, from its start.
    var source: any TraceSource {
      guard let gravityFilter else { return trace.source }
      return GravityFreeSource(trace.source, copy: trace.source, parameters: gravityFilter)
    }

    /// The header of the trace to write.
    var header: TraceHeader { source.header }
  }

  /// Adds the facts that the options state.
  func complete(_ imported: inout Imported) throws {
    var header = imported.trace.header
    if let id, importing.splitBy == nil { header.id = id }
    if let subject { header.subject = subject }
    if let activity { header.activity = activity }
    if let device { header.device = device }
    if let placement { header.placement = placement }
    if let source { header.source = source }
    if let license { header.license = license }
    let sets = try references(of: header, &imported)
    imported.replaced = header.references.filter { old in
      !sets.contains { $0.task == old.task && $0.events == old.events }
    }.map { "reference \($0.task.rawValue) (\($0.events.count) events)" }
    header.references = sets.sorted { $0.task < $1.task }
    imported.trace.header = header
    if let parameters = try gravityRemoval.parameters() {
      imported.gravityFilter = parameters
      if try gravityRemoval.replacesChannel(of: header, input) {
        imported.replaced.append("channel user_acceleration")
      }
    }
  }
}
