import TraceModel

@testable import TraceFormats

/// A source over text in memory, read `chunk` bytes at a time.
func source(
  _ text: String, name: String = "a.csv", chunk: Int = ByteSource.chunkSize
) throws(TraceError) -> ByteSource {
  try ByteSource(bytes: Array(text.utf8), name: name, chunk: chunk)
}

/// Calls `read` with the arguments of `DecimalNumber` and similar types.
func scanned<Result>(_ text: String, _ read: (Span<UInt8>, Range<Int>) -> Result) -> Result {
  // Bytes around the text, which must be ignored.
  let bytes = [0x37] + Array(text.utf8) + [0x37]
  return read(bytes.span, 1..<(bytes.count - 1))
}

/// The message of the error that `body` throws; nil = it throws none.
func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}

func csv(
  _ text: String, _ mapping: String, chunk: Int = ByteSource.chunkSize,
  _ change: (inout CSVOptions) -> Void = { _ in }
) throws(TraceError) -> [ImportedTrace] {
  var options = try CSVOptions(mapping: CSVMapping(parsing: mapping))
  options.gravity = .included
  change(&options)
  return try CSVReader.read(source(text, chunk: chunk), options: options)
}

/// Everything that was imported, as text, in which NaN equals NaN.
func described(_ imported: ImportedTrace) throws(TraceError) -> String {
  let trace = try imported.trace
  let header = imported.header
  let blocks = header.channels.map { "\(trace[$0.channel] as Any)" }
  return "\(header) \(blocks) \(imported.report) \(imported.origin)"
}
