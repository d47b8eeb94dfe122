import Diagnostics

/// Test cases as JUnit XML, which Jenkins, GitLab and others read.
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
    var output = ""
  }

  struct Suite {
    var name: String
    var cases: [Case]
  }

  var name: String
  var suites: [Suite]
  /// Facts about the run, written to each suite because the root element has no properties.
  var properties: [(name: String, value: String)] = []
  /// The time that measuring took; nil = not measured. Single cases are not timed: theirs is 0.
  var seconds: Double?

  /// The XML. Names of cases are unique within their class, because readers merge equal names.
  var xml: String {
    var known: [[String]: Int] = [:]
    let elements = suites.map { Self.element($0, properties, &known) }
    // The schema allows neither signs nor exponents.
    let time = seconds.flatMap { $0 >= 0 && $0 < 1e9 ? fixed($0, 3) : nil } ?? "0"
    return XMLElement(
      "testsuites", Self.counts(name, suites.flatMap(\.cases)) + [("time", time)],
      children: elements
    ).document
  }

  private static func counts(_ name: String, _ cases: [Case]) -> [(String, String?)] {
    [
      ("name", name), ("tests", "\(cases.count)"),
      ("failures", "\(cases.count { $0.outcome.isFailure })"),
      ("errors", "\(cases.count { $0.outcome.isError })"),
    ]
  }

  private static func element(
    _ suite: Suite, _ properties: [(name: String, value: String)], _ known: inout [[String]: Int]
  ) -> XMLElement {
    let facts = properties.filter { !$0.value.isEmpty }.map {
      XMLElement("property", [("name", $0.name), ("value", $0.value)])
    }
    let head = facts.isEmpty ? [] : [XMLElement("properties", children: facts)]
    return XMLElement(
      "testsuite",
      counts(suite.name, suite.cases)
        + [("skipped", "\(suite.cases.count { $0.outcome.isSkipped })"), ("time", "0")],
      children: head + suite.cases.map { element($0, &known) })
  }

  /// - Parameter known: how often each class and name occurred.
  private static func element(_ one: Case, _ known: inout [[String]: Int]) -> XMLElement {
    var (name, number) = (one.name, known[[one.className, one.name], default: 0])
    while known[[one.className, name]] != nil {
      number += 1
      name = "\(one.name) #\(number)"
    }
    known[[one.className, name]] = 1
    known[[one.className, one.name]] = max(number, 1)
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
      "testcase", [("classname", one.className), ("name", name), ("time", "0")],
      children: [outcome, output].compactMap(\.self))
  }
}

extension JUnitReport.Outcome {
  var isFailure: Bool { if case .failed = self { true } else { false } }
  var isError: Bool { if case .error = self { true } else { false } }
  var isSkipped: Bool { if case .skipped = self { true } else { false } }
}
