package import Evaluation
package import Results
import Scoring
package import TraceModel

/// The numbers of detections of a replay, compared with the numbers of events that its traces state.
package struct ReplayCounts {
  private let scores: [(trace: String, task: ReferenceTask, score: CountScore)]

  /// - Parameters:
  ///   - detections: of all devices, on the clock of the run.
  ///   - isWhole: whether the traces were played from start to end: a part has no count.
  package init(
    of detections: [DetectionRecord], _ played: PlayedTraces, task: ReferenceTask, isWhole: Bool
  ) {
    let devices = isWhole ? played.devices : []
    let names = played.names
    scores = devices.enumerated().compactMap { index, device in
      guard let count = device.trace.header.count(task) else { return nil }
      let header = device.trace.header
      let score = CountScore(
        count, detections: device.detections(of: index, in: detections),
        ignoreZones: header.ignoreZones)
      return (names[index], task, score)
    }
  }

  package func lines(_ screen: Screen) -> String {
    scores.map { trace, task, score in
      let error = SuiteTables.signed(score.error)
      let percent = score.percentError.map { " (\(TableCell.signed($0, 1)) %)" } ?? ""
      return screen.wrapped(
        "\(trace): \(score.detected) \(task.rawValue) events detected, \(score.stated) stated, "
          + "error \(error)\(percent)\n", indent: 2)
    }.joined()
  }

  /// nil if no trace has a count.
  package var documents: [JSONObject]? {
    scores.isEmpty
      ? nil
      : scores.map { ["trace": $0.trace, "task": $0.task, "figures": $0.score.figures.byName] }
  }
}

extension PlayedTraces.Device {
  /// The detections of the device with this number, on the clock of its trace.
  func detections(of index: Int, in all: [DetectionRecord]) -> [DetectionRecord] {
    all.filter { $0.device.index == index }.map { record in
      var record = record
      record.onset = record.onset.advanced(byNanoseconds: -start.nanoseconds)
      record.emitted = record.emitted.advanced(byNanoseconds: -start.nanoseconds)
      return record
    }
  }
}
