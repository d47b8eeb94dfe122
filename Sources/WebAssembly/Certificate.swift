// The runs of `PageCertificate` from standard input to standard output, on any processor.

import PageRuns

@_extern(c, "read")
private func readBytes(_ file: Int32, _ place: UnsafeMutableRawPointer, _ count: Int) -> Int

@_extern(c, "write")
private func writeBytes(_ file: Int32, _ place: UnsafeRawPointer, _ count: Int) -> Int

@main
struct Certificate {
  static func main() {
    let output = PageCertificate.output(of: everything())
    var written = 0
    output.withUnsafeBytes { all in
      while written < all.count, let start = all.baseAddress {
        let count = writeBytes(1, start + written, all.count - written)
        guard count > 0 else { return }
        written += count
      }
    }
  }

  private static func everything() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes { all -> Int in
        guard let start = all.baseAddress else { return 0 }
        return readBytes(0, start, all.count)
      }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}
