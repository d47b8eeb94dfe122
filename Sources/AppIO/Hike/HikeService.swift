import AppEngines
public import HikeApp
import Foundation
public import TraceModel

/// The server's interface over HTTP:
///
/// - `POST /api/ping` with `{"version": "…"}`, answered by `ok` or `update`: plain, as a JSON string
///   or as the `status` of a JSON object;
/// - `GET /api/content`, answered by `content.json`;
/// - `POST /api/checkins` with `{"device_id": "…", "checkins": [{"location_id": "…", "route_id":
///   "…", "timestamp": seconds since 1970}]}`; an answer with status 200 means that all are stored.
public struct HikeService: Sendable {
  private let client: HTTPClient

  public init(_ client: HTTPClient) { self.client = client }

  public func isCurrent(version: String) async throws(TraceError) -> Bool {
    let body = try encoded(["version": version])
    let answer = try await client.send("/api/ping", json: body)
    switch status(in: answer) {
    case "ok": return true
    case "update": return false
    case let other:
      throw TraceError(
        place: "/api/ping", expected: "ok or update",
        found: "\"\(String(other.prefix(40)))\"", remedy: "try again later")
    }
  }

  /// Returns the bytes of the newest content.
  public func content() async throws(TraceError) -> [UInt8] {
    try await client.send("/api/content")
  }

  /// Uploads the check-ins; returns when the server has stored all of them.
  public func store(_ upload: HikeUpload) async throws(TraceError) {
    let checkIns = upload.checkIns.map { checkIn in
      CheckIn(
        locationId: checkIn.location, routeId: checkIn.route,
        timestamp: (Double(checkIn.timestamp.nanoseconds) / 1e6).rounded() / 1e3)
    }
    let body = try encoded(Body(deviceId: upload.device, checkins: checkIns))
    _ = try await client.send("/api/checkins", json: body)
  }

  // The protocol has these names in snake case.

  private struct Body: Encodable {
    var deviceId: String
    var checkins: [CheckIn]
  }

  private struct CheckIn: Encodable {
    var locationId: String
    var routeId: String
    var timestamp: Double
  }

  private func encoded(_ value: some Encodable) throws(TraceError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    do {
      return [UInt8](try encoder.encode(value))
    } catch {
      throw TraceError(place: "a request", expected: "values for JSON", found: "\(error)")
    }
  }

  private func status(in answer: [UInt8]) -> String {
    let plain = String(decoding: answer, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard let text = try? JSONText(answer, name: "the answer") else { return plain }
    switch text.root.value {
    case .string(let status): return status
    case .object(let members):
      guard case .string(let status)? = members.last(where: { $0.key == "status" })?.node.value
      else { return plain }
      return status
    default: return plain
    }
  }
}
