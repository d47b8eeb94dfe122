import TraceModel

/// Uploads that no answer has come to, and when the next is due.
struct HikeUploadQueue: Hashable, Sendable, Codable {
  /// Answers that come later than so many further uploads count no more; what they were about is
  /// in the later ones too.
  static let limit = 16
  var unanswered: [HikeUpload] = []
  var retryAt: TraceInstant?
  /// Seconds.
  var wait = 0.0
}

extension HikeEngine {
  mutating func takePhone(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    switch input {
    case .activate:
      isActive = true
      if isHowToPlayShown { effects.append(.showHowToPlay) }
      lookForUpdate(into: &effects)
      upload(at: now, into: &effects)
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
      guard isActive else { return }
      if hasWiFi { lookForUpdate(into: &effects) }
      if isBack, rules.uploadRetry > 0 { upload(at: now, into: &effects) }
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
      // The Wi-Fi may be gone meanwhile: the next one finds the content still old.
      if !isCurrent, connectivity == .wifi {
        update = .downloading(number: nextNumber())
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
    case .uploadStored(let number): try markStored(number, into: &effects)
    case .uploadFailed(let number):
      // Whether it arrived is not known: it stays unanswered, and the retry sends it again.
      guard uploads.unanswered.contains(where: { $0.number == number }) else {
        throw unknownRequest
      }
    default: preconditionFailure("\(input) is no answer")
    }
  }

  /// Sends all check-ins that the server is not known to have. Each upload has them all, so that
  /// none depends on another's fate.
  mutating func upload(at now: TraceInstant, isRetry: Bool = false, into effects: inout [Effect]) {
    let pending = records.filter { !$0.isUploaded }
    guard !pending.isEmpty else { return }
    if connectivity != .offline {
      let upload = HikeUpload(
        number: nextNumber(), device: device, checkIns: pending.map(\.checkIn))
      uploads.unanswered = uploads.unanswered.suffix(HikeUploadQueue.limit - 1) + [upload]
      effects.append(.upload(upload))
    }
    guard rules.uploadRetry > 0 else { return }
    uploads.wait =
      isRetry ? min(uploads.wait * 2, max(rules.longestRetry, 1)) : max(rules.uploadRetry, 1)
    uploads.retryAt = now.advanced(bySeconds: uploads.wait)
  }

  private mutating func markStored(
    _ number: Int, into effects: inout [Effect]
  ) throws(Refusal) {
    guard let index = uploads.unanswered.firstIndex(where: { $0.number == number }) else {
      throw unknownRequest
    }
    let sent = Set(uploads.unanswered.remove(at: index).checkIns)
    for index in records.indices
    where rules.marksAllUploaded || sent.contains(records[index].checkIn) {
      records[index].isUploaded = true
    }
    if records.allSatisfy(\.isUploaded) { uploads = HikeUploadQueue() }
    effects.append(.save)
  }

  /// Only over Wi-Fi, to spare the data plan.
  private mutating func lookForUpdate(into effects: inout [Effect]) {
    guard connectivity == .wifi else { return }
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
