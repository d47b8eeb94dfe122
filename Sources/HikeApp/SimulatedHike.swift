public import AppEngines
package import Detectors
package import TraceModel

/// Walkers on a route: each phone walks the waypoints of its own trace and uploads its check-ins to
/// one server over the simulated network.
///
/// The content is generated from the traces: a profile with a route for each person, with the
/// trace's places as waypoints. Phones use mobile data, so none looks for new content.
package struct SimulatedHike: AppSimulation {
  package static let name = "hike"
  package static let summary =
    "walk a route, check in at its waypoints, get the reward (Go Take a Hike!)"
  package static let presets = [
    AppPreset("default", summary: "waypoints by rank; a prompt when probably inside the circle"),
    AppPreset("freeOrder", summary: "the default with waypoints in any order, the nearest first"),
    AppPreset(
      "chosenNext", summary: "the default where the walker chooses the first, and then it wraps"),
    AppPreset("goHike", summary: "the original app: nearer than 60 m, any accuracy, by rank"),
    AppPreset(
      "goHike2013-09", summary: "the original with the 40 m location filter of September 2013"),
  ]
  package static let peopleCount = 1...8
  package static let channel = Channel.location
  package static let furtherChannels = [Channel.heading]
  package static let task = ReferenceTask.visit
  package static let detector: String? = CheckInDetector.name
  package static let fixedParameters = ["order", "requires-confirmation", "revisits"]
  package static let faultCounts = [
    "visits_twice", "visits_out_of_order", "bad_fix_prompts", "check_ins_lost",
  ]

  package enum Message: Sendable, Encodable {
    case upload(HikeUpload)
    case ping(number: Int, version: String)
    case download(number: Int)
    case answer(HikeServer.Answer)
    /// The server refused the upload with that stamp.
    case refused(RequestStamp)
  }

  private let hasScript: Bool
  private let rules: HikeRules
  let content: HikeContent
  private let epoch: WallTime
  package var people: [HikeWalker] = []
  package var server: HikeServer
  /// The number of times that somebody has given the server new content.
  var publications = 0
  package var exchange: Exchange<HikeEngine, HikeServer, Message>
  package var events: [AppEvent] = []
  package private(set) var detections: [DetectionRecord] = []

  package init(_ setup: AppSetup) throws(TraceError) {
    var routes: [HikeRoute] = []
    for (index, person) in setup.people.enumerated() {
      routes.append(try HikeRoute(of: person.header, id: "route-\(index + 1)"))
    }
    content = HikeContent(
      version: "",
      profiles: [
        HikeProfile(id: HikeWalker.profile, name: HikeText(en: "Walkers"), routes: routes)
      ])
    var rules: HikeRules = Self.rules(setup)
    rules.checkIn = CheckInDetector.parameterFields.changed(by: setup.parameters, in: rules.checkIn)
    self.rules = rules
    epoch = setup.epoch ?? WallTime(nanoseconds: 0)
    hasScript = setup.script != nil
    server = HikeServer(content: content)
    exchange = Exchange(
      setup.network, phones: setup.people.count, decisions: setup.decisions)
    people = setup.people.indices.map { index in
      HikeWalker(
        DeviceID(index), setup.people[index], route: routes[index].id, engine: newPhone(index),
        script: setup.script)
    }
    for index in people.indices { setOut(index, at: people[index].start) }
    beginExchange()
  }

  package func newPhone(_ person: Int) -> HikeEngine {
    HikeEngine(rules: rules, content: content, device: "phone-\(person + 1)", epoch: epoch)
  }

  package func newServer() -> HikeServer { HikeServer(content: content) }

  package mutating func take(_ reading: Reading) {
    let (person, now) = (reading.device.index, reading.arrived)
    guard people.indices.contains(person) else { return }
    switch reading.value {
    case .fix(let fix):
      people[person].see(fix)
      if let first = people[person].chooseFirst(near: fix) {
        give(.choose(first), to: person, at: now)
      }
      feel(.fix(fix, measured: exchange.stamp(reading)), on: person, at: now)
    case .scalar(let heading) where reading.channel == .heading:
      feel(.heading(heading), on: person, at: now)
    case .action(let action):
      // A script replaces the trace's own answers.
      let answers: [Action: HikeEngine.Input] = [
        .confirm: .confirm, .continue: .proceed, .cancel: .cancel,
      ]
      guard !hasScript, let answer = answers[action] else { return }
      give(answer, to: person, at: now)
    default: return
    }
    updateDeadline()
  }

  package mutating func finish(device person: DeviceID, at end: TraceInstant) {
    guard people.indices.contains(person.index) else { return }
    people[person.index].script = nil
    events.append(people[person.index].farewell(at: end))
  }

  package mutating func close(at end: TraceInstant) { drain(from: end) }

  package var outcomes: [AppOutcome] {
    let lost = people.indices.reduce(0) { $0 + people[$1].lostByRestarts(stored: stored(of: $1)) }
    return people.indices.flatMap { people[$0].outcomes(stored: stored(of: $0)) }
      + (exchange.hasRestarted ? [.count("restart_lost_check_ins", lost)] : [])
  }

  /// The locations of a phone's check-ins on the server.
  private func stored(of person: Int) -> Set<String> {
    let device = people[person].engine.device
    return Set(server.checkIns.filter { $0.device == device }.map(\.location))
  }

  private mutating func setOut(_ index: Int, at now: TraceInstant) {
    let position = events.count
    if hasDecisions, people[index].engine.screen == .howToPlay {
      noteMore(.showHowToPlay, of: index, at: now)
    }
    give(.closeHelp, to: index, at: now)
    give(.connectivity(.cellular), to: index, at: now)
    give(.activate, to: index, at: now)
    give(.openRoute(people[index].key), to: index, at: now)
    give(.openCompass, to: index, at: now)
    events.insert(people[index].greeting(at: now), at: position)
  }
}

extension SimulatedHike: ExchangedApp {
  package func posting(of effect: HikeEngine.Effect, by phone: Int) -> Posting<Message>? {
    switch effect {
    case .upload(let upload): Posting(to: .server, .upload(upload))
    case .ping(let number, let version):
      Posting(to: .server, .ping(number: number, version: version))
    case .download(let number): Posting(to: .server, .download(number: number))
    default: nil
    }
  }

  package func posting(of effect: HikeServer.Effect) -> Posting<Message>? {
    guard case .answer(let device, let answer) = effect,
      let person = people.firstIndex(where: { $0.engine.device == device })
    else { return nil }
    return Posting(to: .phone(person), .answer(answer))
  }

  package func serverInput(of message: Message, from phone: Int) -> HikeServer.Input? {
    let device = people[phone].engine.device
    return switch message {
    case .upload(let upload): .checkIns(upload)
    case .ping(let number, let version): .ping(device: device, number: number, version: version)
    case .download(let number): .content(device: device, number: number)
    case .answer, .refused: nil
    }
  }

  package func phoneInput(
    of message: Message, from sender: Endpoint, to phone: Int
  ) -> HikeEngine.Input? {
    switch message {
    case .answer(.stored(let stamp)): .uploadStored(stamp)
    case .answer(.storedAll(let stamp, let checkIns)): .allStored(stamp, checkIns)
    case .answer(.outOfStep(let stamp, let position)): .uploadOutOfStep(stamp, position)
    case .answer(.current(let number)): .pingAnswered(number: number, isCurrent: true)
    case .answer(.update(let number)): .pingAnswered(number: number, isCurrent: false)
    case .answer(.content(let number, let content)): .downloaded(number: number, content)
    case .refused(let stamp): .uploadFailed(stamp)
    case .upload, .ping, .download: nil
    }
  }

  package func answer(to message: Message, refusedWith refusal: Refusal) -> Message? {
    if case .upload(let upload) = message { .refused(upload.stamp) } else { nil }
  }

  package mutating func note(_ effect: HikeEngine.Effect, of person: Int, at now: TraceInstant) {
    if case .detected(var record) = effect {
      record.device = people[person].id
      // A phone that corrects the times of its fixes needs no other correction.
      detections.append(rules.clockPatience == nil ? exchange.onAxis(record, of: person) : record)
    }
    people[person].note(effect, at: now)
    if hasDecisions { noteMore(effect, of: person, at: now) }
    if let event = people[person].event(for: effect, at: now) { events.append(event) }
  }

  package mutating func noteRefusal(_ refusal: Refusal, of person: Int, at now: TraceInstant) {
    events.append(people[person].refused(refusal, at: now))
  }

  package mutating func noteDelivery(of message: Message, to person: Int, at now: TraceInstant) {
    if exchange.isOfOldServer { people[person].noteGone(stored: stored(of: person)) }
    if case .answer(.storedAll) = message, let event = people[person].restored(at: now) {
      events.append(event)
    }
    if let event = people[person].uploaded(at: now) { events.append(event) }
  }

  package mutating func act(_ person: Int, at now: TraceInstant) {
    while let answer = people[person].script?.take(by: now) {
      // A decision after the prompt takes the place of the scripted answer.
      if !decides(after: "prompt", person) { give(answer, to: person, at: now) }
    }
  }

  package mutating func noteRestart(of endpoint: Endpoint, isNew: Bool, at now: TraceInstant) {
    guard let person = endpoint.phone else {
      for index in people.indices {
        events.append(
          people[index].serverRestarted(isNew: isNew, stored: stored(of: index), at: now))
      }
      return
    }
    events.append(people[person].restart(isNew: isNew, at: now))
    give(.relaunched, to: person, at: now)
    if isNew {
      setOut(person, at: now)
    } else {
      // An app that is started again comes to the front.
      give(.activate, to: person, at: now)
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

// MARK: Help

extension SimulatedHike {
  package static var legend: String {
    """
    prompts: number of check-in prompts. visits: waypoints checked in at. reward: for all waypoints; finish
    time: from the start until then. order kept: visited in the route's order. prompt distance: mean
    distance from the waypoint at the prompt. prompt delay: from the first true entry into a waypoint's
    circle to its first prompt, below 0 = before. uploads: check-ins stored by the server. Counted as
    violations: visits twice or out of order; bad fix prompts: by a fix that is invalid or worse than 100 m; check-ins
    lost: neither on the server nor waiting on the phone. restart lost check-ins: made, and after restarts no
    longer on the phone, or on the server.
    """
  }

  package static func rules(of preset: String) -> (any AppRules)? {
    HikeRules.preset(named: preset)
  }

  /// Returns those of the check-in detector.
  package static func parameters(
    by rules: (any AppRules)?, for header: TraceHeader
  ) -> [ResolvedParameter] {
    CheckInDetector.parameterFields.resolved(in: (rules as? HikeRules ?? .default).detection)
  }
}

extension HikeEngine {
  /// The simulation of the app, to register with an `AppCatalog`.
  public static var simulation: any AppSimulation.Type { SimulatedHike.self }
}
