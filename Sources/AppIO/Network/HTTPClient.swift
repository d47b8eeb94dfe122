import Foundation
import Synchronization
public import TraceModel

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The limits of a request.
public struct HTTPLimits: Hashable, Sendable {
  /// The maximum time in seconds without a byte.
  public var idleTime = 10.0
  /// The maximum time in seconds from the start to the last byte.
  public var totalTime = 60.0
  /// The maximum size of an answer in bytes.
  public var size = HikeContentReader.sizeLimit

  public init() {}
}

/// A client for requests to one server. An incomplete answer or a status other than 200 to 299 is
/// an error. Redirections are refused: the server's address is part of the app.
public struct HTTPClient: Sendable {
  private let base: String
  private let limits: HTTPLimits

  /// - Parameter base: e.g. `https://example.org`, without a slash at the end.
  public init(base: String, limits: HTTPLimits = HTTPLimits()) {
    self.base = base
    self.limits = limits
  }

  /// - Parameters:
  ///   - json: the body of a POST request; nil = GET.
  ///   - allowsCellular: false = the request fails over mobile data, if the system supports this.
  /// - Throws: ``TraceError`` of kind `.inputOutput` for a failed connection, a time-out, a
  ///   truncated or too large answer, and any other status.
  public func send(
    _ path: String, json: [UInt8]? = nil, allowsCellular: Bool = true
  ) async throws(TraceError) -> [UInt8] {
    guard let url = URL(string: base + path), url.host != nil else {
      throw TraceError(
        place: base + path, expected: "a URL such as https://example.org",
        found: "an invalid URL")
    }
    var request = URLRequest(url: url)
    request.allowsCellularAccess = allowsCellular
    if let json {
      request.httpMethod = "POST"
      request.httpBody = Data(json)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let limits = self.limits
    let outcome = await withCheckedContinuation { continuation in
      HTTPExchange(place: url.absoluteString, limits: limits) { continuation.resume(returning: $0) }
        .start(request)
    }
    return try outcome.get()
  }
}

/// A request and its answer.
private final class HTTPExchange: NSObject, URLSessionDataDelegate {
  private struct State {
    var body: [UInt8] = []
    var status = 0
    var isOver = false
  }

  private let place: String
  private let limits: HTTPLimits
  private let completion: @Sendable (Result<[UInt8], TraceError>) -> Void
  private let state = Mutex(State())

  init(
    place: String, limits: HTTPLimits,
    completion: @escaping @Sendable (Result<[UInt8], TraceError>) -> Void
  ) {
    self.place = place
    self.limits = limits
    self.completion = completion
  }

  func start(_ request: URLRequest) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = limits.idleTime
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    let task = session.dataTask(with: request)
    task.resume()
    session.finishTasksAndInvalidate()
    // Not every Foundation enforces `timeoutIntervalForResource`: on Linux an answer with single
    // slow bytes never times out.
    DispatchQueue.global().asyncAfter(deadline: .now() + limits.totalTime) {
      [weak self, weak task] in
      guard let self, let task else { return }
      self.refuse(expected: "an answer within \(self.limits.totalTime) s", found: "none yet", task)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    state.withLock { $0.status = status }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = state.withLock { state in
      guard state.body.count + data.count <= limits.size else { return true }
      state.body += data
      return false
    }
    if isTooLarge {
      refuse(expected: "an answer of at most \(limits.size) bytes", found: "more", dataTask)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let result: Result<[UInt8], TraceError>? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      if let error { return .failure(failure(found: Self.text(of: error))) }
      // A redirection without an address has no response.
      let status = (task.response as? HTTPURLResponse)?.statusCode ?? state.status
      guard (200...299).contains(status) else {
        return .failure(failure(found: "status \(status)"))
      }
      return .success(state.body)
    }
    if let result { completion(result) }
  }

  private func refuse(expected: String, found: String, _ task: URLSessionTask) {
    let isOpen = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    guard isOpen else { return }
    task.cancel()
    // Complete without waiting for the session: the request is over in any case.
    completion(
      .failure(
        TraceError(
          .inputOutput, place: place, expected: expected, found: found, remedy: "try again later")))
  }

  private func failure(found: String) -> TraceError {
    TraceError(
      .inputOutput, place: place, expected: "a complete answer with status 200", found: found,
      remedy: "try again later")
  }

  private static func text(of error: any Error) -> String {
    let error = error as NSError
    let cause = (error.userInfo[NSUnderlyingErrorKey] as? NSError) ?? error
    let reason = cause.userInfo[NSLocalizedDescriptionKey] as? String
    if let reason { return "\"\(reason)\"" }
    return error.code == URLError.timedOut.rawValue
      ? "none in time" : "network error \(error.code)"
  }
}
