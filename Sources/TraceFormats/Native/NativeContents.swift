internal import Files
internal import Foundation
internal import HDF5
internal import TraceModel

/// The content of a native trace without its readings, which is read when it is opened.
struct NativeContents {
  private(set) var header: TraceHeader
  private(set) var channels: [Channel: ChannelReader] = [:]
  private(set) var unread: [String] = []
  private let root: HDF5Group
  private let end: StatedEnd

  init(path: String) throws(TraceError) {
    try Self.requireFile(path)
    root = try stored(HDF5File.open(path).root())
    header = try HeaderReader(root: root).header()
    end = try StatedEnd(of: header, file: path)
    try readGroups()
  }

  private mutating func readGroups() throws(TraceError) {
    for name in try stored(root.links()) {
      if let channel = Channel(name: name) {
        try readChannel(channel)
        continue
      }
      switch name {
      case "place": try readPlaces()
      case "reference": try readReferences()
      case "ignore": try readIgnoreZones()
      default: unread.append("/" + name)
      }
    }
    header.channels = channels.values.map(\.info).sorted { $0.channel < $1.channel }
    header.references.sort { $0.task < $1.task }
    header.counts.sort { $0.task < $1.task }
    try requireOneReference()
  }

  private mutating func readChannel(_ channel: Channel) throws(TraceError) {
    let reader = try ChannelReader(
      channel, group(channel.name, of: root), epoch: header.epoch, end: end)
    channels[channel] = reader
    unread += reader.unread
  }

  private mutating func readPlaces() throws(TraceError) {
    let table = try TableReader(
      group("place", of: root), epoch: header.epoch, first: NativeSchema.placeID)
    let ids: [Int32] = try table.values(NativeSchema.placeID) ?? []
    let latitudes: [Double] = try table.values(NativeSchema.latitude) ?? []
    let longitudes: [Double] = try table.values(NativeSchema.longitude) ?? []
    let radii: [Double] = try table.values(NativeSchema.radius) ?? []
    let ranks: [Int32] = try table.values(NativeSchema.rank) ?? []
    header.places = ids.indices.map {
      Place(
        id: ids[$0], latitude: latitudes[$0], longitude: longitudes[$0], radius: radii[$0],
        rank: ranks[$0])
    }
    unread += try table.unread()
  }

  private mutating func readReferences() throws(TraceError) {
    let references = try group("reference", of: root)
    for name in try stored(references.links()) {
      if let task = ReferenceTask(rawValue: name) {
        try readReference(task, group(name, of: references))
      } else if name == "track" {
        try readTrack(group(name, of: references))
      } else if name == NativeSchema.counts {
        try readCounts(group(name, of: references))
      } else {
        unread.append("/reference/" + name)
      }
    }
  }

  private mutating func readCounts(_ counts: HDF5Group) throws(TraceError) {
    for name in try stored(counts.links()) {
      guard let task = ReferenceTask(rawValue: name), task.isCountable else {
        unread.append("\(counts.path)/\(name)")
        continue
      }
      let group = try group(name, of: counts)
      let count = try stored(group.attribute(NativeSchema.countAttribute, as: Int64.self))
      guard let count, (0...Int64(ReferenceCount.greatest)).contains(count) else {
        throw TraceError(
          place: "\(root.file.path):\(group.path)@\(NativeSchema.countAttribute)",
          expected: "a number of events from 0 to \(ReferenceCount.greatest)",
          found: count.map { "\($0)" } ?? "no such attribute")
      }
      let definition = try stored(group.textAttribute("definition")) ?? ""
      header.counts.append(ReferenceCount(task: task, count: Int(count), definition: definition))
      unread += try stored(group.links()).map { "\(group.path)/\($0)" }
    }
  }

  private func requireOneReference() throws(TraceError) {
    guard let double = header.counts.first(where: { header.reference($0.task) != nil }) else {
      return
    }
    let name = double.task.rawValue
    throw TraceError(
      place: "\(root.file.path):/reference/\(NativeSchema.counts)/\(name)",
      expected: "the events of \(name) or their count", found: "both",
      remedy: "remove the count: the events say more")
  }

  private mutating func readReference(
    _ task: ReferenceTask, _ group: HDF5Group
  ) throws(TraceError) {
    let table = try TableReader(group, epoch: header.epoch, first: NativeSchema.onset)
    var reference = ReferenceSet(task: task, events: [])
    reference.tolerance = try stored(group.attribute("tolerance", as: Int64.self))
      .map { .nanoseconds($0) }
    reference.definition = try stored(group.textAttribute("definition")) ?? ""
    reference.events = try events(table)
    if let dataset = try table.dataset(NativeSchema.value.optional, as: .float64) {
      reference.valueUnits = try stored(dataset.textAttribute("units")) ?? ""
    }
    header.references.append(reference)
    unread += try table.unread(ignoring: [NativeSchema.event])
  }

  /// Returns the events sorted by onset, then offset. All columns other than the times are
  /// optional.
  private func events(_ table: TableReader) throws(TraceError) -> [ReferenceEvent] {
    let onsets = try table.times(NativeSchema.onset)
    let offsets = try table.times(NativeSchema.offset)
    let labels = try table.decoded(NativeSchema.label.optional) { $0 }
    let originals = try table.decoded(NativeSchema.originalLabel.optional) { $0 }
    let hands = try table.decoded(NativeSchema.hand.optional) { Hand(name: $0) }
    let places: [Int32]? = try table.values(NativeSchema.place.optional)
    let values: [Double]? = try table.values(NativeSchema.value.optional)
    // Events of the same times stay in the order of their rows.
    let order = onsets.indices.sorted {
      (onsets[$0], offsets[$0], $0) < (onsets[$1], offsets[$1], $1)
    }
    return order.map { row in
      ReferenceEvent(
        onset: TraceInstant(nanoseconds: onsets[row]),
        offset: TraceInstant(nanoseconds: offsets[row]), label: labels?[row] ?? "",
        originalLabel: originals?[row], hand: hands?[row] ?? .unknown,
        place: places.flatMap { $0[row] == NativeSchema.noPlace ? nil : $0[row] },
        value: values?[row] ?? .nan)
    }
  }

  private mutating func readTrack(_ group: HDF5Group) throws(TraceError) {
    let table = try TableReader(group, epoch: header.epoch, first: NativeSchema.time)
    header.track = ReferenceTrack(
      times: try table.times(NativeSchema.time),
      latitudes: try table.values(NativeSchema.latitude) ?? [],
      longitudes: try table.values(NativeSchema.longitude) ?? [])
    unread += try table.unread()
  }

  private mutating func readIgnoreZones() throws(TraceError) {
    let table = try TableReader(
      group("ignore", of: root), epoch: header.epoch, first: NativeSchema.onset)
    let onsets = try table.times(NativeSchema.onset)
    let offsets = try table.times(NativeSchema.offset)
    header.ignoreZones = zip(onsets, offsets).map {
      IgnoreZone(onset: TraceInstant(nanoseconds: $0), offset: TraceInstant(nanoseconds: $1))
    }
    unread += try table.unread(ignoring: [NativeSchema.event])
  }

  private func group(_ name: String, of parent: HDF5Group) throws(TraceError) -> HDF5Group {
    guard try stored(parent.kind(of: name)) == .group else {
      let path = parent.path == "/" ? "/\(name)" : "\(parent.path)/\(name)"
      throw TraceError(
        place: "\(root.file.path):\(path)", expected: "a group", found: "something else")
    }
    return try stored(parent.openGroup(name))
  }

  /// Checks for failures that the library does not distinguish: no file, a folder, an empty file, a
  /// file of another format.
  private static func requireFile(_ path: String) throws(TraceError) {
    func refused(_ expected: String, _ found: String? = nil, _ remedy: String = "") -> TraceError {
      TraceError(
        .inputOutput, place: path, expected: expected,
        found: found ?? String(cString: strerror(errno)), remedy: remedy)
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw refused("a file", nil, "check the path") }
    try InputDescriptor.requireRegular(path)
    guard access(path, R_OK) == 0 else { throw refused("a readable file") }
    guard !NativeTrace.isNative(path) else { return }
    let (found, remedy) =
      status.st_size == 0
      ? ("an empty file", "")
      : NativeTrace.isPointer(path)
        ? ("a pointer of Git LFS to it", "fetch it with git lfs pull")
        : ("a file of another format", "convert other formats with shadowbox convert")
    throw TraceError(place: path, expected: "an HDF5 file", found: found, remedy: remedy)
  }
}

extension Hand {
  init?(name: String) {
    guard let hand = Hand.allCases.first(where: { $0.name == name }) else { return nil }
    self = hand
  }
}
