import Files
import Foundation
import Reports
import Secrets
import Synchronization
import TraceFormats

/// Serves a page to clients that know its address, and writes the labels that they send next to their
/// traces.
final class LabelDesk: Sendable {
  private let page: [UInt8]
  /// The files of the traces, by their numbers in the page.
  private let traces: [String]
  private let port: UInt16
  private let token: String
  private let say: @Sendable (String) -> Void
  private let outputFiles: OutputFiles
  /// One file is written at a time.
  private let writing = Mutex(())

  /// The first line of the labels that a page saves.
  private static let heading = "onset_ns,offset_ns,label\n"

  init(
    page: String, traces: [String], port: UInt16, outputFiles: OutputFiles,
    say: @escaping @Sendable (String) -> Void
  ) throws {
    (self.page, self.traces, self.port, self.say) = (Array(page.utf8), traces, port, say)
    self.outputFiles = outputFiles
    token = try SecureRandom.token()
  }

  var address: String { "http://127.0.0.1:\(port)/\(token)/" }

  /// Why a request is refused, by its head alone; nil = it is not. Its body is not read before.
  func refusal(of request: PageServer.Request) -> PageServer.Answer? {
    // A page of another site may send requests here, but not with this host and origin.
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard let host = request.headers["host"], hosts.contains(host.lowercased()) else {
      return .init(403, "expected the host 127.0.0.1:\(port)\n")
    }
    if let origin = request.headers["origin"], origin.lowercased() != "http://\(host.lowercased())"
    {
      return .init(403, "expected a request of the page itself\n")
    }
    guard request.path.hasPrefix("/\(token)/") else {
      return .init(403, "expected the address that the program printed\n")
    }
    switch (request.method, request.path.dropFirst(token.count + 2)) {
    case ("GET", ""): return nil
    case ("POST", "labels"):
      return number(of: request) == nil
        ? .init(404, "expected trace=0 to trace=\(traces.count - 1)\n") : nil
    case ("GET", _), ("POST", _): return .init(404, "no such page\n")
    default: return .init(405, "expected GET or POST\n")
    }
  }

  func answer(_ request: PageServer.Request) -> PageServer.Answer {
    if let refusal = refusal(of: request) { return refusal }
    if let number = number(of: request) { return save(request, number) }
    var answer = PageServer.Answer(200, "")
    (answer.body, answer.type) = (page, "text/html; charset=utf-8")
    return answer
  }

  /// The number of the trace whose labels a request saves; nil = it saves none.
  private func number(of request: PageServer.Request) -> Int? {
    let words = request.query.split(separator: "=", omittingEmptySubsequences: false)
    guard request.method == "POST", words.count == 2, words[0] == "trace",
      let number = Int(words[1]), traces.indices.contains(number)
    else { return nil }
    return number
  }

  private func save(_ request: PageServer.Request, _ number: Int) -> PageServer.Answer {
    guard let text = String(validating: request.body, as: UTF8.self), text.hasPrefix(Self.heading)
    else { return .init(400, "expected labels that begin with \(Self.heading)") }
    let path = Self.path(besides: traces[number])
    let sharing = traces.filter { Self.path(besides: $0) == path }
    guard Set(sharing).count == 1 else {
      return .init(
        409,
        "\(path): expected the labels of one recording, found \(sharing.joined(separator: " and ")); "
          + "rename one of them\n")
    }
    do {
      try writing.withLock { _ in
        try outputFiles.prepared(
          text, at: outputFiles.checked(path, .labelTable, inputs: traces)
        ).commit()
      }
    } catch {
      say("labels of \(traces[number]): \(error)")
      return .init(409, "\(error)\n")
    }
    let count = text.utf8.count { $0 == UInt8(ascii: "\n") } - 1
    say("\(path): \(counted(count, "label"))")
    return .init(200, "Saved \(counted(count, "label")) as \(path)")
  }

  /// `run.h5` has its labels in `run.labels.csv`.
  static func path(besides trace: String) -> String {
    let name = TracePath.lastName(trace)
    return String(Substring(trace.utf8.dropLast(name.utf8.count))) + TracePath.stem(of: trace)
      + ".labels.csv"
  }
}
