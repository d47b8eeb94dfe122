/// An error that prevents making, reading or using a secret. It contains no secret.
package struct SecretsError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Hashable, Sendable {
    /// The system or the library failed.
    case system
    /// A text or a value is not of the expected form.
    case malformed
    /// A payload or a password is too long.
    case tooLong
    /// A message belongs to another match, or to the other direction.
    case notForThisThread
    /// A message is not newer than the last one that was opened.
    case old
    /// A message was altered, or was sealed with other keys.
    case altered
    /// The other person has not answered yet, so that there is no key.
    case noKey
  }

  package let kind: Kind
  /// What was expected, what was found, and the next step.
  package let reason: String

  init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

  package var description: String { reason }
}
