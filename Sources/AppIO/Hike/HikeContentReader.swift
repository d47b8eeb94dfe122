public import HikeApp
import Digests
import Foundation
public import TraceModel

public struct HikeContentFile: Sendable {
  public var content: HikeContent
  /// The MD5 of the received bytes of the profiles without insignificant whitespace, in lower-case
  /// hexadecimal. It must equal the content's version.
  public var checksum: String
  /// The pictures' bytes by their MD5, as in ``HikeContent``.
  public var pictures: [String: [UInt8]]

  public var isVerified: Bool { content.version == checksum }

  public var download: HikeDownload { HikeDownload(content: content, checksum: checksum) }
}

/// Reads all published versions of `content.json`.
///
/// Values that are missing in some versions are optional. Ids and coordinates may be strings or
/// numbers. A reward may have an empty key. Unknown keys are ignored. Existing values must be
/// valid: a coordinate out of range, a picture that is not base64 and a waypoint without a location
/// are errors with their place.
public enum HikeContentReader {
  /// The maximum size in bytes; published contents have a few million.
  public static let sizeLimit = 1 << 26

  /// - Parameter name: the name for messages, e.g. the path.
  /// - Throws: ``TraceError`` with the line, the column and the path of the value.
  public static func read(
    _ bytes: [UInt8], name: String = "content.json"
  ) throws(TraceError) -> HikeContentFile {
    guard bytes.count <= sizeLimit else {
      throw TraceError(
        place: name, expected: "at most \(sizeLimit) bytes", found: "\(bytes.count)",
        remedy: "this is not content of the app")
    }
    let text = try JSONText(bytes, name: name)
    var reader = HikeContentParser(text: text)
    let root = HikeContentParser.Element(node: text.root, path: "")
    let list = try reader.required("profiles", of: root)
    let version = try reader.identifier("version", of: root)
    var profiles: [HikeProfile] = []
    for element in try reader.elements(list) { profiles.append(try reader.profile(element)) }
    return HikeContentFile(
      content: HikeContent(version: version, profiles: profiles),
      checksum: MD5Digest.hex(of: text.compact(list.node)), pictures: reader.pictures)
  }
}

private struct HikeContentParser {
  /// A value and its path, e.g. `profiles[0].routes[2]`.
  struct Element {
    var node: JSONText.Node
    var path: String
  }

  let text: JSONText
  var pictures: [String: [UInt8]] = [:]

  // MARK: Parts

  mutating func profile(_ element: Element) throws(TraceError) -> HikeProfile {
    var routes: [HikeRoute] = []
    for route in try list("routes", of: element) { routes.append(try self.route(route)) }
    return HikeProfile(
      id: try identifier("id", of: element), name: try localized("name", of: element),
      details: try localized("description", of: element),
      image: try picture("image_data", of: element), icon: try picture("icon_data", of: element),
      routes: routes)
  }

  private mutating func route(_ element: Element) throws(TraceError) -> HikeRoute {
    var waypoints: [HikeWaypoint] = []
    for (position, waypoint) in try list("waypoints", of: element).enumerated() {
      waypoints.append(try self.waypoint(waypoint, position: position))
    }
    // Two published versions use an empty key.
    var reward: HikeReward?
    for key in ["reward", ""] where reward == nil {
      if let value = try optional(key, of: element) { reward = try self.reward(value) }
    }
    return HikeRoute(
      id: try identifier("id", of: element), name: try localized("name", of: element),
      details: try localized("description", of: element),
      reward: reward, waypoints: waypoints)
  }

  private mutating func reward(_ element: Element) throws(TraceError) -> HikeReward {
    HikeReward(
      id: try identifier("id", of: element), name: try localized("name", of: element),
      details: try localized("description", of: element),
      image: try picture("image_data", of: element))
  }

  private mutating func waypoint(
    _ element: Element, position: Int
  ) throws(TraceError) -> HikeWaypoint {
    HikeWaypoint(
      location: try identifier("location_id", of: element),
      rank: try rank(of: element) ?? Int32(clamping: position),
      name: try localized("name", of: element), details: try localized("description", of: element),
      latitude: try degrees("latitude", within: 90, of: element),
      longitude: try degrees("longitude", within: 180, of: element),
      image: try picture("image_data", of: element))
  }

  // MARK: Values

  /// Returns a string, or a number as written.
  func identifier(_ key: String, of element: Element) throws(TraceError) -> String {
    let value = try required(key, of: element)
    switch value.node.value {
    case .string(let text) where !text.isEmpty: return text
    case .number(let text): return text
    default: throw error(value, expected: "an id, as a string or a number")
    }
  }

  private func localized(_ key: String, of element: Element) throws(TraceError) -> HikeText {
    HikeText(en: try string(key + "_en", of: element), nl: try string(key + "_nl", of: element))
  }

  private func string(_ key: String, of element: Element) throws(TraceError) -> String {
    guard let value = try optional(key, of: element) else { return "" }
    guard case .string(let text) = value.node.value else { throw error(value, expected: "a text") }
    return text
  }

  private func rank(of element: Element) throws(TraceError) -> Int32? {
    guard let value = try optional("rank", of: element) else { return nil }
    guard let rank = written(value).flatMap({ Int32($0) }), rank >= 0 else {
      throw error(value, expected: "a rank from 0")
    }
    return rank
  }

  private func degrees(
    _ key: String, within limit: Double, of element: Element
  ) throws(TraceError) -> Double {
    let value = try required(key, of: element)
    let written = written(value)?.trimmingCharacters(in: .whitespaces)
    guard let degrees = written.flatMap({ Double($0) }), abs(degrees) <= limit else {
      throw error(value, expected: "a \(key) of -\(Int(limit)) to \(Int(limit)) degrees")
    }
    return degrees
  }

  private mutating func picture(_ key: String, of element: Element) throws(TraceError) -> String? {
    guard let value = try optional(key, of: element) else { return nil }
    guard case .string(let text) = value.node.value else {
      throw error(value, expected: "a picture in base64, or null")
    }
    // Base64 is in lines of 60 characters.
    let letters = Data(text.utf8.filter { ![0x20, 0x0A, 0x0D, 0x09].contains($0) })
    if letters.isEmpty { return nil }
    guard let data = Data(base64Encoded: letters) else {
      throw error(value, expected: "a picture in base64")
    }
    let bytes = [UInt8](data)
    let digest = MD5Digest.hex(of: bytes)
    pictures[digest] = bytes
    return digest
  }

  private func written(_ element: Element) -> String? {
    switch element.node.value {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  // MARK: Objects and lists

  func required(_ key: String, of element: Element) throws(TraceError) -> Element {
    if let value = try member(key, of: element) { return value }
    throw error(element, expected: "the key \"\(key)\"", found: "none")
  }

  /// Returns a value; nil if it is missing or null.
  private func optional(_ key: String, of element: Element) throws(TraceError) -> Element? {
    guard let value = try member(key, of: element) else { return nil }
    if case .null = value.node.value { return nil }
    return value
  }

  private func member(_ key: String, of element: Element) throws(TraceError) -> Element? {
    guard case .object(let members) = element.node.value else {
      throw error(element, expected: "an object")
    }
    return members.last { $0.key == key }.map {
      Element(node: $0.node, path: element.path.isEmpty ? key : "\(element.path).\(key)")
    }
  }

  /// Returns a list; empty if the key is missing.
  private func list(_ key: String, of element: Element) throws(TraceError) -> [Element] {
    guard let value = try optional(key, of: element) else { return [] }
    return try elements(value)
  }

  func elements(_ element: Element) throws(TraceError) -> [Element] {
    guard case .array(let nodes) = element.node.value else {
      throw error(element, expected: "a list")
    }
    return nodes.enumerated().map { Element(node: $1, path: "\(element.path)[\($0)]") }
  }

  private func error(_ element: Element, expected: String, found: String? = nil) -> TraceError {
    let value = text.bytes[element.node.range].prefix(40)
    let excerpt = String(decoding: value, as: UTF8.self)
    let path = element.path.isEmpty ? "" : " (\(element.path))"
    return TraceError(
      place: text.place(of: element.node.range.lowerBound) + path, expected: expected,
      found: found ?? (value.count < element.node.range.count ? excerpt + "…" : excerpt),
      remedy: "the content is damaged; download it again")
  }
}
