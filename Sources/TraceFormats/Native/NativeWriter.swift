internal import HDF5
internal import TraceModel

struct NativeWriter {
  let path: String
  /// Whether readings are compressed.
  var isPacked = true

  /// The header is checked and the file opened before the first reading, so that errors occur
  /// early.
  func write(_ source: some TraceSource) throws(TraceError) {
    let header = source.header
    try HeaderCheck(path: path).check(header)
    let end = try StatedEnd(of: header, file: path)
    let file = try writing { () throws(HDF5Error) in try HDF5File.create(atomicallyAt: path) }
    let root = try writing(file.root)
    try writing { () throws(HDF5Error) in try write(header, to: root) }
    for info in header.channels {
      try write(info, of: source, to: root, epoch: header.epoch, end: end)
    }
    try writing { () throws(HDF5Error) in
      try write(header.places, to: root)
      try writeReferences(header, to: root)
      try write(header.ignoreZones, to: root, epoch: header.epoch)
      try root.close()
      try file.commit()
    }
  }

  private func write(_ header: TraceHeader, to root: HDF5Group) throws(HDF5Error) {
    try root.setAttribute("Conventions", NativeSchema.conventions)
    try root.setAttribute("schema", NativeSchema.name)
    for text in headerTexts { try root.setAttribute(text.name, header[keyPath: text.field]) }
    try root.setAttribute("origin", header.origin.rawValue)
    try root.setAttribute("handedness", header.handedness.name)
    try root.setAttribute("epoch_known", header.isEpochKnown ? 1 : 0 as Int8)
    try root.setAttribute("end", header.end.nanoseconds)
    if let seed = header.seed { try root.setAttribute("seed", seed) }
    if let screen = header.screen {
      try root.setAttribute(NativeSchema.screenWidth, screen.width)
      try root.setAttribute(NativeSchema.screenHeight, screen.height)
    }
  }

  private func write(
    _ info: ChannelInfo, of source: some TraceSource, to root: HDF5Group, epoch: String,
    end: StatedEnd
  ) throws(TraceError) {
    let channel = try writing { () throws(HDF5Error) in
      try ChannelWriter(info, in: root, epoch: epoch, end: end, isPacked: isPacked)
    }
    while let block = try source.nextBlock(of: info.channel, limit: NativeSchema.chunkRows),
      !block.isEmpty
    {
      try channel.append(block)
    }
    try channel.finish()
  }

  private func write(_ places: [Place], to root: HDF5Group) throws(HDF5Error) {
    guard !places.isEmpty else { return }
    let table = try TableWriter(root.createGroup("place"), count: places.count)
    try table.addDimension(NativeSchema.placeID, places.map(\.id))
    try table.add(NativeSchema.latitude, places.map(\.latitude))
    try table.add(NativeSchema.longitude, places.map(\.longitude))
    try table.add(NativeSchema.radius, places.map(\.radius))
    try table.add(NativeSchema.rank, places.map(\.rank))
    try table.finish()
  }

  private func writeReferences(_ header: TraceHeader, to root: HDF5Group) throws(HDF5Error) {
    guard !header.references.isEmpty || !header.counts.isEmpty || header.track != nil else {
      return
    }
    let group = try root.createGroup("reference")
    for reference in header.references { try write(reference, to: group, epoch: header.epoch) }
    try write(header.counts, to: group)
    if let track = header.track { try write(track, to: group, epoch: header.epoch) }
    try group.close()
  }

  private func write(
    _ reference: ReferenceSet, to references: HDF5Group, epoch: String
  ) throws(HDF5Error) {
    let group = try references.createGroup(reference.task.rawValue)
    if let tolerance = reference.tolerance {
      try group.setAttribute("tolerance", tolerance.nanoseconds)
    }
    if !reference.definition.isEmpty { try group.setAttribute("definition", reference.definition) }
    let events = reference.events
    let table = TableWriter(group, count: events.count)
    try table.addNumbers(NativeSchema.event)
    try table.add(NativeSchema.onset.asTime(epoch: epoch), events.map(\.onset.nanoseconds))
    try table.add(NativeSchema.offset.asTime(epoch: epoch), events.map(\.offset.nanoseconds))
    try table.addTexts(NativeSchema.label, events.map(\.label))
    try table.addTexts(NativeSchema.originalLabel, events.map(\.originalLabel))
    try table.add(NativeSchema.hand, events.map(\.hand.rawValue))
    try table.add(NativeSchema.place, events.map { $0.place ?? NativeSchema.noPlace })
    var value = NativeSchema.value
    value.units = reference.valueUnits
    try table.add(value, events.map(\.value))
    try table.finish()
  }

  /// Writes a group without columns for each count: it is one number.
  private func write(_ counts: [ReferenceCount], to references: HDF5Group) throws(HDF5Error) {
    guard !counts.isEmpty else { return }
    let group = try references.createGroup(NativeSchema.counts)
    for count in counts {
      let own = try group.createGroup(count.task.rawValue)
      try own.setAttribute(NativeSchema.countAttribute, Int64(count.count))
      if !count.definition.isEmpty { try own.setAttribute("definition", count.definition) }
      try own.close()
    }
    try group.close()
  }

  private func write(
    _ track: ReferenceTrack, to references: HDF5Group, epoch: String
  ) throws(HDF5Error) {
    let table = try TableWriter(references.createGroup("track"), count: track.times.count)
    try table.addDimension(NativeSchema.time.asTime(epoch: epoch), track.times)
    try table.add(NativeSchema.latitude, track.latitudes)
    try table.add(NativeSchema.longitude, track.longitudes)
    try table.finish()
  }

  private func write(_ zones: [IgnoreZone], to root: HDF5Group, epoch: String) throws(HDF5Error) {
    guard !zones.isEmpty else { return }
    let table = try TableWriter(root.createGroup("ignore"), count: zones.count)
    try table.addNumbers(NativeSchema.event)
    try table.add(NativeSchema.onset.asTime(epoch: epoch), zones.map(\.onset.nanoseconds))
    try table.add(NativeSchema.offset.asTime(epoch: epoch), zones.map(\.offset.nanoseconds))
    try table.finish()
  }
}

/// Checks for content that the format cannot store.
private struct HeaderCheck {
  var path: String

  func check(_ header: TraceHeader) throws(TraceError) {
    guard !header.id.isEmpty else { throw fault("@id", "a name", found: "an empty text") }
    guard isInstant(header.epoch) else {
      throw fault(
        "@recorded_at", "an instant such as 2022-05-01T10:00:03Z", found: "'\(header.epoch)'",
        remedy: "use \(TraceHeader.unknownEpoch) where the wall clock is unknown")
    }
    for text in headerTexts { try check(header[keyPath: text.field], of: "@" + text.name) }
    try checkUnique(header.channels.map(\.channel.name), "channels")
    try checkUnique(
      (header.references.map(\.task) + header.counts.map(\.task)).map(\.rawValue),
      "reference tasks")
    for info in header.channels { try check(info) }
    for place in header.places where place.id == NativeSchema.noPlace {
      throw refused(place.id, of: "place/id")
    }
    for reference in header.references { try check(reference) }
    for count in header.counts { try check(count) }
  }

  private func check(_ info: ChannelInfo) throws(TraceError) {
    for (name, text) in info.attributes {
      let owner = "\(info.channel.name)@\(name)"
      guard isAttributeName(name) else {
        throw fault(owner, "a name of letters, digits and underscores", found: "'\(name)'")
      }
      try check(text, of: owner)
    }
    guard info.count >= 0 else {
      throw fault(info.channel.name, "a count of readings", found: "\(info.count)")
    }
  }

  private func check(_ reference: ReferenceSet) throws(TraceError) {
    let name = "reference/\(reference.task.rawValue)"
    try check(reference.valueUnits, of: name + "/value@units")
    try check(reference.definition, of: name + "@definition")
    for event in reference.events where event.place == NativeSchema.noPlace {
      throw refused(NativeSchema.noPlace, of: name + "/place")
    }
  }

  private func check(_ count: ReferenceCount) throws(TraceError) {
    let name = "reference/\(NativeSchema.counts)/\(count.task.rawValue)"
    try check(count.definition, of: name + "@definition")
    guard count.task.isCountable, (0...ReferenceCount.greatest).contains(count.count) else {
      let tasks = ReferenceTask.countable.map(\.rawValue).joined(separator: ", ")
      throw fault(
        name, "a number of \(tasks) from 0 to \(ReferenceCount.greatest)", found: "\(count.count)")
    }
  }

  private func check(_ text: String, of name: String) throws(TraceError) {
    if text.utf8.contains(0) { throw fault(name, "a text without NUL", found: "one with NUL") }
  }

  private func checkUnique(_ names: [String], _ what: String) throws(TraceError) {
    guard Set(names).count != names.count else { return }
    throw TraceError(
      place: path, expected: "unique \(what)",
      found: names.sorted().joined(separator: ", "))
  }

  private func refused(_ id: Int32, of name: String) -> TraceError {
    fault(name, "an id other than \(id), which means no place", found: "\(id)")
  }

  private func fault(
    _ name: String, _ expected: String, found: String, remedy: String = ""
  ) -> TraceError {
    TraceError(place: "\(path):/\(name)", expected: expected, found: found, remedy: remedy)
  }
}
