import AppEngines
import TraceModel

/// The check-ins of a saved ``HikeEngine`` of any version that can be read without the rest of its
/// state.
///
/// A state that cannot be opened any more is decoded as this; a new engine gets the records as
/// ``HikeEngine/Input/recovered(_:)``. A record that is damaged or of an unknown form is left out.
public struct HikeWaiting: Sendable, Decodable {
  /// The anonymous id of the phone, under which the server knows its check-ins; nil = unreadable.
  public var device: String?
  public var records: [HikeRecord]

  private enum CodingKeys: String, CodingKey {
    case device, records
  }

  /// An element that may be unreadable.
  private struct Record: Decodable {
    var record: HikeRecord?

    init(from decoder: any Decoder) throws {
      record = try? HikeRecord(from: decoder)
    }
  }

  /// - Throws: only if the saved state is not an object with keys.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    device = try? values.decode(String.self, forKey: .device)
    let found = (try? values.decode([Record].self, forKey: .records)) ?? []
    records = found.compactMap(\.record)
  }

  /// The records that the server has not confirmed.
  public var waiting: [HikeRecord] { records.filter { !$0.isUploaded } }
}

extension HikeEngine {
  /// Adds records of another state of this phone. A visit that is recorded already stays one.
  mutating func recover(
    _ recovered: [HikeRecord], at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    guard recovered.count <= HikeEngine.mostRecovered else {
      throw Refusal(
        "too-many-records",
        "At most \(HikeEngine.mostRecovered) check-ins can be recovered at a time.")
    }
    keep(recovered)
    if let key = walk?.key { reopenWalk(as: key, into: &effects) }
    giveLateReward(into: &effects)
    effects.append(.save)
    upload(at: now, into: &effects)
  }

  /// A visit that is recorded: one of these is recorded once.
  private struct Visit: Hashable {
    var key: HikeRouteKey
    var location: String
  }

  private mutating func keep(_ recovered: [HikeRecord]) {
    var known: [Visit: Int] = [:]
    var gone: Set<HikeRecord> = []
    func note(_ index: Int, in records: [HikeRecord]) {
      let record = records[index]
      if record.gone == nil {
        known[Visit(key: record.key, location: record.location)] = index
      } else {
        gone.insert(record)
      }
    }
    for index in records.indices { note(index, in: records) }
    for var record in recovered {
      let visit = Visit(key: record.key, location: record.location)
      if record.gone == nil, let index = known[visit] {
        records[index].timestamp = min(records[index].timestamp, record.timestamp)
        records[index].sentAs = records[index].sentAs ?? record.sentAs
        continue
      }
      // Without its waypoint it is sent as it was made, and counts for no other waypoint.
      if content.waypoint(record.location, of: record.key) == nil {
        record.sentAs = record.checkIn
      }
      guard !gone.contains(record) else { continue }
      records.append(record)
      note(records.count - 1, in: records)
    }
  }
}
