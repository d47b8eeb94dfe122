import Foundation
import TestSupport
import Testing

/// Commands that start helpers, in a folder and with variables full of configuration for them.
@Suite struct HelperTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
    let scratch = bench.scratch
    let trap = scratch.path("started")
    for name in ["git", "gpsbabel", "python", "python3", "valgrind", "strip", "sh", "less", "ssh"] {
      try scratch.write("#!/bin/sh\n: >'\(trap)'\n", to: name, permissions: 0o755)
    }
    for name in ["matplotlib", "sitecustomize", "usercustomize", "common", "recall", "json", "io"] {
      try scratch.write("open('\(trap)', 'w')\n", to: name + ".py")
    }
    try scratch.write("savefig.dpi: 13\n", to: "matplotlibrc")
    // Waypoints would be left out.
    try scratch.write("[gpx]\ngpxver=1.1\n[Common format settings]\nx=y\n", to: "gpsbabel.ini")
    try scratch.write("[core]\n\tfsmonitor = : >'\(trap)'\n", to: ".gitconfig")
  }

  private func run(_ words: String) throws -> Program.Outcome {
    let outcome = try bench.shell(
      """
      PATH=".:$PATH" HOME="$PWD" PYTHONPATH="$PWD" PYTHONSTARTUP=io.py MATPLOTLIBRC="$PWD" \
      MPLBACKEND=none GPSBABELINI="$PWD" GIT_EXTERNAL_DIFF=./git GIT_TRACE="$PWD/trace" \
      GIT_SSH_COMMAND=./ssh LESSOPEN=./less \(words)
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    for name in ["started", "trace"] { #expect(!bench.scratch.names.contains(name), "\(words)") }
    return outcome
  }

  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["SHADOWBOX_PYTHON"] != nil, "needs matplotlib")
  )
  func aPictureIsDrawn() throws {
    _ = try run("\"$0\" sweep short.h5 --detector punch --picture a.svg --quiet")
    #expect(try bench.scratch.text(of: "a.svg").contains("<svg"))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gpsbabel")))
  func aRecordingIsConverted() throws {
    try bench.scratch.write(
      """
      name,lat,lon,date,time
      a,46.5,13.5,2022/05/01,10:00:00
      b,46.6,13.5,2022/05/01,10:00:01
      """, to: "a.unicsv")
    // A path and a style relative to this folder, though gpsbabel runs in another.
    try bench.scratch.write(
      """
      FIELD_DELIMITER COMMA
      RECORD_DELIMITER NEWLINE
      DATATYPE TRACK
      PROLOGUE name,lat,lon,date,time
      IFIELD IGNORE,"","%s"
      IFIELD LAT_DECIMAL,"","%f"
      IFIELD LON_DECIMAL,"","%f"
      IFIELD GMT_TIME,"","%Y/%m/%d"
      IFIELD HMSG_TIME,"","%02d:%02d:%02d"
      """, to: "my.style")
    _ = try run("\"$0\" convert a.unicsv --from gpsbabel:unicsv,utc=0 -o a.h5 --quiet")
    _ = try run("\"$0\" convert a.unicsv --from gpsbabel:xcsv,style=my.style -o b.h5 --quiet")
  }
}
