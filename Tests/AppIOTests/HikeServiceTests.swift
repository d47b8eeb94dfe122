import AppIO
import AppEngines
@testable import HikeApp
import Foundation
import HostileServer
import Synchronization
import Testing
import TraceModel

/// The update and the uploads against a server on the loopback interface.
@Suite struct HikeServiceTests {
  private let own: TestFolder
  private var folder: URL { own.url }
  private var contentPath: String { folder.appending(path: "content.json").path }
  private var statePath: String { folder.appending(path: "state.json").path }
  private let key = HikeRouteKey(profile: "1", route: "7")
  /// A later content: two of three locations have other ids.
  private let newer: [UInt8]
  private let newerVersion: String

  init() throws {
    own = try TestFolder()
    let draft = HikeContentSample.bytes(replacing: "\"location_id\": 1", with: "\"location_id\": 2")
    newerVersion = try HikeContentReader.read(draft).checksum
    newer = Self.restated(draft, version: newerVersion)
  }

  private static func restated(_ bytes: [UInt8], version: String) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    return Array(
      text.replacingOccurrences(of: HikeContentSample.checksum, with: version).utf8)
  }

  private func phone(
    _ base: String, rules: HikeRules = .default, limits: HTTPLimits = HTTPLimits()
  ) throws -> HikePhone {
    let store = HikeContentStore(
      path: contentPath, bundled: HikeContentSample.bytes,
      verifiesChecksum: rules.verifiesChecksum)
    return try HikePhone.start(
      rules: rules, device: "phone-1", epoch: WallTime(seconds: 1_600_000_000),
      service: HikeService(HTTPClient(base: base, limits: limits)), store: store,
      state: StateFile(path: statePath)
    ).phone
  }

  /// A server with a newer content.
  private func server(
    ping: LoopbackServer.Reply? = nil, content: LoopbackServer.Reply? = nil
  ) throws -> LoopbackServer {
    let newer = newer
    return try LoopbackServer { request in
      switch (request.method, request.path) {
      case ("POST", "/api/ping"): ping ?? .answer(200, Array("update".utf8))
      case ("GET", "/api/content"): content ?? .answer(200, newer)
      default: .answer(404)
      }
    }
  }

  /// What comes of a start on Wi-Fi.
  private func update(
    _ server: LoopbackServer, rules: HikeRules = .default, limits: HTTPLimits = HTTPLimits(),
    over connectivity: HikeEngine.Connectivity = .wifi
  ) async throws -> (phone: HikePhone, report: HikePhone.Report) {
    defer { server.stop() }
    var phone = try self.phone(server.base, rules: rules, limits: limits)
    _ = try await phone.give(.connectivity(connectivity), at: .zero)
    let report = try await phone.give(.activate, at: .zero)
    return (phone, report)
  }

  private func expectUnchanged(
    _ result: (phone: HikePhone, report: HikePhone.Report), problem: String
  ) {
    #expect(result.phone.engine.content.version == HikeContentSample.checksum)
    #expect(result.phone.engine.update == .idle)
    #expect(!FileManager.default.fileExists(atPath: contentPath))
    #expect(result.report.problems.count == 1)
    let text = result.report.problems.first?.description ?? ""
    #expect(text.contains(problem), "\(text)")
  }

  // MARK: Update

  @Test(arguments: ["ok", " ok\n", "\"ok\"", #"{"status": "ok"}"#])
  func nothingIsLoadedWhereTheContentIsCurrent(answer: String) async throws {
    let server = try server(ping: .answer(200, Array(answer.utf8)))
    let (phone, report) = try await update(server)
    #expect(report.problems == [] && server.requests.map(\.path) == ["/api/ping"])
    let body = server.requests.first.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(body == #"{"version":"\#(HikeContentSample.checksum)"}"#)
    #expect(phone.engine.update == .idle)
  }

  @Test func newContentIsLiveAndReplacesTheFile() async throws {
    let server = try server()
    let (phone, report) = try await update(server)
    #expect(report.problems == [])
    #expect(server.requests.map(\.method) == ["POST", "GET"])
    #expect(phone.engine.content.version == newerVersion)
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: contentPath))) == newer)
    // The next start opens it, and finds it current.
    let again = try self.phone("http://127.0.0.1:1")
    #expect(again.engine.content == phone.engine.content)
  }

  /// What the state remembers of the network is of another day.
  @Test func startedAgainItKnowsNoNetwork() async throws {
    let server = try server(ping: .answer(200, Array("ok".utf8)))
    var before = try await update(server).phone
    _ = try await before.give(.closeHelp, at: .zero)
    #expect(before.engine.connectivity == .wifi && before.engine.isActive)
    let next = try self.server()
    defer { next.stop() }
    var again = try self.phone(next.base)
    _ = try await again.give(.activate, at: .zero)
    #expect(next.requests.isEmpty && again.engine.update == .idle)
    _ = try await again.give(.connectivity(.cellular), at: .zero)
    #expect(next.requests.isEmpty)
    _ = try await again.give(.connectivity(.wifi), at: .zero)
    #expect(again.engine.content.version == newerVersion)
  }

  @Test func nothingIsAskedOverCellular() async throws {
    let server = try server()
    let (phone, report) = try await update(server, over: .cellular)
    #expect(server.requests.isEmpty && report.problems == [] && phone.engine.updateWaitsForWiFi)
  }

  /// Fault: not verified.
  @Test func wrongChecksumIsRefusedExceptByTheOriginal() async throws {
    let damaged = Self.restated(
      HikeContentSample.bytes(replacing: "Old town", with: "Old crown"), version: newerVersion)
    let refused = try await update(try server(content: .answer(200, damaged)))
    #expect(refused.phone.engine.content.version == HikeContentSample.checksum)
    #expect(!FileManager.default.fileExists(atPath: contentPath))
    #expect(
      refused.report.effects.contains {
        if case .contentRefused(let reason) = $0 { reason.contains(newerVersion) } else { false }
      })
    let taken = try await update(try server(content: .answer(200, damaged)), rules: .goHike)
    #expect(taken.phone.engine.content.version == newerVersion)
    #expect(taken.phone.engine.content.profiles[0].routes[0].name.en == "Old crown")
  }

  @Test func answerThatIsCutOffChangesNothing() async throws {
    let half = Array(newer.prefix(newer.count / 2))
    expectUnchanged(
      try await update(try server(content: .cutOff(half, stated: newer.count))),
      problem: "a complete answer")
    // Also where the server states the half as the whole.
    expectUnchanged(
      try await update(try server(content: .answer(200, half))), problem: "/api/content:")
  }

  @Test(arguments: [500, 503, 404, 301])
  func otherStatusChangesNothing(status: Int) async throws {
    let reply = LoopbackServer.Reply.answer(status, newer, headers: ["Location: /api/other"])
    let server = try server(content: reply)
    expectUnchanged(try await update(server), problem: "status \(status)")
    #expect(!server.requests.contains { $0.path == "/api/other" }, "redirections are refused")
    expectUnchanged(try await update(try self.server(ping: reply)), problem: "status \(status)")
  }

  @Test func pingThatSaysNeitherIsAProblem() async throws {
    expectUnchanged(
      try await update(try server(ping: .answer(200, Array("<html>".utf8)))),
      problem: "expected ok or update, found \"<html>\"")
  }

  private func raw(_ head: String, _ body: [UInt8] = []) -> LoopbackServer.Reply {
    .raw(Array("HTTP/1.1 \(head)\r\nConnection: close\r\n\r\n".utf8) + body)
  }

  /// In pieces, without a length, compressed (`printf ok | gzip -n | xxd -i`), with a long header.
  @Test func answersComeInEveryFormOfHTTP() async throws {
    let compressed: [UInt8] = [
      0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0xcf, 0x06, 0x00, 0x47,
      0xdd, 0xdc, 0x79, 0x02, 0x00, 0x00, 0x00,
    ]
    let replies = [
      raw("200 OK\r\nTransfer-Encoding: chunked", Array("1\r\no\r\n1\r\nk\r\n0\r\n\r\n".utf8)),
      raw("200 OK", Array("ok".utf8)), raw("201 Created\r\nContent-Length: 2", Array("ok".utf8)),
      raw(
        "200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(compressed.count)", compressed),
      raw(
        "200 OK\r\nX-Long: \(String(repeating: "x", count: 50_000))\r\nContent-Length: 2",
        Array("ok".utf8)),
      raw("100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2", Array("ok".utf8)),
    ]
    for (position, reply) in replies.enumerated() {
      let report = try await update(try server(ping: reply)).report
      #expect(report.problems == [], "\(position)")
    }
  }

  /// Pieces that end too soon, nothing where something is due, another protocol.
  @Test func answersThatAreNoneChangeNothing() async throws {
    let replies = [
      (raw("200 OK\r\nTransfer-Encoding: chunked", Array("5\r\no".utf8)), "a complete answer"),
      (raw("204 No Content"), "expected ok or update, found \"\""),
      (raw("200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2", [1, 2]), "a complete answer"),
      (.raw(Array("SSH-2.0-server\r\n".utf8)), "a complete answer"),
      (.raw([0, 1, 2, 0xFF]), "a complete answer"),
      (raw("302 Found\r\nContent-Length: 0"), "status 302"),
      (raw("401 No\r\nWWW-Authenticate: Basic\r\nContent-Length: 0"), "status 401"),
    ]
    for (reply, problem) in replies {
      expectUnchanged(try await update(try server(ping: reply)), problem: problem)
    }
  }

  @Test func refusedConnectionChangesNothing() async throws {
    let server = try server()
    server.stop()
    var phone = try self.phone(server.base)
    _ = try await phone.give(.connectivity(.wifi), at: .zero)
    let report = try await phone.give(.activate, at: .zero)
    expectUnchanged((phone, report), problem: "connect")
    // Nor does an address that is none.
    var lost = try self.phone("nowhere")
    _ = try await lost.give(.connectivity(.wifi), at: .zero)
    let lostReport = try await lost.give(.activate, at: .zero)
    expectUnchanged((lost, lostReport), problem: "a URL")
  }

  @Test func slowServersAreGivenUp() async throws {
    // One limit of the two is far away, so that a busy machine cannot make it the first.
    var silent = HTTPLimits()
    silent.idleTime = 0.1
    expectUnchanged(
      try await update(try server(ping: .silence), limits: silent), problem: "none in time")
    var dripping = HTTPLimits()
    (dripping.idleTime, dripping.totalTime) = (60, 0.3)
    expectUnchanged(
      try await update(try server(content: .drip), limits: dripping),
      problem: "an answer within 0.3 s")
    expectUnchanged(try await update(try server(content: .hangUp)), problem: "answer")
  }

  @Test func answerThatIsTooLargeIsGivenUp() async throws {
    var limits = HTTPLimits()
    limits.size = newer.count - 1
    expectUnchanged(
      try await update(try server(), limits: limits), problem: "at most \(limits.size) bytes")
  }

  // MARK: Files

  @Test func corruptFileIsSetAsideAndTheBundledOneUsed() throws {
    let store = HikeContentStore(path: contentPath, bundled: HikeContentSample.bytes)
    try store.replace(with: newer)
    #expect(try store.open().file.content.version == newerVersion)
    // A bit of a name: still JSON, and no longer what was published.
    let changed = String(decoding: newer, as: UTF8.self)
      .replacingOccurrences(of: "Bridge", with: "Fridge")
    for damaged in [Array(changed.utf8), Array(newer.dropLast(7)), []] {
      try Data(damaged).write(to: URL(fileURLWithPath: contentPath))
      let opened = try store.open()
      #expect(opened.file.content.version == HikeContentSample.checksum)
      #expect(opened.notice?.contains("content.json.damaged") == true)
      #expect(!FileManager.default.fileExists(atPath: contentPath))
    }
    let kept = try Data(contentsOf: folder.appending(path: "content.json.damaged"))
    #expect([UInt8](kept) == Array(changed.utf8))
    #expect(try store.open().notice == nil)
    // What is no content never gets into the file.
    try store.replace(with: newer)
    #expect(throws: TraceError.self) { try store.replace(with: Array("{}".utf8)) }
    #expect(try store.open().file.content.version == newerVersion)
  }

  /// The name leaves no room for the ending: nothing can be set aside.
  @Test func corruptFileThatCannotBeSetAsideIsNoReasonToStop() throws {
    let path = folder.appending(path: String(repeating: "n", count: 250)).path
    let damaged = Data("{".utf8)
    try damaged.write(to: URL(fileURLWithPath: path))
    let opened = try HikeContentStore(path: path, bundled: HikeContentSample.bytes).open()
    #expect(opened.file.content.version == HikeContentSample.checksum)
    #expect(opened.notice?.contains("rename the file") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged)
  }

  /// There is no folder for it: the update is live until the next start, which has what there was.
  @Test func contentThatCannotBeSavedIsToldOf() async throws {
    let server = try server()
    defer { server.stop() }
    let store = HikeContentStore(
      path: folder.appending(path: "nowhere/content.json").path, bundled: HikeContentSample.bytes)
    let service = HikeService(HTTPClient(base: server.base))
    var phone = try HikePhone.start(
      device: "phone-1", service: service, store: store, state: StateFile(path: statePath)
    ).phone
    _ = try await phone.give(.connectivity(.wifi), at: .zero)
    let report = try await phone.give(.activate, at: .zero)
    #expect(report.problems.count == 1 && phone.engine.content.version == newerVersion)
    let again = try HikePhone.start(
      device: "phone-1", service: service, store: store, state: StateFile(path: statePath))
    #expect(again.phone.engine.content.version == HikeContentSample.checksum)
    #expect(again.phone.engine.violations == [])
  }

  @Test func aLinkToTheContentStaysOne() throws {
    let target = folder.appending(path: "real.json")
    try FileManager.default.createSymbolicLink(
      atPath: contentPath, withDestinationPath: target.path)
    let store = HikeContentStore(path: contentPath, bundled: HikeContentSample.bytes)
    try store.replace(with: newer)
    #expect(try store.open().file.content.version == newerVersion)
    #expect(try [UInt8](Data(contentsOf: target)) == newer)
    try Data("damaged".utf8).write(to: target)
    #expect(try store.open().notice?.contains("real.json.damaged") == true)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: contentPath) == target.path)
  }

  /// The content that came with the app need not be of the version that it states; then the saved
  /// the phone continues and reports it.
  @Test func contentThatIsNotTakenOverAtTheStartIsToldOf() async throws {
    var phone = try self.phone("http://127.0.0.1:1")
    _ = try await phone.give(.openRoute(key), at: .zero)
    let changed = HikeContentSample.bytes(replacing: "Bridge", with: "Fridge")
    let started = try HikePhone.start(
      device: "phone-1", service: HikeService(HTTPClient(base: "http://127.0.0.1:1")),
      store: HikeContentStore(path: contentPath, bundled: changed),
      state: StateFile(path: statePath))
    #expect(started.phone.engine.content == phone.engine.content)
    #expect(started.notices.contains { $0.contains(HikeContentSample.checksum) })
  }

  // MARK: Progress

  private func walk(_ phone: inout HikePhone, to index: Int, at seconds: Double) async throws {
    let waypoint = phone.engine.content.profiles[0].routes[0].waypoints[index]
    let fix = Fix(
      latitude: waypoint.latitude, longitude: waypoint.longitude, horizontalAccuracy: 4)
    for step in 0..<4 {
      let now = TraceInstant.zero.advanced(bySeconds: seconds + Double(step))
      _ = try await phone.give(.fix(fix, measured: now), at: now)
    }
    let now = TraceInstant.zero.advanced(bySeconds: seconds + 5)
    _ = try await phone.give(.confirm, at: now)
    _ = try await phone.give(.proceed, at: now)
  }

  /// Fault: the original crashed here.
  @Test func savedProgressSurvivesContentWithOtherIDs() async throws {
    var phone = try self.phone("http://127.0.0.1:1")
    _ = try await phone.give(.openRoute(key), at: .zero)
    try await walk(&phone, to: 0, at: 10)
    #expect(phone.engine.records.map(\.location) == ["11"])
    // Downloaded under the closed app, or brought by an update of it.
    try HikeContentStore(path: contentPath, bundled: []).replace(with: newer)
    var again = try self.phone("http://127.0.0.1:1")
    #expect(again.engine.records.map(\.location) == ["21"])
    #expect(again.engine.activeRoute == key && again.engine.target?.location == "12")
    try await walk(&again, to: 1, at: 30)
    #expect(again.engine.violations == [])
    try FileManager.default.removeItem(atPath: contentPath)
    let back = try self.phone("http://127.0.0.1:1")
    #expect(back.engine.records.map(\.location) == ["11", "12"])
  }

  @Test func uploadWhoseAnswerWasLostIsStoredOnce() async throws {
    let store = Mutex(HikeServer(content: HikeContent(version: "", profiles: [])))
    let count = Mutex(0)
    let server = try LoopbackServer { request in
      guard request.path == "/api/checkins", let upload = Self.upload(in: request.body) else {
        return .answer(400)
      }
      store.withLock { server in
        var effects: [HikeServer.Effect] = []
        try? server.handle(.checkIns(upload), at: .zero, into: &effects)
      }
      // The first one is stored, and its answer lost.
      let number = count.withLock {
        $0 += 1
        return $0
      }
      return number == 1 ? .hangUp : .answer(200)
    }
    defer { server.stop() }
    var phone = try self.phone(server.base)
    _ = try await phone.give(.connectivity(.cellular), at: .zero)
    _ = try await phone.give(.activate, at: .zero)
    _ = try await phone.give(.openRoute(key), at: .zero)
    try await walk(&phone, to: 0, at: 10)
    #expect(phone.engine.records.map(\.isUploaded) == [false])
    let first = store.withLock { $0.checkIns }
    #expect(first.count == 1 && first.first?.location == "11" && first.first?.device == "phone-1")
    #expect(first.first?.timestamp == WallTime(seconds: 1_600_000_015))
    let deadline = try #require(phone.engine.deadline)
    let report = await phone.advance(to: deadline)
    #expect(report.problems == [] && phone.engine.records.map(\.isUploaded) == [true])
    #expect(store.withLock { $0.checkIns } == first && server.requests.count == 2)
    // A second start, the app having been killed at the front, has nothing to send.
    var again = try self.phone(server.base)
    _ = try await again.give(.activate, at: .zero)
    #expect(server.requests.count == 2)
  }

  private static func upload(in body: [UInt8]) -> HikeUpload? {
    let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    guard let object, let device = object["device_id"] as? String,
      let list = object["checkins"] as? [[String: Any]]
    else { return nil }
    let checkIns = list.compactMap { item -> HikeCheckIn? in
      guard let location = item["location_id"] as? String, let route = item["route_id"] as? String,
        let timestamp = item["timestamp"] as? Double
      else { return nil }
      return HikeCheckIn(
        location: location, route: route, timestamp: WallTime(seconds: Int64(timestamp)))
    }
    return HikeUpload(
      stamp: RequestStamp(epoch: 1, number: 1), device: device, checkIns: checkIns)
  }

  // MARK: State

  /// One version earlier.
  private struct OlderHike: AppEngine {
    static let name = HikeEngine.name
    static let stateVersion = HikeEngine.stateVersion - 1
    mutating func handle(_: Int, at _: TraceInstant, into _: inout [Int]) throws(Refusal) {}
    var violations: [String] { [] }
  }

  @Test func stateOfAnotherVersionAndADamagedOneAreKept() async throws {
    try StateFile<OlderHike>(path: statePath).save(OlderHike())
    let old = try Data(contentsOf: URL(fileURLWithPath: statePath))
    _ = try self.phone("http://127.0.0.1:1")
    let kept = statePath + ".version-\(HikeEngine.stateVersion - 1)"
    #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == old)
    var phone = try self.phone("http://127.0.0.1:1")
    _ = try await phone.give(.openRoute(key), at: .zero)
    _ = try await phone.give(.openCompass, at: .zero)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: statePath))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: statePath))
    let again = try self.phone("http://127.0.0.1:1")
    #expect(again.engine.activeRoute == key, "the state before it")
    #expect(FileManager.default.fileExists(atPath: statePath + ".damaged"))
  }

  @Test func checkInsRouteTargetAndCompassAreRestored() async throws {
    var rules = HikeRules.default
    rules.order = .chosen
    var phone = try self.phone("http://127.0.0.1:1", rules: rules)
    _ = try await phone.give(.closeHelp, at: .zero)
    _ = try await phone.give(.openRoute(key), at: .zero)
    try await walk(&phone, to: 0, at: 10)
    let end = TraceInstant.zero.advanced(bySeconds: 60)
    _ = try await phone.give(.choose("13"), at: end)
    _ = try await phone.give(.openCompass, at: end)
    let again = try self.phone("http://127.0.0.1:1").engine
    #expect(again.records == phone.engine.records && again.records.count == 1)
    #expect(again.activeRoute == key && again.profile == "1")
    #expect(again.target?.location == "13" && again.isCompassOpen)
    #expect(again.screen == .compass(key), "and not how to play")
  }
}
