internal import CHDF5
internal import Foundation

/// The library: its initialisation and the lock for every call.
///
/// Debian's HDF5 is thread-safe, but other builds may not be, so every call takes one reentrant
/// lock.
enum HDF5Library {
  private static let lock = NSRecursiveLock()

  /// Disables the library's exit handler, which would access files again after this program closed
  /// or abandoned them and can crash after a full disk. Also keeps a foreign file from making this
  /// program read other files or load code.
  private static let started: Bool =
    H5dont_atexit() >= 0 && H5open() >= 0 && chdf5_stay_inside() >= 0

  /// Runs `body` while no other thread is in the library.
  static func locked<Failure: Error, Result>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    _ = started
    // A thread-safe library keeps one error stack per thread, and each prints by default, so this
    // has to be set for each thread.
    H5Eset_auto2(chdf5_error_stack(), nil, nil)
    return try body()
  }

  /// Whether the library prints no errors of the calling thread.
  static var isSilent: Bool {
    locked {
      var printer: H5E_auto2_t?
      H5Eget_auto2(chdf5_error_stack(), &printer, nil)
      return printer == nil
    }
  }

  /// Returns the error stack of the last call of this thread.
  static func errorStack() -> [HDF5Error.Frame] {
    var frames: [HDF5Error.Frame] = []
    _ = withUnsafeMutablePointer(to: &frames) { frames in
      H5Ewalk2(
        chdf5_error_stack(), H5E_WALK_DOWNWARD,
        { _, entry, frames in
          guard let entry = entry?.pointee,
            let frames = frames?.assumingMemoryBound(to: [HDF5Error.Frame].self)
          else { return 0 }
          frames.pointee.append(
            HDF5Error.Frame(
              function: HDF5Library.text(entry.func_name),
              major: HDF5Library.message(entry.maj_num),
              minor: HDF5Library.message(entry.min_num), message: HDF5Library.text(entry.desc)))
          return 0
        }, frames)
    }
    return frames
  }

  /// Returns the library's text in one line: times in it end with a line feed.
  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    let text = pointer.map { String(cString: $0) } ?? ""
    return text.split(whereSeparator: \.isNewline).joined()
  }

  private static func message(_ identifier: hid_t) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let length = buffer.withUnsafeMutableBytes {
      H5Eget_msg(identifier, nil, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return String(decoding: buffer.prefix(max(0, min(length, 255))), as: UTF8.self)
  }
}

/// The place of a call, for error messages.
struct HDF5Place: Sendable {
  var file: String
  var object: String = ""

  /// Returns the result of a library call, or throws its error if it is negative.
  /// - Precondition: the lock is held since before the call.
  @discardableResult func check<Result: SignedInteger>(
    _ operation: String, _ result: Result
  ) throws(HDF5Error) -> Result {
    if result >= 0 { return result }
    let stack = HDF5Library.errorStack()
    let number = stack.lazy.compactMap { errorNumber(in: $0.message) }.first
    // For a system error, use the system's message: the library's text is long and contains times
    // and addresses.
    let reason =
      number.map { String(cString: strerror($0)) } ?? stack.last?.message ?? "unknown reason"
    throw HDF5Error(
      operation: operation, file: file, object: object, reason: reason, stack: stack,
      errorNumber: number)
  }

  func failure(_ operation: String, _ reason: String) -> HDF5Error {
    HDF5Error(operation: operation, file: file, object: object, reason: reason)
  }

  /// Extracts the system's error number, which the library reports only in its text: `errno = 28,
  /// error message = ...`.
  private func errorNumber(in message: String) -> Int32? {
    message.firstRange(of: "errno = ")
      .flatMap { Int32(message[$0.upperBound...].prefix { "0"..."9" ~= $0 }) }
  }
}
