import AppIO
import AppEngines
import HikeApp
import Digests
import Foundation
import TestSupport
import Testing
import TraceModel

@Suite struct HikeContentReaderTests {
  private func read(_ bytes: [UInt8]) throws -> HikeContentFile {
    try HikeContentReader.read(bytes)
  }

  @Test func readsAllThatIsPublished() throws {
    let content = try read(HikeContentSample.bytes).content
    #expect(content.profiles.map(\.id) == ["1", "2"])
    let profile = content.profiles[0]
    #expect(profile.name == HikeText(en: "Families", nl: "Gezinnen"))
    #expect(profile.details == HikeText(en: "Short walks"))
    #expect(profile.icon == nil && content.profiles[1].routes == [])
    let route = profile.routes[0]
    #expect(route.id == "7" && route.name.nl == "Café \"de \\ Zon\"")
    #expect(route.name.text(in: .nl) == route.name.nl && route.name.text(in: .en) == "Old town")
    #expect(route.reward?.id == "3" && route.reward?.name.en == "A feather")
    #expect(route.waypoints.map(\.location) == ["11", "12", "13"])
    #expect(route.waypoints.map(\.rank) == [0, 1, 2])
    #expect(route.waypoints.map(\.latitude) == [52.0907, 52.09116, 52.09163])
    #expect(route.waypoints.map(\.longitude) == [5.1214, 5.1214, -5.1214])
    #expect(route.waypoints[0].details.en == "Cross  it." && route.waypoints[1].image == nil)
    #expect(route.waypoints[1].name.text(in: .en) == "Toren", "the other language")
  }

  @Test func rewardMayStandUnderAnEmptyKey() throws {
    let route = try read(HikeContentSample.bytes).content.profiles[0].routes[1]
    #expect(route.reward?.name.en == "A leaf")
  }

  /// `printf aGk= | base64 -d | md5sum` and the same of the picture, which `file` calls a PNG.
  @Test func picturesAreBase64InLinesOf60() throws {
    let file = try read(HikeContentSample.bytes)
    let image = try #require(file.content.profiles[0].image)
    let bytes = try #require(file.pictures[image])
    #expect(bytes.count == 70 && Array(bytes.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
    #expect(image == "f829b914fc47cfc9c0747c119c27cf1b")
    let reward = try #require(file.content.profiles[0].routes[0].reward?.image)
    #expect(reward == "49f68a5c8493ec2c0bf489821c21fc3b" && file.pictures[reward] == [0x68, 0x69])
    #expect(file.pictures.count == 2)
    // Lines may end as on Windows.
    let windows = try read(HikeContentSample.bytes(replacing: #"Nk\n"#, with: #"Nk\r\n"#))
    #expect(windows.content.profiles[0].image == image && windows.pictures == file.pictures)
  }

  @Test func versionIsTheMD5OfTheProfilesAsReceived() throws {
    let file = try read(HikeContentSample.bytes)
    #expect(file.checksum == HikeContentSample.checksum && file.isVerified)
    // Whitespace between tokens is of no account; in strings it is, and so is the order of keys.
    let spread = HikeContentSample.bytes(replacing: ",", with: " ,\r\n\t")
    #expect(try read(spread).checksum == file.checksum)
    let cases = [
      ("Cross  it.", "Cross it."),
      ("\"id\": 1, \"name_en\": \"Families\"", "\"name_en\": \"Families\", \"id\": 1"),
      ("Caf\\u00e9", "Café"), ("52.0907", "52.09070"),
    ]
    for (old, new) in cases {
      let changed = try read(HikeContentSample.bytes(replacing: old, with: new))
      #expect(changed.checksum != file.checksum && !changed.isVerified, "\(old)")
    }
    // Of what stands outside of the profiles nothing counts.
    #expect(
      try read(HikeContentSample.bytes(replacing: "nobody", with: "somebody")).checksum
        == file.checksum)
  }

  /// The digest is of the value that is read, wherever it stands and however it is written.
  /// `printf '[{"id":1,"n":{"x":[1E400,-0.0,"]} \\""]}}]' | md5sum`
  @Test(arguments: [
    "{\"profiles\": @, \"version\": 1}", "{\"version\": 1,\r\n\t\"profiles\"\r\n:\r\n@\r\n}\r\n",
    "\u{FEFF}{\"version\": {}, \"profiles\": 5, \"version\": 1, \"profiles\": @}",
    "{\"a\": {\"profiles\": []}, \"version\": 1, \"profile\\u0073\": @}",
  ])
  func digestIsOfTheProfilesThatAreRead(text: String) throws {
    let profiles = "[ {\"id\"\r\n:1,\t\"n\":{\"x\" :[1E400 , -0.0,\"]} \\\"\"]} } ]"
    let file = try read(Array(text.replacingOccurrences(of: "@", with: profiles).utf8))
    #expect(
      file.checksum == "9f8ce22cd30912decb6ca9d40fe3e013"
        && file.content.profiles.map(\.id) == ["1"])
  }

  /// `printf '[{"id":1,"name_en":"a \\" b\\\\","x":"\\/"}]' | md5sum`, the whitespace taken out by hand.
  @Test func stringsStayByteForByte() throws {
    let text = #"{"version": 1, "profiles": [ {"id": 1, "name_en": "a \" b\\", "x" : "\/"} ] }"#
    let file = try read(Array(text.utf8))
    #expect(
      file.checksum == MD5Digest.hex(of: Array(#"[{"id":1,"name_en":"a \" b\\","x":"\/"}]"#.utf8)))
    #expect(file.checksum == "bb174e570a6420d4ec20e634fbef7fa5")
    #expect(file.content.profiles[0].name.en == #"a " b\"#)
  }

  @Test(arguments: [
    (
      "\"52.0907\"", "\"north\"", "content.json:16:58",
      "a latitude of -90 to 90 degrees, found \"north\""
    ),
    ("\"52.0907\"", "\"90.1\"", "profiles[0].routes[0].waypoints[0].latitude", "\"90.1\""),
    ("\"52.0907\"", "null", "waypoints[0].latitude", "found null"),
    ("-5.1214", "-180.5", "waypoints[2].longitude", "-180.5"),
    ("\"location_id\": 11, ", "", "waypoints[0])", "expected the key \"location_id\""),
    ("\"location_id\": 11", "\"location_id\": true", "location_id", "an id"),
    ("\"rank\": 0", "\"rank\": -1", "rank", "a rank from 0, found -1"),
    ("\"rank\": 0", "\"rank\": 99999999999", "rank", "a rank from 0"),
    ("aGk=", "aGk", "reward.image_data", "a picture in base64"),
    ("aGk=", "a*k=", "reward.image_data", "a picture in base64"),
    ("\"Bridge\"", "{}", "waypoints[0].name_en", "a text"),
    ("\"profiles\"", "\"profile\"", "content.json:1:1", "expected the key \"profiles\""),
    ("\"routes\": null", "\"routes\": 5", "profiles[1].routes", "expected a list, found 5"),
    ("\"published\"", "published", "content.json:3:3", "a key in quotes, found \"p\""),
    ("\"Runners\"", "\"Run", "content.json", "a comma or }"),
    ("true]", "treu]", "content.json:3:", "a value"),
    ("1.5e3", "01", "content.json:3", "a comma or ]"),
    ("1.5e3", "1.", "content.json:3", "a value"),
    ("\\u00e9", "\\u00g9", "content.json", "hexadecimal"),
    ("\\u00e9", "\\x", "content.json", "an escape of JSON"),
  ])
  func damageIsToldWithItsPlace(old: String, new: String, place: String, text: String) throws {
    #expect(HikeContentSample.text.contains(old))
    let bytes = HikeContentSample.bytes(replacing: old, with: new)
    let error = try #require(throws: TraceError.self) { try read(bytes) }
    #expect(error.description.contains(text), "\(error)")
    #expect(error.place.contains(place) && !error.remedy.isEmpty, "\(error)")
  }

  @Test func whatIsNoContentIsAnError() throws {
    let texts: [[UInt8]] = [
      [], Array("   ".utf8), Array("[]".utf8), Array("{}".utf8), Array("null".utf8), [0xFF, 0xFE],
      Array("{\"version\":1,\"profiles\":[]} x".utf8),
      Array(repeating: UInt8(ascii: "["), count: 100_000),
      Array("{\"version\":\"".utf8) + [0xC3, 0x28] + Array("\",\"profiles\":[]}".utf8),
      Array("{\"version\":\"\",\"profiles\":[]}".utf8),
    ]
    for bytes in texts { #expect(throws: TraceError.self) { try read(bytes) } }
    // The least that is one, and one with a byte order mark.
    #expect(try read(Array("{\"version\":1,\"profiles\":[]}".utf8)).content.profiles == [])
    #expect(try read([0xEF, 0xBB, 0xBF] + HikeContentSample.bytes).isVerified)
  }

  @Test func halvesOfPairsAreNoReasonToStop() throws {
    for (escape, text) in [
      (#"\ud83d\ude00"#, "😀"), (#"\ud83d"#, "\u{FFFD}"), (#"\ude00x"#, "\u{FFFD}x"),
      (#"\ud83d\n"#, "\u{FFFD}\n"), (#"\ud83d\u0041"#, "\u{FFFD}A"),
    ] {
      let bytes = HikeContentSample.bytes(replacing: "Old town", with: escape)
      #expect(try read(bytes).content.profiles[0].routes[0].name.en == text)
    }
  }

  /// Bytes changed, cut out, doubled and moved: an error or a content, never a trap, and never
  /// another content under the same version.
  @Test(.longer, arguments: 1...4) func noDamageTraps(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let whole = HikeContentSample.bytes
    let original = try read(whole)
    let letters = Array("{}[]\",:\\0-9.eEtfnu \n".utf8) + [0, 0x1F, 0x80, 0xC3, 0xFF]
    var errors = 0
    let steps = LongTests.count(quick: 1500, long: 6000)
    for step in 0..<steps {
      var bytes = whole
      for _ in 0...Int(generator.next() % 3) {
        let position = Int(generator.next() % UInt64(bytes.count))
        let end = min(bytes.count, position + Int(generator.next() % 30))
        switch generator.next() % 5 {
        case 0: bytes[position] ^= UInt8(1 << (generator.next() % 8))
        case 1: bytes[position] = letters[Int(generator.next() % UInt64(letters.count))]
        case 2: bytes.removeSubrange(position..<end)
        case 3: bytes.insert(contentsOf: bytes[position..<end], at: position)
        default: bytes.removeSubrange(end...)
        }
        if bytes.isEmpty { bytes = [0x7B] }
      }
      do throws(TraceError) {
        let file = try HikeContentReader.read(bytes)
        if file.isVerified {
          #expect(file.content == original.content, "seed \(seed), step \(step)")
        }
      } catch {
        errors += 1
        #expect(!error.place.isEmpty && !error.expected.isEmpty && !error.found.isEmpty)
      }
    }
    #expect(errors > steps / 3 && errors < steps, "\(errors)")
  }

  /// A file that claims a terabyte: one byte beyond the limit is read of it.
  @Test func savedContentBeyondTheLimitIsNotReadWhole() throws {
    let folder = try TestFolder()
    let path = folder.path("content.json")
    try Data().write(to: URL(fileURLWithPath: path))
    try #require(truncate(path, 1 << 40) == 0)
    let opened = try HikeContentStore(path: path, bundled: HikeContentSample.bytes).open()
    #expect(opened.file.content.version == HikeContentSample.checksum)
    #expect(opened.notice?.contains("at most \(HikeContentReader.sizeLimit) bytes") == true)
  }
}
