import Testing

@testable import TraceFormats

@Suite struct NativeSchemaTests {
  @Test(arguments: [
    ("2022-05-01T10:00:03Z", true), ("2022-05-01T10:00:03.1Z", true),
    ("2022-05-01T10:00:03.123456789Z", true), ("2022-05-01T10:00:03.1234567890Z", false),
    ("2022-05-01T10:00:03.Z", false), ("2022-05-01T10:00:03", false),
    ("2022-05-01T10:00:03+02:00", false), ("2022-13-01T10:00:03Z", false),
    ("2022-00-01T10:00:03Z", false), ("2022-05-32T10:00:03Z", false),
    ("2022-05-01T24:00:03Z", false), ("2022-05-01T10:60:03Z", false),
    ("2022-05-01T10:00:60Z", false), ("2022-05-01 10:00:03Z", false), ("", false),
  ])
  func instants(text: String, isValid: Bool) {
    #expect(isInstant(text) == isValid)
  }
}
