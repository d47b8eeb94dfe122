import TraceModel

/// The content of Sensor Logger's `Metadata.csv`.
struct SensorLoggerMetadata {
  /// The direction of accelerations.
  enum Signs {
    case android, ios, unknown
  }

  private var values: [String: String] = [:]
  private let hasFile: Bool

  init(_ files: RecordingFiles, _ recording: inout AppRecording) throws(TraceError) {
    let entry = SensorLoggerFormat.entry("metadata", in: files)
    hasFile = entry != nil
    guard let entry else { return }
    var scanner = try DelimitedScanner(files.open(entry), separator: nil)
    guard try scanner.next() else { return }
    let names = scanner.texts
    guard try scanner.next() else { return }
    if let damage = RecordReader.damage(of: scanner, columnCount: names.count) {
      try recording.lose(damage)
      return
    }
    for (index, name) in names.enumerated() { values[name.lowercased()] = scanner.text(index) }
  }

  private func value(_ name: String) -> String { values[name] ?? "" }

  private var platform: String { value("platform").lowercased() }

  /// "Standardise Units & Frames", which exists since version 1.29 and is off by default: a
  /// recording that does not state it was made without it.
  private var isStandardised: Bool { value("standardisation").lowercased() == "true" }

  /// The signs, by the platform and the standardisation flag; unknown without a platform.
  var signs: Signs {
    switch platform {
    case "android": .android
    case "ios": isStandardised ? .android : .ios
    default: .unknown
    }
  }

  /// The unit of AccelerometerUncalibrated; nil = not known.
  var uncalibratedUnit: String? { signs == .unknown ? nil : signs == .ios ? "g" : "m/s2" }

  func describe(_ header: inout TraceHeader) {
    header.device = [value("device name"), value("platform")].filter { !$0.isEmpty }
      .joined(separator: ", ")
    if !value("appversion").isEmpty { header.source += ", Sensor Logger \(value("appversion"))" }
  }

  /// Reports how the signs of accelerations were decided.
  func reportSigns(
    of tables: [SensorTable], _ wanted: SignConvention, _ report: inout ImportReport
  ) {
    guard tables.contains(where: \.isAcceleration) else { return }
    let flag = values["standardisation"].map { "standardisation \($0)" } ?? "no standardisation"
    switch signs {
    case .android:
      report.notes.append(
        "Accelerations have Android's signs (Metadata.csv: platform \(platform), \(flag)).")
    case .ios:
      report.findings.append(
        Finding(
          "ios-signs", .note, place: "Metadata.csv",
          message: "Accelerations have the signs of iOS, opposite to Android's (platform ios, "
            + "\(flag)): \(wanted.treatmentOfIOS)."))
    case .unknown:
      report.findings.append(
        Finding(
          "unknown-signs", wanted == .android ? .warning : .note, place: "Metadata.csv",
          message: (hasFile ? "Metadata.csv names no platform" : "There is no Metadata.csv")
            + ", so it is unknown whether accelerations have the signs of Android or iOS; they are "
            + "kept."))
    }
  }
}

/// The annotations that a person wrote into `Annotation.csv` while recording.
struct SensorLoggerAnnotations {
  /// Times are nanoseconds from 1970.
  private var annotations: [(time: Int64, text: String)] = []
  private static let mostListed = 20

  /// Nil = there is no such file.
  init?(_ files: RecordingFiles, _ recording: inout AppRecording) throws(TraceError) {
    guard let entry = SensorLoggerFormat.entry("annotation", in: files) else { return nil }
    var scanner = try DelimitedScanner(files.open(entry), separator: nil)
    guard try scanner.next() else { return nil }
    let names = scanner.texts
    guard let time = names.firstIndex(of: "time"), let text = names.firstIndex(of: "text") else {
      recording.report.unmappedColumns.append(shown(entry.name))
      return
    }
    while try scanner.next() {
      do throws(TraceError) {
        if let damage = RecordReader.damage(of: scanner, columnCount: names.count) { throw damage }
        annotations.append((try scanner.time(time, power: 0), scanner.text(text)))
      } catch {
        try recording.lose(error)
      }
    }
  }

  /// Turns annotations that name punches into references, and reports all annotations.
  func apply(to imported: inout ImportedTrace) {
    let origin = imported.origin
    var events: [ReferenceEvent] = []
    for annotation in annotations {
      let (label, hand) = PunchLabel.classify(annotation.text)
      guard label != "unknown" else { continue }
      events.append(
        ReferenceEvent(
          onset: TraceInstant(annotation.time, since: origin), label: label,
          originalLabel: annotation.text, hand: hand))
    }
    if !events.isEmpty {
      imported.header.references.append(
        ReferenceSet(
          task: .punch, events: events.sorted { $0.onset < $1.onset },
          definition: "annotation made by hand while recording"))
      imported.report.notes.append(
        "\(events.count) of \(annotations.count) annotations name punches and become references.")
    }
    for annotation in annotations.prefix(Self.mostListed) {
      let time = decimalSeconds(annotation.time.subtractingClamped(origin))
      imported.report.notes.append("Annotation at \(time) s: \(Excerpt.of(annotation.text)).")
    }
    if annotations.count > Self.mostListed {
      imported.report.notes.append(
        "\(annotations.count - Self.mostListed) more annotations follow.")
    }
  }
}
