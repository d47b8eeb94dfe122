import Foundation
import Reports
import TestSupport
import Testing

@testable import Harness

/// `report --serve`: the page at an address of this machine, and labels written next to their traces.
@Suite final class ServeTests {
  private let scratch: Scratch
  private let process = Process()
  private let port: Int
  /// The path of the page, `/token/`.
  private let path: String

  private static let made = MadeFiles([
    "synth punches --duration 20s --seed 3 -o p.h5", "run p.h5 --detector punch -o r.h5",
  ])

  init() throws {
    scratch = try Scratch()
    try Self.made.copy(to: scratch)
    process.executableURL = URL(filePath: "/bin/sh")
    // The fewest open files with which the program starts.
    process.arguments = [
      "-c", "ulimit -n 48; exec \"$0\" report r.h5 --serve", Program.executable,
    ]
    process.currentDirectoryURL = scratch.url
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // The address and its line feed; nothing follows.
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      line += more
    }
    let address = String(decoding: line, as: UTF8.self)
    let found = try #require(
      address.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)(\/[0-9a-f]{32}\/)\n/), "\(address)")
    port = try #require(Int(found.1))
    path = String(found.2)
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// Sends bytes and returns the answer.
  private func ask(_ bytes: [UInt8]) throws -> String {
    try scratch.write("", to: "request")
    try Data(bytes).write(to: scratch.url.appending(path: "request"))
    // Python's sockets: no library of ours is asked what HTTP is.
    let script = """
      import socket, sys
      s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 20)
      s.sendall(open("request", "rb").read()); s.shutdown(socket.SHUT_WR)
      while True:
          part = s.recv(65536)
          if not part: break
          sys.stdout.buffer.write(part)
      """
    return try Program.launch("python3", ["-c", script, "\(port)"], in: scratch.url).output
  }

  private func ask(
    _ method: String, _ target: String, host: String? = nil, more: String = "", body: String = ""
  ) throws -> String {
    try ask(
      Array(
        ("\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n\(more)"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)").utf8))
  }

  @Test func thePageIsServedAndLabelsComeBack() throws {
    let page = try ask("GET", path)
    #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n") && page.contains("\"is_served\":true"))
    #expect(page.contains("default-src 'none'") && page.contains("; connect-src 'self'"))
    let labels = "onset_ns,offset_ns,label\n1500000001,1500000001,jab\n"
    for _ in 1...2 {
      let saved = try ask("POST", path + "labels?trace=0", body: labels)
      #expect(saved.hasPrefix("HTTP/1.1 200") && saved.hasSuffix("/p.labels.csv"))
    }
    #expect(try scratch.text(of: "p.labels.csv") == labels)
    let converted = try Program.run(
      ["convert", "p.h5", "--reference", "p.labels.csv", "-o", "q.h5"], in: scratch.url)
    #expect(converted.status == 0, "\(converted.errors)")
    #expect(Set(scratch.names).isSuperset(of: ["p.h5", "p.labels.csv", "q.h5"]))
  }

  @Test func strangersGetNothing() throws {
    let labels = "onset_ns,offset_ns,label\n"
    let other = "/" + String(repeating: "0", count: 32) + "/"
    #expect(try ask("GET", other).hasPrefix("HTTP/1.1 403"))
    #expect(try ask("POST", other + "labels?trace=0", body: labels).hasPrefix("HTTP/1.1 403"))
    #expect(try ask("GET", "/").hasPrefix("HTTP/1.1 403"))
    // A name of another site that leads to this machine, and a page of another site.
    #expect(try ask("GET", path, host: "evil.example").hasPrefix("HTTP/1.1 403"))
    #expect(
      try ask(
        "POST", path + "labels?trace=0", more: "Origin: http://evil.example\r\n", body: labels
      )
      .hasPrefix("HTTP/1.1 403"))
    #expect(!scratch.names.contains("p.labels.csv"))
  }

  @Test func whatIsWrongIsRefused() throws {
    for (target, body, status) in [
      ("labels?trace=1", "onset_ns,offset_ns,label\n", 404),
      ("labels?trace=-1", "onset_ns,offset_ns,label\n", 404),
      ("labels?trace=../p", "onset_ns,offset_ns,label\n", 404),
      ("labels", "onset_ns,offset_ns,label\n", 404), ("labels?trace=0", "hello", 400),
      ("other", "", 404),
    ] {
      let answer = try ask("POST", path + target, body: body)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(target): \(answer.prefix(80))")
    }
    #expect(try ask("DELETE", path).hasPrefix("HTTP/1.1 405"))
    let large = "Content-Length: 50000001\r\n\r\n"
    let host = "Host: 127.0.0.1:\(port)\r\n"
    for (text, status) in [
      ("POST \(path)labels?trace=0 HTTP/1.1\r\n\(host)\(large)", 413), ("nonsense\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\n\(host)\(host)\r\n", 400),
      ("GET / HTTP/1.1\r\n\(host)Content-Length: 1e3\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n", 411),
      ("GET /" + String(repeating: "a", count: 20_000), 431),
    ] {
      let answer = try ask(Array(text.utf8))
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(60)): \(answer.prefix(80))")
    }
    #expect(try ask([0xFF, 0xFE, 0x0D, 0x0A, 0x0D, 0x0A]).hasPrefix("HTTP/1.1 400"))
    // Nothing, half a head, and half a body: the next one is answered all the same.
    let half = "POST \(path)labels?trace=0 HTTP/1.1\r\n\(host)Content-Length: 9\r\n\r\nhalf"
    for text in ["", "GET / HT", half] {
      #expect(try ask(Array(text.utf8)) == "")
    }
    // A file that Shadowbox did not write is not replaced.
    let mine = "onset_ns,offset_ns,label\n1,2,mine\n"
    try scratch.write(mine, to: "p.labels.csv")
    let taken = try ask("POST", path + "labels?trace=0", body: "onset_ns,offset_ns,label\n")
    #expect(taken.hasPrefix("HTTP/1.1 409") && taken.contains("p.labels.csv"))
    #expect(try scratch.text(of: "p.labels.csv") == mine)
    #expect(try ask("GET", path).hasPrefix("HTTP/1.1 200"))
  }

  @Test func forceReplacesAFile() async throws {
    try scratch.write("mine", to: "p.labels.csv")
    let trace = scratch.path("p.h5")
    // Two recordings of one name would share their labels.
    for (traces, force, status) in [
      ([trace], false, 409), ([trace, scratch.path("p.hdf5")], true, 409),
      ([trace, scratch.path("q.h5"), trace], true, 200),
    ] {
      let desk = try LabelDesk(
        page: "", traces: traces, port: 80, outputFiles: OutputFiles(replacesOthers: force),
        say: { _ in })
      let path = desk.address.dropFirst("http://127.0.0.1:80".count) + "labels"
      let request = PageServer.Request(
        method: "POST", path: String(path),
        query: "trace=0", headers: ["host": "127.0.0.1:80"],
        body: Array("onset_ns,offset_ns,label\n".utf8))
      let answer = await Task.detached { desk.answer(request) }.value
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(answer.status == status, "\(text)")
    }
    #expect(try scratch.text(of: "p.labels.csv") == "onset_ns,offset_ns,label\n")
  }

  /// A browser opens connections ahead of time.
  @Test func idleConnectionsAreInNobodysWay() throws {
    let script = """
      import socket, sys
      idle = [socket.create_connection(("127.0.0.1", int(sys.argv[1])), 20) for _ in range(8)]
      s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
      s.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
      print(s.recv(12).decode())
      """
    let outcome = try Program.launch("python3", ["-c", script, "\(port)"], in: scratch.url)
    #expect(outcome.output == "HTTP/1.1 403\n", "\(outcome.errors)")
  }

  /// 40 clients that send nothing more, and a head whose body never comes: the owner is answered, and
  /// a stranger at once.
  @Test func slowClientsLockNobodyOut() throws {
    let script = """
      import socket, sys
      port, path = int(sys.argv[1]), sys.argv[2]
      slow = [socket.create_connection(("127.0.0.1", port), 20) for _ in range(40)]
      for s in slow[8:]: s.sendall(b"GET /")
      def ask(head):
          s = socket.create_connection(("127.0.0.1", port), 5)
          s.sendall((head + "\\r\\n\\r\\n").encode())
          print(s.recv(12).decode())
      ask(f"GET {path} HTTP/1.1\\r\\nHost: 127.0.0.1:{port}")
      ask("POST /labels HTTP/1.1\\r\\nHost: evil\\r\\nContent-Length: 40000000")
      ask(f"POST {path}labels?trace=0 HTTP/1.1\\r\\nHost: evil\\r\\nContent-Length: 40000000")
      """
    let outcome = try Program.launch("python3", ["-c", script, "\(port)", path], in: scratch.url)
    #expect(
      outcome.output == "HTTP/1.1 200\nHTTP/1.1 403\nHTTP/1.1 403\n", "\(outcome.errors)")
  }

  /// The memory of all bodies together is bounded.
  @Test func largeBodiesComeOneAtATime() throws {
    let script = """
      import socket, sys
      port, path = int(sys.argv[1]), sys.argv[2]
      def ask(length, body):
          s = socket.create_connection(("127.0.0.1", port), 30)
          head = f"POST {path}labels?trace=0 HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n"
          s.sendall(f"{head}Content-Length: {length}\\r\\n\\r\\n{body}".encode())
          return s
      def answer(s): return s.recv(12).decode()
      # Two connections may be read in either order: the large one is asked for until it is the first.
      while "503" not in (first := answer(ask(6, "hello\\n"))):
          large = ask(50000000, "onset")
      print(first)
      large.close()
      # The server notices the end of the first one a little later.
      while "503" in (last := answer(ask(6, "hello\\n"))): pass
      print(last)
      """
    let outcome = try Program.launch("python3", ["-c", script, "\(port)", path], in: scratch.url)
    #expect(outcome.output == "HTTP/1.1 503\nHTTP/1.1 400\n", "\(outcome.errors)")
  }

  /// Clients that know the path and do not read their answers have all places: the next one is answered.
  @Test func clientsThatDoNotReadLockNobodyOut() throws {
    let script = """
      import socket, sys
      port, path = int(sys.argv[1]), sys.argv[2]
      head = f"GET {path} HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n\\r\\n".encode()
      def ask():
          s = socket.create_connection(("127.0.0.1", port), 5)
          s.sendall(head)
          return s
      slow = []
      for _ in range(40):
          slow.append(ask())
          slow[-1].recv(1, socket.MSG_PEEK)
      print(ask().recv(12).decode())
      """
    let outcome = try Program.launch("python3", ["-c", script, "\(port)", path], in: scratch.url)
    #expect(outcome.output == "HTTP/1.1 200\n", "\(outcome.errors)")
  }

  @Test func aLinkToAMissingFileIsNotFollowed() throws {
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("p.labels.csv"), withDestinationPath: "elsewhere.csv")
    let labels = "onset_ns,offset_ns,label\n"
    let answer = try ask("POST", path + "labels?trace=0", body: labels)
    #expect(answer.hasPrefix("HTTP/1.1 409") && answer.contains("which does not exist"))
    #expect(!scratch.names.contains("elsewhere.csv"))
  }

  @Test func anInterruptEndsIt() throws {
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130 && process.terminationReason == .exit)
  }

  @Test func mistakesAreTold() throws {
    for options in [
      ["--serve", "-o", "p.html"], ["--port", "8000"], ["--serve", "--port", "\(port)"],
    ] {
      let outcome = try Program.run(["report", "r.h5"] + options, in: scratch.url)
      #expect(
        [64, 74].contains(outcome.status) && outcome.errors.contains("--"), "\(outcome.errors)")
    }
  }
}
