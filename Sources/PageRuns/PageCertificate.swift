import Detectors
public import TraceModel

/// Runs of packed traces, from bytes to bytes, which must be the same on every processor.
///
/// The input is a list of runs: the detector (UInt8, see ``PageDetector``), the number of its values
/// (UInt8), the values (Float64), the length of the packed trace (UInt32) and its bytes. The output has
/// all detections and measurements in their order; a run that fails has its message instead.
public enum PageCertificate {
  public static func append(
    _ detector: PageDetector, _ values: [Double], on trace: Trace, channels: [Channel],
    to input: inout [UInt8]
  ) {
    var writer = ByteWriter(bytes: input)
    let packed = PackedTrace.bytes(of: trace, channels: channels)
    writer.put(UInt8(detector.rawValue))
    writer.put(UInt8(values.count))
    for value in values { writer.put(value.bitPattern) }
    writer.put(UInt32(packed.count))
    input = writer.bytes + packed
  }

  public static func output(of input: [UInt8]) -> [UInt8] {
    var reader = ByteReader(input)
    var writer = ByteWriter()
    while !reader.isAtEnd {
      do throws(TraceError) {
        let detector = Int(try reader.byte())
        let count = Int(try reader.byte())
        var values: [Double] = []
        for _ in 0..<count { values.append(Double(bitPattern: try reader.integer(UInt64.self))) }
        let length = Int(try reader.integer(UInt32.self))
        let trace = try PackedTrace.trace(from: try reader.bytes(length))
        guard let detector = PageDetector(rawValue: detector) else {
          throw ByteReader.fault("a detector", found: "\(detector)")
        }
        let run = try detector.run(values, on: trace)
        for detection in run.detections { writer.put(detection) }
        for measurement in run.measurements { writer.put(measurement.value.bitPattern) }
      } catch {
        writer.put(error.description)
        return writer.bytes
      }
    }
    return writer.bytes
  }
}

extension ByteWriter {
  fileprivate mutating func put(_ detection: DetectionRecord) {
    put(detection.onset.nanoseconds)
    put(detection.emitted.nanoseconds)
    put(detection.newestMeasured.nanoseconds)
    put(detection.value.bitPattern)
    put(detection.score?.bitPattern ?? 0)
    put(detection.place ?? .min)
    put(detection.kind)
    put(detection.label)
    put(detection.originalLabel)
  }
}
