import Files

/// A failed call of the HDF5 library or of the operating system, with all details.
///
/// Prints one line with what failed, where and why, followed by the library's error stack.
package struct HDF5Error: Error, Hashable, Sendable, CustomStringConvertible {
  /// One level of the library's error stack.
  package struct Frame: Hashable, Sendable, CustomStringConvertible {
    /// The library's function, e.g. `H5FD_sec2_open`.
    package var function: String
    /// The part of the library, e.g. `File accessibility`.
    package var major: String
    /// The kind of failure, e.g. `Unable to open file`.
    package var minor: String
    /// What happened, e.g. `unable to open file: name = 'a.h5', errno = 2, ...`.
    package var message: String

    package var description: String { "\(function): \(message) (\(major): \(minor))" }
  }

  /// The failed operation: a function of the library (`H5Dread`) or of the system (`rename`).
  package var operation: String
  package var file: String
  /// The path of the object within the file; empty = the file itself.
  package var object: String
  /// The reason in one line.
  package var reason: String
  /// The error stack, from the called function down to the one that failed; empty if the library
  /// did not fail.
  package var stack: [Frame]
  /// The system's error number, if a system call failed.
  package var errorNumber: Int32?
  /// The next step; nil = the usual one of a file that cannot be read or written.
  package var remedy: String?

  package init(
    operation: String, file: String, object: String = "", reason: String, stack: [Frame] = [],
    errorNumber: Int32? = nil, remedy: String? = nil
  ) {
    (self.operation, self.file, self.object) = (operation, file, object)
    (self.reason, self.stack, self.errorNumber) = (reason, stack, errorNumber)
    self.remedy = remedy
  }

  init(_ error: SystemError) {
    self.init(
      operation: error.operation, file: error.path, reason: error.reason,
      errorNumber: error.number)
  }

  /// The failure in one line, without the stack.
  package var summary: String {
    let place = object.isEmpty ? file : "\(file):\(object)"
    return "\(place): \(operation): \(reason)"
  }

  package var description: String { ([summary] + stack.map { "  \($0)" }).joined(separator: "\n") }
}
