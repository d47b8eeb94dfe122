import Detectors
public import TraceModel

/// Walkers on a route: each phone walks the waypoints of its own trace and uploads its check-ins to
/// one server over the simulated network.
///
/// The content is generated from the traces: a profile with a route for each person, with the
/// trace's places as waypoints. Phones use mobile data, so none looks for new content.
public struct SimulatedHike: AppSimulation {
  public static let name = "hike"
  public static let summary =
    "walk a route, check in at its waypoints, get the reward (Go Take a Hike!)"
  public static let presets = [
    AppPreset(
      "default", summary: "waypoints in any order; probability of being inside, with dwell"),
    AppPreset("goHike", summary: "the original app: nearer than 60 m, 40 m filter, by rank"),
    AppPreset("goHikeDebug", summary: "the original app's debug build: nearer than 20 m"),
  ]
  public static let peopleCount = 1...8
  public static let channel = Channel.location
  public static let furtherChannels = [Channel.heading]
  public static let task = ReferenceTask.visit

  private enum Packet: Sendable, Codable {
    case upload(HikeUpload)
    case answer(to: String, HikeServer.Answer)
  }

  private let hasScript: Bool
  private var walkers: [HikeWalker]
  private var server: HikeServer
  private var network: SimulatedNetwork<Packet>
  private var events: [AppEvent] = []
  public private(set) var detections: [DetectionRecord] = []

  public init(_ setup: AppSetup) throws(TraceError) {
    let rules = Self.rules(named: setup.preset)
    var routes: [HikeRoute] = []
    for (index, person) in setup.people.enumerated() {
      routes.append(try HikeRoute(of: person.header, id: "route-\(index + 1)"))
    }
    let content = HikeContent(
      version: "",
      profiles: [
        HikeProfile(id: HikeWalker.profile, name: HikeText(en: "Walkers"), routes: routes)
      ])
    hasScript = setup.script != nil
    server = HikeServer(content: content)
    network = SimulatedNetwork(setup.network)
    walkers = setup.people.indices.map { index in
      HikeWalker(
        DeviceID(index), setup.people[index], route: routes[index].id,
        engine: HikeEngine(
          rules: rules, content: content, device: "phone-\(index + 1)",
          epoch: setup.epoch ?? WallTime(nanoseconds: 0)),
        script: setup.script)
    }
    for index in walkers.indices { setOut(index) }
  }

  static func rules(named preset: String) -> HikeRules {
    switch preset {
    case "goHike": .goHike
    case "goHikeDebug": .goHikeDebug
    default: HikeRules()
    }
  }

  public mutating func take(_ reading: Reading) {
    guard walkers.indices.contains(reading.device.index) else { return }
    let input: HikeEngine.Input
    switch reading.value {
    case .fix(let fix): input = .fix(fix, measured: reading.measured)
    case .scalar(let heading) where reading.channel == .heading: input = .heading(heading)
    case .action(let action):
      // A script replaces the trace's own answers.
      guard !hasScript, let answer = HikeWalker.input(for: action) else { return }
      input = answer
    default: return
    }
    give(input, to: reading.device.index, at: reading.arrived)
  }

  public var deadline: TraceInstant? {
    let own = walkers.compactMap { $0.deadline }.min()
    return [own, network.next].compactMap { $0 }.min()
  }

  public mutating func advance(to now: TraceInstant) {
    // Without network delay an answer may follow immediately.
    while let due = deadline, due <= now {
      while let arrival = network.receive(by: due) { deliver(arrival.message, at: due) }
      for index in walkers.indices {
        while let answer = walkers[index].takeScripted(by: due) {
          give(answer, to: index, at: due)
        }
        if let deadline = walkers[index].engine.deadline, deadline <= due {
          var effects: [HikeEngine.Effect] = []
          walkers[index].engine.advance(to: due, into: &effects)
          carryOut(effects, of: index, at: due)
        }
      }
    }
  }

  public mutating func finish(device person: DeviceID, at end: TraceInstant) {
    guard walkers.indices.contains(person.index) else { return }
    walkers[person.index].stopScript()
    events.append(walkers[person.index].farewell(at: end))
  }

  public mutating func close(at end: TraceInstant) {}

  public mutating func takeEvents() -> [AppEvent] {
    defer { events.removeAll() }
    return events
  }

  public var outcomes: [AppOutcome] {
    walkers.flatMap { walker in
      walker.outcomes(stored: server.checkIns.count { $0.device == walker.engine.device })
    }
  }

  public var violations: [String] {
    walkers.flatMap { walker in walker.engine.violations.map { "\(walker.name): \($0)" } }
      + server.violations.map { "server: \($0)" }
  }

  // MARK: Inputs and effects

  private mutating func setOut(_ index: Int) {
    let start = walkers[index].start
    let position = events.count
    give(.closeHelp, to: index, at: start)
    give(.connectivity(.cellular), to: index, at: start)
    give(.activate, to: index, at: start)
    give(.openRoute(walkers[index].key), to: index, at: start)
    give(.openCompass, to: index, at: start)
    events.insert(walkers[index].greeting(at: start), at: position)
  }

  private mutating func give(_ input: HikeEngine.Input, to index: Int, at now: TraceInstant) {
    var effects: [HikeEngine.Effect] = []
    do throws(Refusal) {
      try walkers[index].engine.handle(input, at: now, into: &effects)
    } catch {
      events.append(walkers[index].refused(error, at: now))
      return
    }
    carryOut(effects, of: index, at: now)
  }

  private mutating func carryOut(
    _ effects: [HikeEngine.Effect], of index: Int, at now: TraceInstant
  ) {
    for effect in effects {
      switch effect {
      case .detected(var record):
        record.device = walkers[index].id
        detections.append(record)
      case .upload(let upload):
        let link = NetworkLink(from: .phone(index), to: .server)
        network.send(.upload(upload), on: link, at: now)
      default: break
      }
      walkers[index].note(effect, at: now)
      if let event = walkers[index].event(for: effect, at: now) { events.append(event) }
    }
  }

  private mutating func deliver(_ packet: Packet, at now: TraceInstant) {
    switch packet {
    case .upload(let upload):
      var effects: [HikeServer.Effect] = []
      // A refused upload gets no answer: the phone sends it again.
      try? server.handle(.checkIns(upload), at: now, into: &effects)
      for case .answer(let device, let answer) in effects {
        let index = walkers.firstIndex { $0.engine.device == device } ?? 0
        let link = NetworkLink(from: .server, to: .phone(index))
        network.send(.answer(to: device, answer), on: link, at: now)
      }
    case .answer(let device, let answer):
      guard case .stored(let number) = answer,
        let index = walkers.firstIndex(where: { $0.engine.device == device })
      else { return }
      let before = walkers[index].engine.uploadedCount
      var effects: [HikeEngine.Effect] = []
      // A duplicate answer is refused, which has no effect.
      try? walkers[index].engine.handle(.uploadStored(number: number), at: now, into: &effects)
      carryOut(effects, of: index, at: now)
      if walkers[index].engine.uploadedCount > before {
        events.append(walkers[index].uploaded(at: now))
      }
    }
  }
}

extension HikeText {
  /// Traces do not name their places; a number in order adds no information.
  fileprivate init(named place: Place) {
    let offset = Int(place.id) - Int(place.rank)
    self.init(en: (0...1).contains(offset) ? "" : "place \(place.id)")
  }
}

extension HikeRoute {
  /// Creates a route from the places of a trace.
  init(of header: TraceHeader, id: String) throws(TraceError) {
    guard !header.places.isEmpty else {
      throw TraceError(
        place: header.id, expected: "places to check in at", found: "a trace without places",
        remedy: "convert a GPX with waypoints and pass --waypoints-as-places")
    }
    for place in header.places
    where !Geodesy.isValid(latitude: place.latitude, longitude: place.longitude) {
      throw TraceError(
        place: "\(header.id), place \(place.id)", expected: "a position on Earth",
        found: "\(place.latitude), \(place.longitude)")
    }
    self.init(
      id: id, name: HikeText(en: header.id),
      reward: HikeReward(id: "reward-\(id)", name: HikeText(en: "Reward")),
      waypoints: header.places.map { place in
        HikeWaypoint(
          location: String(place.id), rank: place.rank, name: HikeText(named: place),
          latitude: place.latitude, longitude: place.longitude,
          radius: place.radius.isNaN ? nil : place.radius)
      })
  }
}
