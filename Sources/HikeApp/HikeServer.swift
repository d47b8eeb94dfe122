public import AppEngines
public import TraceModel

/// The server: checks whether a phone's content is current, provides the content, and stores
/// check-ins.
///
/// It stores one check-in per location, route and device, with the earliest time: lost, late,
/// duplicated or reordered requests give the same result. A ``ReplyMemory`` recognises repeated
/// uploads.
public struct HikeServer: AppEngine {
  public static let name = "hike-server"
  public static let stateVersion = 2
  /// The maximum number of check-ins per request. A phone sends no more in one.
  static let requestLimit = 10_000
  /// The maximum length of an id in bytes.
  static let idLimit = 256

  public enum Input: Hashable, Sendable, Codable {
    case publish(HikeContent)
    /// A ping with the version of the phone's content.
    case ping(device: String, number: Int, version: String)
    case content(device: String, number: Int)
    case checkIns(HikeUpload)
  }

  public enum Effect: Hashable, Sendable, Codable {
    case answer(to: String, Answer)
  }

  public enum Answer: Hashable, Sendable, Codable {
    /// The phone's content is current.
    case current(number: Int)
    case update(number: Int)
    case content(number: Int, HikeDownload)
    case stored(RequestStamp)
    /// They are, and these are all of the phone.
    case storedAll(RequestStamp, [HikeCheckIn])
    /// They are not, because the number of that request does not fit: continue from the position.
    case outOfStep(RequestStamp, StampPosition)
  }

  /// The reply to an upload that is stored.
  private enum Receipt: String, Hashable, Sendable, Codable {
    case stored
  }

  public struct Stored: Hashable, Sendable, Codable {
    public var device: String
    public var route: String
    public var location: String
    public var timestamp: WallTime
  }

  public private(set) var published: HikeContent
  /// The check-ins by device, route and location.
  public private(set) var checkIns: [Stored] = []
  private var receipts = ReplyMemory<String, Receipt>(.parallel, window: 4 * HikeEngine.keptUploads)

  public init(content: HikeContent) { published = content }

  public mutating func handle(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    switch input {
    case .publish(let content):
      published = content
    case .ping(let device, let number, let version):
      try checkID(device, of: "device")
      effects.append(
        .answer(
          to: device,
          version == published.version ? .current(number: number) : .update(number: number)))
    case .content(let device, let number):
      try checkID(device, of: "device")
      let download = HikeDownload(content: published, checksum: published.version)
      effects.append(.answer(to: device, .content(number: number, download)))
    case .checkIns(let upload):
      try check(upload)
      effects.append(.answer(to: upload.device, store(upload)))
    }
  }

  public var violations: [String] {
    let isInOrder = zip(checkIns, checkIns.dropFirst()).allSatisfy { $0.order < $1.order }
    return receipts.violations
      + (isInOrder ? [] : ["a check-in is stored twice or out of order"])
  }

  private mutating func store(_ upload: HikeUpload) -> Answer {
    switch receipts.verdict(on: upload.stamp, from: upload.device) {
    case .known: break
    case .outOfStep(let position): return .outOfStep(upload.stamp, position)
    case .new:
      for checkIn in upload.checkIns { keep(checkIn, of: upload.device) }
      receipts.remember(.stored, to: upload.stamp, from: upload.device)
    }
    guard upload.wantsAll else { return .stored(upload.stamp) }
    let all = checkIns.lazy.filter { $0.device == upload.device }.prefix(HikeEngine.mostRecovered)
    return .storedAll(
      upload.stamp,
      all.map { HikeCheckIn(location: $0.location, route: $0.route, timestamp: $0.timestamp) })
  }

  private mutating func keep(_ checkIn: HikeCheckIn, of device: String) {
    let new = Stored(
      device: device, route: checkIn.route, location: checkIn.location,
      timestamp: checkIn.timestamp)
    let position = checkIns.partitioningIndex { $0.order >= new.order }
    if position < checkIns.count, checkIns[position].order == new.order {
      checkIns[position].timestamp = min(checkIns[position].timestamp, new.timestamp)
    } else {
      checkIns.insert(new, at: position)
    }
  }

  private func check(_ upload: HikeUpload) throws(Refusal) {
    try checkID(upload.device, of: "device")
    guard upload.checkIns.count <= Self.requestLimit else {
      throw Refusal(
        "too-many-check-ins", "Send at most \(Self.requestLimit) check-ins in one request.")
    }
    for checkIn in upload.checkIns {
      try checkID(checkIn.location, of: "location")
      try checkID(checkIn.route, of: "route")
    }
  }

  /// Whether it can be stored. A request with one that cannot is refused as a whole.
  static func accepts(_ checkIn: HikeCheckIn) -> Bool {
    isID(checkIn.location) && isID(checkIn.route)
  }

  private static func isID(_ id: String) -> Bool { (1...idLimit).contains(id.utf8.count) }

  private func checkID(_ id: String, of what: String) throws(Refusal) {
    guard Self.isID(id) else {
      throw Refusal(
        "bad-id", "The \(what)'s id has \(id.utf8.count) bytes; expected 1 to \(Self.idLimit).")
    }
  }
}

extension HikeServer.Stored {
  fileprivate var order: (String, String, String) { (device, route, location) }
}
