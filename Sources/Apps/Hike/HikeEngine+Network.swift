import TraceModel

/// The unanswered uploads and the time of the next retry.
struct HikeUploadQueue: Hashable, Sendable, Codable {
  /// The number of unanswered uploads to keep. Answers to older ones are ignored, because later
  /// uploads contain the same check-ins.
  static let limit = 16
  var unanswered: [HikeUpload] = []
  var retryAt: TraceInstant?
  /// The current retry interval in seconds.
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
      // The Wi-Fi may be lost meanwhile; the next ping finds the old content again.
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
      // It is unknown whether the upload arrived: it stays unanswered and is retried.
      guard uploads.unanswered.contains(where: { $0.number == number }) else {
        throw unknownRequest
      }
    default: preconditionFailure("\(input) is no answer")
    }
  }

  /// Sends all unconfirmed check-ins. Each upload contains all of them, so that uploads are
  /// independent.
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

  /// Looks for new content, only over Wi-Fi.
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
