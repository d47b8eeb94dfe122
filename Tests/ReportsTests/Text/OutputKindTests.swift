import Files
import Foundation
import HDF5
import TestSupport
import Testing

@testable import Reports

/// What Shadowbox did not write is never replaced without `--force`.
@Suite struct OutputKindTests {
  private let scratch: Scratch
  private let written: WrittenFiles

  init() throws {
    scratch = try Scratch()
    written = WrittenFiles(folder: scratch.path("written"))
  }

  /// Files of the same format that another program or a person wrote.
  private static let foreign: [(OutputKind, [String])] = [
    (.trace, ["\u{89}HDF\r\n\u{1A}\n shadowbox-trace/1"]),
    (.flipTable, ["entry,origin,trace,kind\nmine,,,\n"]),
    (.errorTable, ["entry,trace,path,subject,note\n"]), (.fixture, ["shadowbox-fixture/1\nmine\n"]),
    (
      .gpx, [XMLElement.heading + "<gpx version=\"1.1\" creator=\"me\"><name>creator=\"shadowbox 1"]
    ),
    (
      .geoJSON,
      ["{\"type\":\"FeatureCollection\",\"generator\":\"me\",\"a\":\"\(GeoJSONMap.mark)\"}"]
    ),
    (.kml, [XMLElement.heading + "<kml><Document id=\"shadowbox-track\">"]),
    (.parameters, ["{\"schema\": \"shadowbox-parameters/1\"}"]),
    (.profiles, ["{\"schema\": \"shadowbox-profiles/1\"}"]),
    (.channelTable, ["time_ns,time_s,x,y,z\n1,2,3,4,5\n"]),
    (.curveTable, ["settings,threshold,\n"]),
    (.picture, ["%PDF-1.4\n", "<?xml version=\"1.0\"?>\n<svg", "<svg>", "\u{89}PNG\r\n"]),
    (.page, ["<!doctype html><p>mine", "<!doctype html><!-- mine, not shadowbox-page/1 -->"]),
    (.detectionLog, ["# my notes\n", "#punch\tp\n"]),
    (.historyLines, ["{\"schema\":\"mine\"}\n{\"schema\":\"shadowbox-history-lines/1\"}\n"]),
    (.timing, ["# lateness of my own\n"]), (.sound, ["RIFF....WAVELIST; x, y, z, magnitude"]),
    (.labelTable, ["onset_ns,offset_ns,label\n1,2,mine\n"]), (.labelTrack, ["1\t2\tjab\n"]),
    (.junit, [XMLElement.heading + "<testsuites name=\"mine\"><testsuites name=\"shadowbox \"/>"]),
    (.summary, ["# mine\n<!-- shadowbox-summary/1 -->\n"]),
    (.openMetrics, ["# TYPE shadowbox_mine gauge\n"]),
    (.benchmarks, ["[{\"name\": \"shadowbox \"}]", "[\n\n]\n"]),
    (.badge, ["{\"schemaVersion\": 1, \"label\": \"mine\"}"]),
  ]

  @Test func filesOfOthersAreNotOurs() throws {
    for (number, (kind, texts)) in Self.foreign.enumerated() {
      for text in texts {
        try scratch.write(text, to: "\(number)")
        let path = scratch.path("\(number)")
        #expect(!kind.wrote(fileAt: path, written), "\(kind.title): \(text)")
        // Nobody can read it: then nobody knows that it is ours.
        if getuid() != 0 {
          chmod(path, 0o200)
          #expect(!kind.wrote(fileAt: path, written))
        }
      }
    }
    // The kinds of HDF5 with a schema are below, and a job summary is appended to.
    #expect(Self.foreign.count == OutputKind.all.count - 5)
  }

  /// The name of the schema somewhere else in a file is no mark.
  @Test(arguments: [OutputKind.results, .sweep, .tuning, .comparison])
  func otherHDF5IsNotOurs(kind: OutputKind) throws {
    guard case .schema(let schema) = kind.mark else { throw TestError() }
    let path = scratch.path("mine.h5")
    for (name, text, isOurs) in [("copied_from", schema, false), ("schema", schema + "1", true)] {
      let file = try HDF5File.create(atomicallyAt: path)
      try file.root().setAttribute(name, text)
      try file.commit()
      #expect(kind.wrote(fileAt: path, written) == isOurs, "\(name)")
    }
  }

  private struct TestError: Error {}

  /// Files with room for a mark are known by it, also after a change by hand.
  @Test func marksAreInWhatIsWritten() throws {
    let gate = CISamples.regression()
    for (kind, text) in [(OutputKind.junit, gate.junit), (.summary, gate.markdown(limit: 1 << 20))]
    {
      try scratch.write(text, to: "ours")
      #expect(kind.wrote(fileAt: scratch.path("ours"), written), "\(kind.title)")
    }
  }

  /// Any change by hand counts; a file that was moved or copied is still ours.
  @Test func digestsAreOfWhatWasWritten() throws {
    let (kind, path) = (OutputKind.badge, scratch.path("badge.json"))
    #expect(kind.wrote(fileAt: path, written))
    for text in ["", "{}\n", "[]\n"] {
      try scratch.write(text, to: "badge.json")
      #expect(kind.wrote(fileAt: path, written) == text.isEmpty)
      written.add(path, .badge)
      #expect(kind.wrote(fileAt: path, written))
    }
    try FileManager.default.copyItem(atPath: path, toPath: scratch.path("copy.json"))
    try FileManager.default.moveItem(atPath: path, toPath: scratch.path("moved.json"))
    for name in ["copy.json", "moved.json"] {
      #expect(kind.wrote(fileAt: scratch.path(name), written))
      // Parameters are no badge, although Shadowbox wrote them.
      #expect(!OutputKind.parameters.wrote(fileAt: scratch.path(name), written))
      try scratch.write("[] \n", to: name)
      #expect(!kind.wrote(fileAt: scratch.path(name), written))
    }
    try scratch.write("{}\n", to: "earlier.json")
    #expect(kind.wrote(fileAt: scratch.path("earlier.json"), written))
  }

  /// A file that comes while a command works is not replaced, and the work is not lost.
  @Test(arguments: [OutputKind.page, .junit, .stepSummary])
  func whatCameMeanwhileStays(kind: OutputKind) throws {
    let path = scratch.path("a." + (kind.endings.first ?? "md"))
    for force in [false, true] {
      try? FileManager.default.removeItem(atPath: path)
      let files = OutputFiles(replacesOthers: force)
      let output = try files.prepared("ours", at: files.checked(path, kind))
      try Data("mine".utf8).write(to: URL(filePath: path))
      let isReplaced = force || kind.endings.isEmpty
      let outcome = Result { try output.commit() }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == (isReplaced ? "ours" : "mine"))
      guard !isReplaced else { continue }
      let kept = try #require(scratch.names.first { $0.hasSuffix("-kept") })
      #expect(try scratch.text(of: kept) == "ours" && "\(outcome)".contains(kept), "\(outcome)")
    }
  }

  /// The lists stay small, and the newest files stay in them.
  @Test func listsAreBounded() throws {
    try scratch.write("{}\n", to: "badge.json")
    let path = scratch.path("badge.json")
    written.add(path, .badge)
    let folder = URL(filePath: written.folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let list = folder.appending(path: try #require(names.first { $0 != "lock" }))
    let line = try String(contentsOf: list, encoding: .utf8)
    try Data((String(repeating: "another line\n", count: 5_000) + line).utf8).write(to: list)
    written.add(path, .badge)
    #expect(try String(contentsOf: list, encoding: .utf8).split(separator: "\n").count == 4_096)
    #expect(written.contain(path, .badge))
  }

  @Test func withoutACacheNothingIsOurs() throws {
    try scratch.write("{}\n", to: "badge.json")
    let nowhere = WrittenFiles(folder: "/dev/null/written")
    nowhere.add(scratch.path("badge.json"), .badge)
    #expect(!OutputKind.badge.wrote(fileAt: scratch.path("badge.json"), nowhere))
    #expect(nowhere.obstacle == "Not a directory" && written.obstacle == nil)
  }
}
