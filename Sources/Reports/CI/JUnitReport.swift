import Diagnostics

/// Test cases in JUnit XML, as Jenkins, GitLab and others read it.
struct JUnitReport {
  enum Outcome {
    case passed
    case failed(message: String, details: String)
    case error(message: String, details: String)
    case skipped(message: String)
  }

  struct Case {
    var className: String
    var name: String
    var outcome = Outcome.passed
    /// What the case prints; empty = nothing.
    var output = ""
  }

  struct Suite {
    var name: String
    var cases: [Case]
  }

  var name: String
  var suites: [Suite]
  /// Facts about the run, which each suite has: the root has no place for them.
  var properties: [(name: String, value: String)] = []
  /// Nil = not stated.
  var seconds: Double?

  /// The XML. Names of cases are unique within their class, because readers merge equal ones.
  var xml: String {
    var known: Set<[String]> = []
    let elements = suites.map { suite in
      Self.element(suite, properties, &known)
    }
    let cases = suites.flatMap(\.cases)
    return XMLElement(
      "testsuites",
      [
        ("name", name), ("tests", "\(cases.count)"),
        ("failures", "\(cases.count { $0.outcome.isFailure })"),
        ("errors", "\(cases.count { $0.outcome.isError })"), ("time", Self.time(seconds)),
      ],
      children: elements
    ).document
  }

  /// The schema knows neither signs nor exponents.
  private static func time(_ seconds: Double?) -> String? {
    seconds.flatMap { $0 >= 0 && $0 < 1e9 ? fixed($0, 3) : nil }
  }

  private static func element(
    _ suite: Suite, _ properties: [(name: String, value: String)], _ known: inout Set<[String]>
  ) -> XMLElement {
    let facts = properties.filter { !$0.value.isEmpty }.map {
      XMLElement("property", [("name", $0.name), ("value", $0.value)])
    }
    let head = facts.isEmpty ? [] : [XMLElement("properties", children: facts)]
    return XMLElement(
      "testsuite",
      [
        ("name", suite.name), ("tests", "\(suite.cases.count)"),
        ("failures", "\(suite.cases.count { $0.outcome.isFailure })"),
        ("errors", "\(suite.cases.count { $0.outcome.isError })"),
        ("skipped", "\(suite.cases.count { $0.outcome.isSkipped })"),
      ],
      children: head + suite.cases.map { element($0, &known) })
  }

  private static func element(_ one: Case, _ known: inout Set<[String]>) -> XMLElement {
    var (name, number) = (one.name, 1)
    while !known.insert([one.className, name]).inserted {
      number += 1
      name = "\(one.name) #\(number)"
    }
    let outcome: XMLElement? =
      switch one.outcome {
      case .passed: nil
      case .failed(let message, let details):
        XMLElement("failure", [("type", "FAIL"), ("message", message)], text: details)
      case .error(let message, let details):
        XMLElement("error", [("type", "ERROR"), ("message", message)], text: details)
      case .skipped(let message): XMLElement("skipped", [("message", message)])
      }
    let output = one.output.isEmpty ? nil : XMLElement("system-out", text: one.output)
    return XMLElement(
      "testcase", [("classname", one.className), ("name", name)],
      children: [outcome, output].compactMap(\.self))
  }
}

extension JUnitReport.Outcome {
  var isFailure: Bool { if case .failed = self { true } else { false } }
  var isError: Bool { if case .error = self { true } else { false } }
  var isSkipped: Bool { if case .skipped = self { true } else { false } }
}
