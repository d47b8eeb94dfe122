private import CCurl

/// Handles of libcurl for one request, and the options of every request.
struct CurlSession: ~Copyable {
  enum End {
    case success
    case timeout
    case tooLarge
    case failure(String)
  }

  private let easy: UnsafeMutableRawPointer
  private let multi: UnsafeMutableRawPointer
  private let message: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutablePointer<curl_slist>?

  private static let isReady = ccurl_prepare() == CURLE_OK

  /// Nil without memory.
  init?() {
    guard Self.isReady, let easy = curl_easy_init() else { return nil }
    guard let multi = curl_multi_init() else {
      curl_easy_cleanup(easy)
      return nil
    }
    self.easy = easy
    self.multi = multi
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  /// May wait for a name server.
  deinit {
    curl_multi_remove_handle(multi, easy)
    curl_easy_cleanup(easy)
    curl_multi_cleanup(multi)
    curl_slist_free_all(headers)
    message.deallocate()
  }

  /// The handle that ``wake(_:)`` takes, which is valid as long as the session.
  var address: UInt { UInt(bitPattern: multi) }

  /// Ends a ``wait(seconds:)`` of another thread.
  static func wake(_ address: UInt) {
    if let multi = UnsafeMutableRawPointer(bitPattern: address) { curl_multi_wakeup(multi) }
  }

  /// Sets all options, and adds the request.
  /// - Returns: false if the library lacks one.
  mutating func prepare(
    url: String, json: [UInt8]?, limits: HTTPLimits, receiver: HTTPReceiver
  ) -> Bool {
    var codes = numbers(limits).map { ccurl_set_number(easy, $0.0, $0.1) }
    codes += [
      ccurl_allow_http_alone(easy), ccurl_set_text(easy, CURLOPT_URL, url),
      ccurl_set_text(easy, CURLOPT_USERAGENT, "Shadowbox"),
      ccurl_set_error_buffer(easy, message),
    ]
    // The coding is not libcurl's to undo: it takes any, and sees no end that is missing.
    // Without "Connection: close", for which some servers state no length.
    var lines = ["Accept-Encoding: gzip"]
    if let json {
      // Without the wait for "100 Continue".
      lines += ["Content-Type: application/json", "Expect:"]
      codes.append(json.withUnsafeBytes { ccurl_set_body(easy, $0.baseAddress, $0.count) })
    }
    for line in lines {
      guard let longer = curl_slist_append(headers, line) else { return false }
      headers = longer
    }
    codes.append(ccurl_set_headers(easy, headers))
    codes.append(setReceiver(receiver))
    return codes.allSatisfy { $0 == CURLE_OK } && curl_multi_add_handle(multi, easy) == CURLM_OK
  }

  private func numbers(_ limits: HTTPLimits) -> [(CURLoption, Int)] {
    // The transfer ends itself at its limits; this is for what does not return to it.
    let seconds = limits.totalTime > 0 ? min(limits.totalTime, 1e6) : 0
    let backstop = Int((seconds + 1) * 1000)
    return [
      // No signals: they belong to the program.
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_HTTP09_ALLOWED, 0),
      (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)), (CURLOPT_NETRC, 0),
      (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_FORBID_REUSE, 1),
      (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_HTTP_CONTENT_DECODING, 0),
      // `HTTPAnswer` compares the length, because libcurl drops what goes beyond it.
      (CURLOPT_IGNORE_CONTENT_LENGTH, 1), (CURLOPT_TIMEOUT_MS, backstop),
      (CURLOPT_CONNECTTIMEOUT_MS, backstop),
    ]
  }

  private func setReceiver(_ receiver: HTTPReceiver) -> CURLcode {
    ccurl_set_receivers(
      easy, { CurlSession.receive($0, $1 * $2, $3, isHeader: true) },
      { CurlSession.receive($0, $1 * $2, $3, isHeader: false) },
      Unmanaged.passUnretained(receiver).toOpaque())
  }

  /// Returns the number of bytes taken; another than `count` ends the transfer.
  private static func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    isHeader: Bool
  ) -> Int {
    guard let context else { return 0 }
    let receiver = Unmanaged<HTTPReceiver>.fromOpaque(context).takeUnretainedValue()
    let isTaken = receiver.take(
      UnsafeRawBufferPointer(start: bytes, count: count), isHeader: isHeader)
    // Not 0, which would be right for an empty part.
    return isTaken ? count : count &+ 1
  }

  /// Does what can be done without waiting.
  /// - Returns: whether the transfer goes on.
  func step() -> Bool {
    var running: Int32 = 0
    return curl_multi_perform(multi, &running) == CURLM_OK && running > 0
  }

  /// The seconds since the start, at the last ``step()``.
  var elapsed: Double { Double(ccurl_elapsed(easy)) / 1e6 }

  /// Waits for the connection, for ``wake(_:)``, or for so long, at most a second.
  /// - Returns: whether something happened on the connection.
  func wait(seconds: Double) -> Bool {
    var active: Int32 = 0
    let milliseconds = Int32((min(max(seconds, 0), 1) * 1000).rounded(.up))
    curl_multi_poll(multi, nil, 0, max(milliseconds, 1), &active)
    return active > 0
  }

  var end: End {
    let code = ccurl_result(multi)
    switch code {
    case CURLE_OK: return .success
    case CURLE_OPERATION_TIMEDOUT: return .timeout
    case _ where ccurl_is_too_large(code) != 0: return .tooLarge
    default:
      let text = String(cString: message)
      return .failure(text.isEmpty ? String(cString: curl_easy_strerror(code)) : text)
    }
  }
}
