import Foundation

/// Why the system refused something, in words: of many errors Foundation says its own number instead.
package func reason(of error: any Error) -> String {
  var cause: NSError? = error as NSError
  while let next = cause {
    if next.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(next.code))) }
    cause = next.userInfo[NSUnderlyingErrorKey] as? NSError
  }
  let text = error.localizedDescription
  return text.contains("ErrorDomain") ? "the system cannot read or write it" : text
}
