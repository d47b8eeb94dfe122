/// A failed call of the HDF5 library or of the operating system, with all that is known about it.
///
/// Prints as one line of what failed, where and why, and below it the library's error stack.
public struct HDF5Error: Error, Hashable, Sendable, CustomStringConvertible {
  /// One level of the library's error stack.
  public struct Frame: Hashable, Sendable, CustomStringConvertible {
    /// The library's function, e.g. `H5FD_sec2_open`.
    public var function: String
    /// The part of the library, e.g. `File accessibility`.
    public var major: String
    /// The kind of failure, e.g. `Unable to open file`.
    public var minor: String
    /// What happened, e.g. `unable to open file: name = 'a.h5', errno = 2, ...`.
    public var message: String

    public init(function: String, major: String, minor: String, message: String) {
      self.function = function
      self.major = major
      self.minor = minor
      self.message = message
    }

    public var description: String { "\(function): \(message) (\(major): \(minor))" }
  }

  /// What was tried: a function of the library (`H5Dread`) or of the system (`rename`).
  public var operation: String
  /// The file's path.
  public var file: String
  /// The path of the object within the file; empty = the file itself.
  public var object: String
  /// Why it failed, in one line.
  public var reason: String
  /// From the function that was called down to the one that failed; empty where the library did
  /// not fail.
  public var stack: [Frame]
  /// The system's error number, where the system refused something.
  public var errorNumber: Int32?

  public init(
    operation: String, file: String, object: String = "", reason: String, stack: [Frame] = [],
    errorNumber: Int32? = nil
  ) {
    self.operation = operation
    self.file = file
    self.object = object
    self.reason = reason
    self.stack = stack
    self.errorNumber = errorNumber
  }

  /// The failure in one line, without the stack.
  public var summary: String {
    let place = object.isEmpty ? file : "\(file):\(object)"
    return "\(place): \(operation): \(reason)"
  }

  public var description: String {
    ([summary] + stack.map { "  \($0)" }).joined(separator: "\n")
  }
}
