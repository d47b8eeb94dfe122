import Diagnostics

/// A file that is opened more than once, or read out of order, while another program may write it.
package enum SteadyFile {
  /// Runs `body`, which reads the file at `path`.
  ///
  /// - Throws: an error if the file changed meanwhile, because the parts that were read may not fit
  ///   together. It replaces the error of `body`, which the change may have caused.
  package static func reading<Result>(_ path: String, _ body: () throws -> Result) throws -> Result
  {
    let before = FileFacts(at: path)
    try InputDescriptor.requireRegular(path)
    let result = Swift.Result { try body() }
    // `body` reports a file that does not exist.
    guard let before else { return try result.get() }
    guard let after = FileFacts(at: path) else {
      throw Failure(
        .fileError, "\(path): it was removed while it was read; start again when it is back")
    }
    guard after == before else {
      throw Failure(
        .fileError,
        "\(path): it was changed while it was read; start again when it is complete, or read a copy"
      )
    }
    return try result.get()
  }
}
