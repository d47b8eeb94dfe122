import Foundation
public import TraceModel

public struct HTTPLimits: Hashable, Sendable {
  /// The maximum time in seconds without a byte.
  public var idleTime = 10.0
  /// The maximum time in seconds from the start to the last byte, with the search for the server's
  /// address.
  public var totalTime = 60.0
  /// The maximum size of an answer in bytes, before and after it is unpacked.
  public var size = HikeContentReader.sizeLimit
  /// The maximum size in bytes of all headers of an answer together, with those of interim answers
  /// and the trailers.
  public static let headerSize = 1 << 16
  /// The maximum number of all these header lines.
  public static let headerLines = 256
  /// The maximum number of interim answers (status 100 to 199).
  public static let interimAnswers = 8

  public init() {}
}

/// A client for requests to one server over HTTP/1.1, by libcurl.
///
/// Nothing in an answer is trusted:
///
/// - A status other than 200 to 299 is an error, as soon as its headers are there. Redirections are
///   refused, because the server's address is part of the app, and so is 206 (Partial Content),
///   because no part was asked for. A status 401 is not repeated with credentials.
/// - The body ends where its framing states. With `Content-Length`, fewer bytes are an error, and so
///   are more that arrive with the last of them; later bytes are never read. A length that is no
///   number, contradictory lengths, and a length for a chunked body are errors. Without a length and
///   without chunks the body ends with the connection; over HTTPS this is an error, because there
///   anyone on the way could cut it off.
/// - Only gzip is asked for. Another coding, several codings, and gzip data that are cut off,
///   damaged or followed by bytes other than zeros are errors. What is unpacked counts against
///   ``HTTPLimits/size`` while it is unpacked.
///
/// Each request has a connection and a thread of its own. Certificates are verified. There are no
/// cookies, no `.netrc` and no cache. Proxies come from the environment, as for other programs with
/// libcurl: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
public struct HTTPClient: Sendable {
  private let base: String
  private let limits: HTTPLimits

  /// - Parameter base: e.g. `https://example.org`, without a slash at the end.
  public init(base: String, limits: HTTPLimits = HTTPLimits()) {
    (self.base, self.limits) = (base, limits)
  }

  /// Sends a request and returns the body of the answer. Ends early if the task is cancelled.
  /// - Parameter json: the body of a POST request; nil = GET.
  /// - Throws: ``TraceError`` of kind `.badData` for something that is not an address; of kind
  ///   `.inputOutput` for a failed connection, a time-out, a truncated, damaged or too large answer,
  ///   any other status, and a cancelled task.
  public func send(_ path: String, json: [UInt8]? = nil) async throws(TraceError) -> [UInt8] {
    guard let url = URL(string: base + path), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host(), !host.isEmpty
    else {
      throw TraceError(
        place: base + path, expected: "a URL such as https://example.org",
        found: "an invalid URL")
    }
    let transfer = HTTPTransfer(url: url.absoluteString, json: json, limits: limits)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.start { continuation.resume(returning: $0) }
      }
    } onCancel: {
      transfer.cancel()
    }
    return try outcome.get()
  }
}
