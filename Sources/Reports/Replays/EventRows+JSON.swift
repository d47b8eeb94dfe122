package import Detectors
package import Results
package import TraceModel

/// The events and measurements in the JSON of `replay`. Times are in seconds.
extension EventRows {
  package func documents(_ records: [DetectionRecord]) -> [JSONObject] {
    records.map { record in
      [
        "trace": ids[record.device.index], "onset": record.onset.seconds,
        "emitted": record.emitted.seconds, "kind": record.kind, "label": record.label,
        "original_label": record.originalLabel,
        "value": record.value.isFinite ? record.value : nil, "place": record.place,
      ]
    }
  }

  package func documents(_ measurements: [DeviceID: [Measurement]]) -> [JSONObject] {
    measurements.sorted { $0.key < $1.key }.flatMap { device, figures in
      figures.map { figure -> JSONObject in
        [
          "trace": ids[device.index], "name": figure.name,
          "value": figure.value.isFinite ? figure.value : nil, "unit": figure.unit,
        ]
      }
    }
  }
}
