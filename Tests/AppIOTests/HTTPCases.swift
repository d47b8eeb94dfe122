import HostileServer
import PackedFiles

extension HTTPClientTests {
  static let legal: [Case] = [
    ok("a length", answer()),
    ok("no length", bytes("HTTP/1.1 200 OK\r\n\r\nok")),
    ok("an empty body", answer([]), ""),
    ok("HTTP/1.0", answer(status: "HTTP/1.0 200 OK")),
    ok("201", answer(status: "HTTP/1.1 201 Created")),
    ok("204", bytes("HTTP/1.1 204 No Content\r\n\r\n"), ""),
    ok("204, packed", bytes("HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n"), ""),
    ok("no reason", answer(status: "HTTP/1.1 200")),
    ok("no reason after a space", answer(status: "HTTP/1.1 200 ")),
    ok("a reason in Latin-1", answer(status: "HTTP/1.1 200 Tr\u{E8}s bien")),
    ok("a header in Latin-1", answer(headers: "X-City: K\u{F6}ln")),
    ok("a header of controls", answer(headers: "X-A: \u{1}\u{7F}\u{80}")),
    ok("an empty header", answer(headers: "X-A:")),
    ok("a folded header", answer(headers: "X-A: a", "\tb")),
    ok("the same length twice", answer(headers: "Content-Length: 2")),
    ok("line feeds alone", bytes("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")),
    ok("a long header", answer(headers: "X-A: " + String(repeating: "x", count: 60_000))),
    ok("many headers", answer(headers: String(repeating: "X-A: a\r\n", count: 252) + "X-B: b")),
    ok("chunks", chunked("1\r\no\r\n01\r\nk\r\n000\r\n\r\n")),
    ok("chunks with extensions", chunked("1;a=\"b\"\r\no\r\n1 ; c\r\nk\r\n0;d\r\n\r\n")),
    ok("a trailer", chunked("2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n")),
    ok(
      "an announced trailer", chunked("2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n", headers: "Trailer: X-Sum")
    ),
    ok(
      "a trailer that names a coding",
      chunked("2\r\nok\r\n0\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\n")),
    ok("interim answers", bytes(String(repeating: early, count: 8)) + answer()),
    ok(
      "an interim answer with a length",
      bytes("HTTP/1.1 102 Processing\r\nContent-Length: 9\r\n\r\n") + answer()),
    ok("a cookie and credentials", answer(headers: "Set-Cookie: a=b", "WWW-Authenticate: Basic")),
    script("a connection that stays open", [.bytes(answer()), .silence], .body("ok")),
    script("an empty one that stays open", [.bytes(answer([])), .silence], .body("")),
    script(
      "chunks on a connection that stays open",
      [.bytes(chunked("2\r\nok\r\n0\r\nX-A: b\r\n\r\n")), .silence], .body("ok")),
  ]

  static let cutOff: [Case] = [
    Case(name: "at once", reply: .hangUp, expected: .refused("a complete answer")),
    script("a reset at once", [.reset], .refused("a complete answer")),
    refused("in the status line", bytes("HTTP/1.1 20"), "a complete answer"),
    refused("after the status line", bytes("HTTP/1.1 200 OK\r\n"), "within the headers"),
    refused("in a header", bytes("HTTP/1.1 200 OK\r\nContent-Le"), "within the headers"),
    refused("after a header", bytes("HTTP/1.1 200 OK\r\nX-A: b\r\n"), "within the headers"),
    refused(
      "before the blank line", bytes("HTTP/1.1 200 OK\r\nX-A: b\r\n\r"), "within the headers"),
    refused("after an interim answer", bytes(early), "a complete answer"),
    refused("before the body", answer([], length: "2"), "0 of 2 bytes"),
    refused("in the body", answer(length: "3"), "2 of 3 bytes"),
    script(
      "a reset in the body", [.bytes(answer(length: "3")), .reset], .refused("a complete answer")),
    refused("before the chunks", chunked(""), "a complete answer"),
    refused("in the size of a chunk", chunked("2"), "a complete answer"),
    refused("in a chunk", chunked("3\r\nok"), "a complete answer"),
    refused("after a chunk", chunked("2\r\nok\r\n"), "a complete answer"),
    refused("after the last chunk", chunked("2\r\nok\r\n0\r\n"), "a complete answer"),
    refused("in a trailer", chunked("2\r\nok\r\n0\r\nX-S"), "a complete answer"),
    refused("after a trailer", chunked("2\r\nok\r\n0\r\nX-S: 1\r\n"), "a complete answer"),
  ]

  static let misframed: [Case] = [
    refused("a length that is too short", answer(bytes("okay"), length: "2"), "more bytes than"),
    refused("a length of 0", answer(length: "0"), "more bytes than the stated 0"),
    refused("a negative length", answer(length: "-2"), "a Content-Length of \"-2\""),
    refused("a signed length", answer(length: "+2"), "a Content-Length of \"+2\""),
    refused("a length in hex", answer(length: "0x2"), "a Content-Length of"),
    refused("no number", answer(length: "two"), "a Content-Length of"),
    refused("an empty length", answer(length: ""), "a Content-Length of"),
    refused("a list of lengths", answer(length: "2, 2"), "a Content-Length of"),
    refused("Int64.max", answer(length: "9223372036854775807"), "at most 1000 bytes"),
    refused("beyond Int64", answer(length: "9223372036854775810"), "a Content-Length of"),
    refused("beyond UInt64", answer(length: "18446744073709551618"), "a Content-Length of"),
    refused("beyond the limit", answer(length: "1001"), "at most 1000 bytes"),
    refused("two lengths", answer(headers: "Content-Length: 1"), "contradictory lengths"),
    refused("a folded length", answer(headers: "Content-Length:", " 1"), "a Content-Length of"),
    refused("a longer one by folding", answer(headers: "Content-Length: 2", " 1"), "a folded"),
    refused(
      "a length and chunks", chunked("2\r\nok\r\n0\r\n\r\n", headers: "Content-Length: 2"),
      "for a body in chunks"),
    refused("a size beyond 64 bits", chunked("FFFFFFFFFFFFFFFFF\r\nok"), "a complete answer"),
    refused("a size beyond 63 bits", chunked("FFFFFFFFFFFFFFFF\r\nok"), "a complete answer"),
    refused("the largest size", chunked("7FFFFFFFFFFFFFFF\r\nok"), "a complete answer"),
    refused("a negative size", chunked("-2\r\nok\r\n0\r\n\r\n"), "a complete answer"),
    refused("a size that is none", chunked("two\r\nok\r\n0\r\n\r\n"), "a complete answer"),
    refused("no size", chunked("\r\nok\r\n0\r\n\r\n"), "a complete answer"),
    refused("a chunk that is too long", chunked("1\r\nok\r\n0\r\n\r\n"), "a complete answer"),
    refused(
      "another transfer coding", answer(headers: "Transfer-Encoding: gzip"), "transfer coding"),
    refused(
      "two transfer codings", chunked("0\r\n\r\n", headers: "Transfer-Encoding: chunked"),
      "transfer coding"),
    refused(
      "two in one header", answer(headers: "Transfer-Encoding: gzip, chunked"), "transfer coding"),
    refused(
      "more than the limit", bytes("HTTP/1.1 200 OK\r\n\r\n") + .init(repeating: 32, count: 1001),
      "at most 1000 bytes"),
    ok(
      "as much as the limit", answer(.init(repeating: 32, count: 1000)),
      String(repeating: " ", count: 1000)),
  ]

  static let codings: [Case] = [
    ok("gzip", packed(gzip)), ok("x-gzip", packed(gzip, as: "X-GZip")),
    ok("two members", packed(gzip + gzip), "okok"),
    ok("identity", answer(headers: "Content-Encoding: identity")),
    ok("an empty coding", answer(headers: "Content-Encoding:")),
    ok("as much as the limit", packed(Gzip.zeros(1000)), String(repeating: "\0", count: 1000)),
    ok(
      "gzip in chunks",
      chunked("16\r\n", headers: "Content-Encoding: gzip") + gzip + bytes("\r\n0\r\n\r\n")),
    refused("beyond the limit", packed(Gzip.zeros(1001)), "at most 1000 bytes"),
    refused("a thousandfold", packed(Gzip.zeros(900_000)), "at most 1000 bytes"),
    refused("gzip of gzip", packed(Gzip.packed(gzip), as: "gzip, gzip"), "several content codings"),
    refused(
      "gzip of gzip in two headers",
      packed(Gzip.packed(gzip), headers: "Content-Encoding: gzip"), "several content codings"),
    ok(
      "gzip in gzip, named once", packed(Gzip.packed(gzip)), String(decoding: gzip, as: UTF8.self)),
    refused("cut in the checksum", packed(gzip.dropLast(4)), "instead of the end of the gzip data"),
    refused(
      "cut in the data", packed(Array(gzip.prefix(12))), "instead of the end of the gzip data"),
    refused("cut in the head", packed([0x1F]), "instead of the end of the gzip data"),
    refused("nothing", packed([]), "no gzip data"),
    refused("no gzip", packed(bytes("ok")), "other bytes"),
    refused(
      "a wrong checksum", packed(gzip.prefix(14) + [1, 2, 3, 4] + gzip.suffix(4)), "data check"),
    refused("a wrong size", packed(gzip.dropLast(4) + [3, 0, 0, 0]), "length check"),
    refused("bytes behind it", packed(gzip + bytes("rubbish")), "other bytes after it"),
    refused("br", packed([0xFF, 0xFF], as: "br"), "the content coding \"br\""),
    refused("deflate", packed(gzip, as: "deflate"), "the content coding \"deflate\""),
    refused("zstd", packed([1], as: "zstd"), "the content coding"),
    refused(
      "none that is known", packed([1], as: "\u{1B}[2J\u{E9}"), "the content coding \"?[2J?\""),
    refused("gzip and another", packed(gzip, as: "br, gzip"), "the content coding"),
  ]

  static let heads: [Case] = [
    refused("HTTP/0.9", bytes("ok"), "HTTP/0.9"),
    refused("another protocol", bytes("SSH-2.0-server\r\n"), "a complete answer"),
    refused("RTSP", answer(status: "RTSP/1.0 200 OK"), "a complete answer"),
    refused("ICY", answer(status: "ICY 200 OK"), "a complete answer"),
    refused("bytes", [0, 1, 2, 0xFF], "a complete answer"),
    refused("HTTP/2", answer(status: "HTTP/2 200 OK"), "a complete answer"),
    refused("HTTP/3.1", answer(status: "HTTP/3.1 200 OK"), "a complete answer"),
    refused("HTTP/1.2", answer(status: "HTTP/1.2 200 OK"), "a complete answer"),
    refused("HTTP/1.11", answer(status: "HTTP/1.11 200 OK"), "a complete answer"),
    refused("a status of 4 digits", answer(status: "HTTP/1.1 2000 OK"), "a complete answer"),
    refused("a status of 2 digits", answer(status: "HTTP/1.1 20 OK"), "a complete answer"),
    refused("a status of none", answer(status: "HTTP/1.1 OK"), "a complete answer"),
    refused("a negative status", answer(status: "HTTP/1.1 -20 OK"), "a complete answer"),
    refused("a status below 100", answer(status: "HTTP/1.1 020 OK"), "a complete answer"),
    refused("no colon", answer(headers: "rubbish"), "a complete answer"),
    refused("no name", answer(headers: ": a"), "a damaged header"),
    refused("a space before the colon", answer(headers: "X-A : a"), "a damaged header"),
    refused("a name in Latin-1", answer(headers: "K\u{F6}ln: a"), "a damaged header"),
    refused("NUL", answer(headers: "X-A: a\0b"), "a complete answer"),
    refused(
      "a header of 66 kB", answer(headers: "X-A: " + String(repeating: "a", count: 66_000)),
      "at most 256 headers of 65536 bytes"),
    refused(
      "a header of 200 kB", answer(headers: "X-A: " + String(repeating: "a", count: 200_000)),
      "at most 256 headers of 65536 bytes"),
    refused(
      "too many headers", answer(headers: String(repeating: "X-A: a\r\n", count: 300) + "X-B: b"),
      "at most 256 headers of 65536 bytes"),
    refused(
      "too many interim answers", bytes(String(repeating: early, count: 9)) + answer(),
      "more than 8 interim answers"),
    refused("a switch of protocols", answer(status: "HTTP/1.1 101 Switching"), "status 101"),
  ]

  static let statuses: [Case] =
    [206, 300, 301, 302, 304, 307, 400, 401, 403, 404, 407, 416, 418, 500, 503, 599, 999].map {
      status in
      refused(
        "\(status)",
        answer(
          status: "HTTP/1.1 \(status) No",
          headers: "Location: /0", "WWW-Authenticate: Basic realm=\"a\"",
          "Proxy-Authenticate: Basic realm=\"a\""), "status \(status)")
    } + [
      script(
        "401 whose body never ends",
        [.bytes(bytes("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\n\r\n")), .silence],
        .refused("status 401, a demand for credentials")),
      refused(
        "206 as it should be",
        answer(status: "HTTP/1.1 206 Partial Content", headers: "Content-Range: bytes 0-1/9"),
        "status 206, a part that was not asked for"),
    ]

  static let endless: [Case] = [
    script(
      "a body", [.bytes(bytes("HTTP/1.1 200 OK\r\n\r\n")), .endless([0x61])],
      .refused("at most 1000 bytes")),
    script(
      "chunks", [.bytes(chunked("")), .endless(bytes("1\r\na\r\n"))], .refused("at most 1000")),
    script(
      "a chunk", [.bytes(chunked("7FFFFFFF\r\n")), .endless([0x61])], .refused("at most 1000")),
    script(
      "a body beyond its length", [.bytes(answer() + [0x61]), .endless([0x61])],
      .refused("more bytes than the stated 2")),
    script(
      "headers", [.bytes(bytes("HTTP/1.1 200 OK\r\n")), .endless(bytes("X-A: a\r\n"))],
      .refused("at most 256 headers")),
    script(
      "a header", [.bytes(bytes("HTTP/1.1 200 OK\r\nX-A: ")), .endless([0x61])],
      .refused("at most 256 headers")),
    script(
      "trailers", [.bytes(chunked("2\r\nok\r\n0\r\n")), .endless(bytes("X-A: a\r\n"))],
      .refused("at most 256 headers")),
    script(
      "a trailer", [.bytes(chunked("2\r\nok\r\n0\r\nX-A: ")), .endless([0x61])],
      .refused("expected")),
    script("interim answers", [.endless(bytes(early))], .refused("more than 8 interim answers")),
    script("no status line", [.endless([0x61])], .refused("a complete answer")),
    script("blank lines", [.endless([0x0D, 0x0A])], .refused("a complete answer")),
  ]
}
