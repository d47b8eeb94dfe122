import ArgumentParser
import Detectors
import Diagnostics
import Digests
import Evaluation
import Foundation
import TestSupport
import Testing
import TraceModel

@testable import Harness

/// The command line and suites have the same grammar for detectors, parameters and gravity filters.
@Suite struct GrammarTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write("", to: "p.h5")
  }

  private func entry(_ fields: String) throws -> Suite.Entry {
    try scratch.write(
      "schema: shadowbox-suite/1\ntraces: {all: p.h5}\nentries: [{traces: all, \(fields)}]\n",
      to: "s.yml")
    return try SuiteParser.read(scratch.path("s.yml"), registry: .builtIn).entries[0]
  }

  private func options(_ arguments: [String]) throws -> DetectorChoice {
    try DetectorOptions.parse(arguments).choice(
      for: TraceHeader(id: "", origin: .recorded), .builtIn)
  }

  /// Some editors put one before UTF-8.
  @Test func aByteOrderMarkIsNoText() throws {
    try scratch.write(
      "\u{FEFF}schema: shadowbox-suite/1\ntraces: {all: p.h5}\n"
        + "entries: [{traces: all, detector: punch}]\n", to: "s.yml")
    let suite = try SuiteParser.read(scratch.path("s.yml"), registry: .builtIn)
    #expect(suite.entries.map(\.name) == ["punch/default"])
    #expect(suite.sha256 == SHA256Digest.hex(of: Array(try scratch.bytes(of: "s.yml"))))
    let file = """
      \u{FEFF}{"schema": "shadowbox-parameters/1", "detector": "punch", "preset": "default",
      "parameters": []}
      """
    #expect(try ParameterFile.parse(Data(file.utf8), "a.json").detector == "punch")
  }

  @Test func aDetectorWithItsPreset() throws {
    for text in ["track", "track/tri", "punch/hitThat"] {
      #expect(
        try entry("detector: \(text)").choice == options(["--detector", text]), "\(text)")
    }
    let tri = try entry("detector: track/tri")
    #expect(tri.name == "track/tri")
    #expect(try entry("detector: track, preset: tri").choice == tri.choice)
    #expect(try entry("detector: track/tri, preset: tri").choice == tri.choice)
    #expect {
      try entry("detector: track/tri, preset: default")
    } throws: { ($0 as? Failure)?.description.contains("expected one preset") ?? false }
    #expect(throws: Failure.self) { try entry("detector: track/") }
  }

  @Test func parametersAsText() throws {
    let text = "threshold=2g,refractory=300ms"
    let choice = try options(["--detector", "punch", "--parameters", text])
    #expect(try entry("detector: punch, parameters: '\(text)'").choice == choice)
    #expect(
      try entry("detector: punch, parameters: {threshold: 2g, refractory: 300 ms}").choice == choice
    )
    #expect {
      try entry("detector: punch, parameters: 'threshold=2g,threshold=3g'")
    } throws: { ($0 as? Failure)?.description.contains("threshold is given twice") ?? false }
  }

  @Test func gravityFilters() throws {
    for text in ["lowpass", "lowpass:0.5s", "lowpass:0.7s,0.4g"] {
      #expect(
        try entry("detector: punch, gravity_filter: '\(text)'").path.gravity
          == DetectorOptions.parse(["--gravity-filter", text]).gravityParameters(), "\(text)")
    }
    #expect(
      try entry("detector: punch, gravity_filter: {time_constant: 0.5 s}").path.gravity
        == GravityFilter.Parameters(text: "lowpass:0.5s"))
    for wrong in ["highpass", "lowpass:0s", "lowpass:1s,1g,1g", "lowpass:x"] {
      #expect(throws: Failure.self) {
        try entry("detector: punch, gravity_filter: '\(wrong)'")
      }
    }
  }
}
