import Evaluation
import Foundation
@testable import Reports
import Scoring
import Testing
import TestSupport

/// OpenMetrics, benchmark JSON, badges and annotations.
@Suite struct CIFormatTests {
  // MARK: OpenMetrics

  @Test func metricsHaveUnitsAndEnd() {
    var samples = CISamples(seed: 1, isHostile: false)
    var results = samples.results((0..<8).map { ("punch/default", "t\($0)") }, hits: 8)
    results.speeds = [
      MeasuredSpeed(
        entry: "punch/default", origin: "synthetic", nanosecondsPerSample: Estimate(12.5))
    ]
    let text = results.openMetrics
    let labels = #"{entry="punch/default",origin="synthetic"}"#
    for line in [
      "# TYPE shadowbox_recall_ratio gauge", "# UNIT shadowbox_recall_ratio ratio",
      "shadowbox_recall_ratio\(labels) 0.8", "shadowbox_false_alarms_per_hour\(labels) 2.0",
      "# UNIT shadowbox_false_alarms_per_hour per_hour",
      "shadowbox_latency_p50_seconds\(labels) 0.1",
      "shadowbox_sample_time_seconds\(labels) 1.25e-08",
      "shadowbox_runs 8.0",
    ] {
      #expect(text.contains(line + "\n"), "\(line)")
    }
    #expect(text.contains("shadowbox_false_alarms_lower_per_hour\(labels) "))
    #expect(text.hasSuffix("\n# EOF\n"))
  }

  @Test func emptyMetricsEnd() {
    #expect(CISamples.empty.comparison.head.openMetrics.hasSuffix("shadowbox_runs 0.0\n# EOF\n"))
    #expect(OpenMetrics().text == "# EOF\n")
  }

  @Test func undefinedFiguresHaveNoSample() {
    var metrics = OpenMetrics()
    metrics.add("a", help: "", [], nil)
    metrics.add("a", help: "", [], .nan)
    metrics.add("a", help: "", [], .infinity)
    #expect(metrics.text == "# EOF\n")
    metrics.add("a b-c", unit: "m", help: "x\n\"\\", [("l", "\n\"\\\u{7}")], 1)
    #expect(
      metrics.text == """
        # TYPE shadowbox_a_b_c_meters gauge
        # UNIT shadowbox_a_b_c_meters meters
        # HELP shadowbox_a_b_c_meters x\\n\\"\\\\
        shadowbox_a_b_c_meters{l="\\n\\"\\\\\\\\u{7}"} 1.0
        # EOF

        """)
  }

  @Test func metricsCountVerdicts() {
    let text = CISamples.regression().openMetrics
    #expect(text.contains("shadowbox_gate_checks{verdict=\"FAIL\"} 1.0\n"))
    #expect(text.contains("shadowbox_gate_checks{verdict=\"PASS\"} 0.0\n"))
    #expect(text.contains("kind=\"lost\"} 40.0\n"))
  }

  // MARK: JSON

  private func list(_ json: String) throws -> [[String: Any]] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
  }

  @Test func benchmarksHaveOneDirection() throws {
    let head = CISamples.regression().comparison.head
    let bigger = try list(head.benchmarks(.higher)), smaller = try list(head.benchmarks(.lower))
    let names = { (list: [[String: Any]]) in
      list.compactMap { ($0["name"] as? String)?.split(separator: " ").last }
    }
    #expect(names(bigger) == ["recall", "precision", "f1"])
    #expect(
      names(smaller)
        == ["false_alarms_per_hour", "latency_p50", "distance_error_mean_absolute"])
    #expect(bigger[0]["value"] as? Double == 0.7)
    #expect(Set(bigger[0].keys).isSuperset(of: ["name", "unit", "value", "extra"]))
    #expect(try list(CISamples.empty.comparison.head.benchmarks(.lower)).isEmpty)
  }

  @Test func badgesHaveAColour() throws {
    func badge(_ json: String) throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }
    let failed = try badge(CISamples.regression().badge())
    #expect(failed["schemaVersion"] as? Int == 1)
    #expect(failed["message"] as? String == "FAIL: 1 of 1")
    #expect(failed["color"] as? String == "red")
    let passed = try badge(CISamples.regression(bound: -0.5).badge())
    #expect(passed["message"] as? String == "PASS")
    for empty in [
      try badge(CISamples.empty.badge()), try badge(CISamples.empty.comparison.badge()),
      try badge(CISamples.empty.comparison.head.badge()),
    ] {
      #expect(empty["isError"] as? Bool == true)
    }
    let recall = try badge(CISamples.regression().comparison.head.badge())
    #expect(recall["message"] as? String == "0.700")
  }

  // MARK: Annotations

  @Test func annotationsAreWorkflowCommands() {
    #expect(
      CISamples.regression().annotations.map(\.line) == [
        "::error title=FAIL%3A recall of punch/default (synthetic)::beyond the bound; 40 references "
          + "lost, none gained (chance alone does as much here in under 0.1 %25 of cases): recall 0.9 -> "
          + "0.7, change -0.2, bound -0.01"
      ])
    #expect(
      CISamples.regression(bound: -0.5).annotations.map(\.line) == [
        "::notice title=Shadowbox gate%3A PASS::1 check within the bounds"
      ])
    #expect(CISamples.empty.annotations.map(\.level) == [.error])
  }

  @Test func annotationsStayInTheirLine() {
    let annotation = Annotation(
      level: .error, title: "a:b,c%\n\r::x", message: "50 %\n::warning::y\u{1B}[0m")
    #expect(
      annotation.line
        == "::error title=a%3Ab%2Cc%25%0A%0D%3A%3Ax::50 %25%0A::warning::y\\u{1b}[0m")
    for seed in 0..<50 {
      var samples = CISamples(seed: UInt64(seed))
      for annotation in samples.gate().annotations {
        #expect(annotation.line.unicodeScalars.allSatisfy { $0.value >= 0x20 })
      }
    }
  }

  /// GitHub drops what comes after the tenth.
  @Test func annotationsAreCounted() {
    var gate = CISamples.regression()
    let check = gate.checks[0]
    gate.checks = Array(repeating: check, count: 10)
    #expect(gate.annotations.count == 10)
    gate.checks = Array(repeating: check, count: 25)
    #expect(gate.annotations.count == 10)
    #expect(gate.annotations[9].message == "and 16 more; the job summary has all")
  }

  @Test func servicesAreRecognisedByTheirEnvironment() {
    #expect(CIService(environment: ["GITHUB_ACTIONS": "true"]) == .gitHub)
    #expect(CIService(environment: ["GITLAB_CI": "true"]) == .gitLab)
    #expect(CIService(environment: ["CI": "true"]) == nil)
  }
}
