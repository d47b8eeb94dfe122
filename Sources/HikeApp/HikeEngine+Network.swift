import AppEngines
import TraceModel

extension HikeEngine {
  mutating func takePhone(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    switch input {
    case .activate:
      isActive = true
      if isHowToPlayShown { effects.append(.showHowToPlay) }
      lookForUpdate(at: now, into: &effects)
      uploadAgain(at: now, into: &effects)
    case .relaunched: asksForAll = rules.restoresCheckIns
    case .deactivate:
      guard isActive else { throw Refusal("not-active", "The app is not at the front.") }
      isActive = false
      effects.append(.save)
    case .connectivity(let new):
      let isBack = connectivity == .offline && new != .offline
      let hasWiFi = connectivity != .wifi && new == .wifi
      connectivity = new
      if case .downloading(let number) = update, new != .wifi {
        update = .idle
        effects.append(.cancelDownload(number: number))
      }
      if isActive, hasWiFi { lookForUpdate(at: now, into: &effects) }
      if isBack, rules.uploadBackoff != nil { uploadAgain(at: now, into: &effects) }
    case .languages(let preferred):
      language = HikeLanguage(preferred: preferred)
    default: preconditionFailure("\(input) is not the phone's")
    }
  }

  mutating func takeAnswer(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    switch input {
    case .pingAnswered(let number, let isCurrent):
      guard update == .pinging(number: number) else { throw unknownRequest }
      update = .idle
      // The Wi-Fi may be lost meanwhile; the next ping finds the old content again.
      if !isCurrent, connectivity == .wifi {
        update = .downloading(number: nextNumber())
        downloadSince = now
        effects.append(.download(number: requestCount))
      }
    case .downloaded(let number, let download):
      guard update == .downloading(number: number) else { throw unknownRequest }
      update = .idle
      take(download, isNew: true, into: &effects)
    case .updateFailed(let number):
      guard update == .pinging(number: number) || update == .downloading(number: number) else {
        throw unknownRequest
      }
      update = .idle
    case .uploadStored(let stamp): try markStored(stamp, at: now, into: &effects)
    case .allStored(let stamp, let checkIns):
      guard outbox.item(stamp) != nil else { throw unknownRequest }
      asksForAll = false
      try markStored(stamp, at: now, into: &effects)
      restore(checkIns, at: now, into: &effects)
    case .uploadFailed(let stamp):
      // It is unknown whether the upload arrived: it stays unanswered and is retried.
      guard outbox.item(stamp) != nil else { throw unknownRequest }
    case .uploadOutOfStep(let stamp, let position):
      try resynchronise(stamp, to: position, at: now, into: &effects)
    default: preconditionFailure("\(input) is no answer")
    }
  }

  /// Sends the unconfirmed check-ins. Each upload contains all of them, so that only the newest one
  /// is repeated; an answer to an older one still counts.
  mutating func upload(at now: TraceInstant, into effects: inout [Effect]) {
    let pending = pending
    guard !pending.isEmpty || asksForAll, connectivity != .offline else { return }
    send(prepare(pending, at: now), into: &effects)
  }

  /// The check-ins to send, as many as the server takes at a time. One that it can never take, e.g.
  /// without an id, is kept and not sent: the server would refuse the others with it.
  private var pending: [HikeCheckIn] {
    let waiting = records.lazy.filter { !$0.isUploaded }.map(\.checkIn)
    return Array(waiting.filter(HikeServer.accepts).prefix(HikeServer.requestLimit))
  }

  /// Makes an upload that takes the place of the others: from now on only it is repeated.
  private mutating func prepare(
    _ checkIns: [HikeCheckIn], at now: TraceInstant
  ) -> Outbox<[HikeCheckIn]>.Item? {
    for item in outbox.items { outbox.hold(item.stamp) }
    if outbox.items.count >= outbox.limit, let oldest = outbox.first { outbox.remove(oldest.stamp) }
    // There is room for one.
    return try? outbox.send(checkIns, at: now)
  }

  /// Sends all unconfirmed check-ins because the app or the network is back, within the budget. What
  /// it leaves out is sent after its wait.
  private mutating func uploadAgain(at now: TraceInstant, into effects: inout [Effect]) {
    let pending = pending
    guard connectivity != .offline, !pending.isEmpty || asksForAll else { return }
    let isInBudget = uploadBudget?.take(at: now) != false
    // The same upload keeps its waits, so that they do not start again each time.
    let newest = rules.uploadBackoff == nil ? nil : outbox.items.last
    let isKnown = newest?.request == pending && newest?.due != nil
    let item = isKnown ? newest : prepare(pending, at: now)
    if isInBudget { send(item, into: &effects) }
  }

  /// Sends an upload, unless the phone is offline: then the next attempt is after the next wait, or
  /// when it is back.
  func send(_ item: Outbox<[HikeCheckIn]>.Item?, into effects: inout [Effect]) {
    guard let item, connectivity != .offline else { return }
    effects.append(
      .upload(
        HikeUpload(
          stamp: item.stamp, device: device, checkIns: item.request, wantsAll: asksForAll)))
  }

  private mutating func resynchronise(
    _ stamp: RequestStamp, to position: StampPosition, at now: TraceInstant,
    into effects: inout [Effect]
  ) throws(Refusal) {
    guard let item = outbox.item(stamp) else { throw unknownRequest }
    // The newest upload contains the check-ins of the others.
    guard item.stamp == outbox.items.last?.stamp else {
      outbox.remove(stamp)
      return
    }
    guard let item = outbox.resynchronise(stamp, to: position, at: now) else {
      throw Refusal("impossible-position", "No request can have this number.")
    }
    // A server that accepts no number must not be asked without a wait.
    if uploadBudget?.take(at: now) != false { send(item, into: &effects) }
  }

  private mutating func markStored(
    _ stamp: RequestStamp, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    guard let item = outbox.remove(stamp) else { throw unknownRequest }
    let sent = Set(item.request)
    for index in records.indices
    where rules.marksAllUploaded || sent.contains(records[index].checkIn) {
      records[index].isUploaded = true
    }
    if pending.isEmpty, !asksForAll { outbox.removeAll { _ in true } }
    effects.append(.save)
    // What the request had no room for follows: no other one is repeated.
    if rules.uploadBackoff != nil, outbox.due == nil, !pending.isEmpty {
      upload(at: now, into: &effects)
    }
  }

  /// Looks for new content, only over Wi-Fi. A running download continues.
  private mutating func lookForUpdate(at now: TraceInstant, into effects: inout [Effect]) {
    guard connectivity == .wifi else { return }
    if case .downloading(let number) = update {
      guard downloadSince.advanced(bySeconds: HikeEngine.downloadPatience) <= now else { return }
      effects.append(.cancelDownload(number: number))
      update = .idle
    }
    guard pingBudget?.take(at: now) != false else { return }
    update = .pinging(number: nextNumber())
    effects.append(.ping(number: requestCount, version: content.version))
  }

  private mutating func nextNumber() -> Int {
    requestCount += 1
    return requestCount
  }

  private var unknownRequest: Refusal {
    Refusal("unknown-request", "No such request is waiting for an answer.")
  }
}
