internal import HDF5
internal import TraceModel

/// Reads the root's attributes.
struct HeaderReader {
  let root: HDF5Group

  /// Reads the header, without the content of other groups.
  func header() throws(TraceError) -> TraceHeader {
    try requireSchema()
    var header = TraceHeader(
      id: try id(),
      origin: try named("origin", required("origin", text("origin"))) {
        TraceOrigin(rawValue: $0)
      })
    for (name, field) in headerTexts where name != "id" {
      header[keyPath: field] = try text(name) ?? ""
    }
    header.epoch = try epoch()
    header.isEpochKnown = try required("epoch_known", number("epoch_known", as: Int8.self)) != 0
    guard !header.isEpochKnown || header.epochNanoseconds != nil else {
      throw fault(
        "recorded_at", EpochTime.expectation(for: header.epoch, otherwise: "an instant"),
        found: "'\(header.epoch)'", remedy: "set epoch_known to 0 if the instant is not known")
    }
    header.end = TraceInstant(nanoseconds: try required("end", number("end", as: Int64.self)))
    header.seed = try number("seed", as: UInt64.self)
    if let hand = try text("handedness"), !hand.isEmpty {
      header.handedness = try named("handedness", hand) { Hand(name: $0) }
    }
    header.screen = try screen()
    return header
  }

  /// Returns the size of the screen; nil = the file states none.
  private func screen() throws(TraceError) -> ScreenSize? {
    let names = [NativeSchema.screenWidth, NativeSchema.screenHeight]
    let width = try number(names[0], as: Double.self)
    let height = try number(names[1], as: Double.self)
    guard width != nil || height != nil else { return nil }
    guard let width, let height else {
      throw fault(
        width == nil ? names[0] : names[1], "both sides of the screen", found: "one of them",
        remedy: "state screen_width and screen_height, or neither")
    }
    guard let size = ScreenSize(width: width, height: height) else {
      let isWidth = !ScreenSize.validRange.contains(width)
      throw fault(
        names[isWidth ? 0 : 1], "10 to 100000 points", found: "\(isWidth ? width : height)")
    }
    return size
  }

  private func requireSchema() throws(TraceError) {
    let schema = try text("schema")
    guard schema != NativeSchema.name else { return }
    throw fault(
      "schema", "'\(NativeSchema.name)'", found: schema.map { "'\($0)'" } ?? "no such attribute",
      remedy: schema?.hasPrefix("shadowbox-trace/") == true
        ? "convert it again: the file has another version of the format"
        : "pass a native trace: the file is HDF5 of another kind")
  }

  private func id() throws(TraceError) -> String {
    let id = try required("id", text("id"))
    guard !id.isEmpty else { throw fault("id", "a name", found: "an empty text") }
    return id
  }

  private func epoch() throws(TraceError) -> String {
    let epoch = try required("recorded_at", text("recorded_at"))
    guard isInstant(epoch) else {
      throw fault("recorded_at", "an instant such as 2022-05-01T10:00:03Z", found: "'\(epoch)'")
    }
    return epoch
  }

  private func text(_ name: String) throws(TraceError) -> String? {
    try stored(root.textAttribute(name))
  }

  private func number<Number: HDF5Number>(
    _ name: String, as type: Number.Type
  ) throws(TraceError) -> Number? {
    try stored(root.attribute(name, as: type))
  }

  private func required<Value>(_ name: String, _ value: Value?) throws(TraceError) -> Value {
    if let value { return value }
    throw fault(
      name, "an attribute of the root", found: "none",
      remedy: "see traces/FORMAT.md for the attributes that a trace must have")
  }

  private func named<Value>(
    _ name: String, _ text: String, _ value: (String) -> Value?
  ) throws(TraceError) -> Value {
    if let value = value(text) { return value }
    throw fault(name, "a word that traces/FORMAT.md lists", found: "'\(text)'")
  }

  private func fault(
    _ name: String, _ expected: String, found: String, remedy: String = ""
  ) -> TraceError {
    TraceError(
      place: "\(root.file.path):/@\(name)", expected: expected, found: found, remedy: remedy)
  }
}
