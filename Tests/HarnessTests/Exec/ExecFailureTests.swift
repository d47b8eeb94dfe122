#if os(Linux)
  import Diagnostics
  import Foundation
  import Replay
  import Testing
  import TraceFormats
  import TraceModel

  @testable import Evaluation
  @testable import ExternalDetectors
  @testable import Harness

  /// A faulty child process gives status 70 and one line of diagnostics, and leaves neither a results
  /// file nor a process.
  @Suite struct ExecFailureTests {
    struct Case: Sendable, CustomTestStringConvertible {
      var name: String
      var script: String
      /// The message after `s.yml:4: exec:./child` or `exec:./child on t`.
      var says: String
      var testDescription: String { name }
    }

    private static let hello = ExecBench.hello
    private static let timeout = "or set a longer --detector-timeout"

    static let inHello: [Case] = [
      Case(
        name: "exits at once", script: "exit 0",
        says:
          "expected its hello up to the line ready, found exit status 0; run until the end of the "
          + "input"),
      Case(
        name: "says nothing", script: "exec sleep 1000",
        says:
          "expected its hello up to the line ready, found no output for 0.5 s; flush the output "
          + "after ready, \(timeout)"),
      Case(
        name: "another hello", script: "echo 'hi there'; exec cat > /dev/null",
        says:
          "line 1 of its hello: expected shadowbox-detector/1 as the first line, found \"hi there\""
      ),
      Case(
        name: "half a hello",
        script: #"printf 'shadowbox-detector/1\nname x\nready\n'; exec cat > /dev/null"#,
        says:
          "line 3 of its hello: expected name, channel and task before ready, found no channel, "
          + "no task"),
      Case(
        name: "hello without an end", script: "printf shadowbox; cat > /dev/null; true",
        says:
          "expected its hello up to the line ready, found no output for 0.5 s after \"shadowbox\" "
          + "without a line end; flush the output after ready, \(timeout)"),
    ]

    static let inRun: [Case] = [
      Case(
        name: "exits mid-way",
        script: "\(hello); read a; read b; read c; echo 'no more memory' >&2; exit 3",
        says:
          "expected its answer up to the line done, found exit status 3; its last line on stderr: "
          + "no more memory"),
      Case(
        name: "is killed", script: "\(hello); read a; read b; kill -9 $$",
        says:
          "expected its answer up to the line done, found an end by signal 9 (Killed)"),
      Case(
        name: "never reads", script: "\(hello); exec sleep 1000",
        says: "expected it to read its input, found nothing read for 0.5 s; read all lines as they "
          + "arrive, \(timeout)"),
      Case(
        name: "reads and never answers", script: "\(hello); cat > /dev/null; exec sleep 1000",
        says:
          "expected its answer up to the line done, found no output for 0.5 s; flush the output "
          + "after done, \(timeout)"),
      Case(
        name: "has a child of its own that holds on",
        script: "\(hello); sleep 1000 & cat > /dev/null; wait",
        says:
          "expected its answer up to the line done, found no output for 0.5 s; flush the output "
          + "after done, \(timeout)"),
      Case(
        name: "closes its output",
        script: "\(hello); read a; exec >&-; cat > /dev/null; sleep 1000",
        says: "expected its answer up to the line done, found a closed output"),
      Case(
        name: "closes its input", script: "\(hello); read a; exec <&-; exec sleep 1000",
        says: "expected its answer up to the line done, found a closed input and no "
          + "output for 0.5 s"),
      Case(
        name: "garbage",
        script: "\(hello); read a; read b; echo 'Hello, World!'; exec cat > /dev/null",
        says: "line 1 of its answer: expected detect, measure or done, found \"Hello, World!\""),
      Case(
        name: "bytes that are no text",
        script: #"\#(hello); read a; read b; printf '\377\033[2J\000\n'; exec cat > /dev/null"#,
        says: "line 1 of its answer: expected a line of UTF-8 without control characters, found "
          + "\"\u{FFFD}\\u{1b}[2J\\u{0}\""),
      Case(
        name: "half a character",
        script:
          #"\#(hello); read a; read b; printf 'detect 0 0 label=\303\n'; exec cat > /dev/null"#,
        says: "line 1 of its answer: expected a line of UTF-8 without control characters, found "
          + "\"detect 0 0 label=\u{FFFD}\""),
      Case(
        name: "what steers a terminal as a label",
        script:
          #"\#(hello); read a; read b; printf 'detect 0 0 label=\033[2J\n'; exec cat > /dev/null"#,
        says: "line 1 of its answer: expected a line of UTF-8 without control characters, found "
          + "\"detect 0 0 label=\\u{1b}[2J\""),
      Case(
        name: "a measure that is a path",
        script:
          #"\#(hello); while read w r; do [ $w = end ] && printf 'measure a/b 1 m\ndone\n'; done"#,
        says: "line 1 of its answer: expected measure <name of letters, digits, - and _> <finite "
          + "number> <unit, - for none>, found \"measure a/b 1 m\""),
      Case(
        name: "a number as a label",
        script: "\(hello); while read w r; do [ $w = end ] && seq 0 1999 "
          + "| sed 's/.*/detect & 0 label=&/'; done",
        // The kind counts in addition to the labels.
        says:
          "line 1000 of its answer: expected at most 1000 different kinds and labels in a trace, "
          + "found more at \"detect 999 0 label=999\"; write numbers as value="),
      Case(
        name: "the place that is none",
        script: "\(hello); read a; read b; echo 'detect 0 0 place=-1'; exec cat > /dev/null",
        says: "line 1 of its answer: expected place=<whole number, not -1>, found "
          + "\"detect 0 0 place=-1\"; omit it if there is none"),
      Case(
        name: "ends and leaves one behind that holds its streams",
        script: "\(hello); sleep 1000 & echo 'no luck' >&2; exit 3",
        says: "expected its answer up to the line done, found exit status 3 while another program "
          + "holds its streams open; its last line on stderr: no luck"),
      Case(
        name: "endless detections, nothing read",
        script: "\(hello); read a; read b; exec yes 'detect 0 0'",
        says:
          "line 101 of its answer: expected at most 100 detections per input line, found more "
          + "for number 0"),
      Case(
        name: "an endless line", script: "\(hello); read a; read b; exec tr '\\0' x < /dev/zero",
        says: "line 1 of its answer: expected a line of at most 4096 bytes, found a longer one"),
      Case(
        name: "an empty line", script: "\(hello); read a; read b; echo; exec cat > /dev/null",
        says: "line 1 of its answer: expected detect, measure or done, found an empty line"),
      Case(
        name: "a sample that was not sent",
        script: "\(hello); read a; read b; echo 'detect 20001 0'; exec cat > /dev/null",
        says: "line 1 of its answer: expected the number of an input line, found "
          + "\"detect 20001 0\""),
      Case(
        name: "detections out of order",
        script: "\(hello); read a; read b; read c; echo 'detect 1 0'; echo 'detect 0 0'; "
          + "exec cat > /dev/null",
        says: "line 2 of its answer: expected number 1 or higher, because detections follow the "
          + "order of the inputs, found \"detect 0 0\""),
      Case(
        name: "a time out of range",
        script: "\(hello); read a; read b; echo 'detect 0 200000000001'; exec cat > /dev/null",
        says:
          "line 1 of its answer: expected an onset from 0 to 200000000000 ns, the trace's time, "
          + "found \"detect 0 200000000001\"; give onsets in nanoseconds of measured time"),
      Case(
        name: "a time in seconds",
        script: "\(hello); read a; read b; echo 'detect 0 1.5'; exec cat > /dev/null",
        says:
          "line 1 of its answer: expected detect <number> <onset in ns> with whole numbers, then "
          + "name=value, found \"detect 0 1.5\""),
      Case(
        name: "NaN",
        script: "\(hello); read a; read b; echo 'detect 0 0 value=nan'; exec cat > /dev/null",
        says:
          "line 1 of its answer: expected value=<finite number>, found \"detect 0 0 value=nan\"; "
          + "omit it if there is none"),
      Case(
        name: "done before the end",
        script: "\(hello); read a; read b; echo done; exec cat > /dev/null",
        says:
          "line 1 of its answer: expected done after the input end, found done before it; write done "
          + "once per trace, after reading end"),
      Case(
        name: "done without an end of the line",
        script: "\(hello); while read w r; do [ $w = end ] && printf done; done",
        says:
          "expected its answer up to the line done, found no output for 0.5 s after \"done\" without "
          + "a line end; flush the output after done, \(timeout)"),
      Case(
        name: "done and more",
        script: #"\#(hello); while read w r; do [ $w = end ] && printf 'done\nmore\n'; done"#,
        says: "line 2 of its answer: expected no output after done, found more"),
    ]

    @Test(arguments: inHello)
    func failsInHello(case test: Case) throws {
      try check(test, "s.yml:4: exec:./child")
    }

    @Test(arguments: inRun)
    func failsInRun(case test: Case) throws {
      try check(test, "exec:./child on t")
    }

    private func check(_ test: Case, _ place: String) throws {
      let bench = try ExecBench(test.script)
      let before = bench.scratch.names
      let outcome = try bench.run(["--detector-timeout", "500ms"])
      #expect(outcome.status == 70)
      let line = outcome.errors.split(separator: "\n").last.map(String.init)
      let separator = test.says.hasPrefix("line") || test.says.hasPrefix("expected") ? ": " : ""
      #expect(line == "error: \(place)\(separator)\(test.says)")
      #expect(outcome.output.isEmpty)
      #expect(bench.scratch.names == before, "a file was written")
      #expect(bench.processes.isEmpty, "a process was left")
    }

    /// Output between two traces is an error.
    @Test func rejectsOutputBetweenTraces() throws {
      let bench = try ExecBench(
        "\(ExecBench.hello); until [ -e go ]; do sleep 0.01; done; echo 'detect 0 0'; touch said; "
          + "while read w r; do [ $w = end ] && echo done; done")
      let command = try ExecCommandLine("exec:./child", relativeTo: bench.scratch.url.path)
      let detector = try ExecDetector(command, timeLimit: .seconds(10))
      defer { detector.close() }
      try bench.scratch.write("", to: "go")
      while !bench.scratch.names.contains("said") { usleep(1000) }
      let error = #expect(throws: Failure.self) {
        try detector.run(
          ExecParameters(detector.hello), on: MemorySource(ExecBench.trace), device: DeviceID(0),
          options: RunOptions(blockSize: 1))
      }
      #expect(error?.kind == .childFailed)
      #expect(
        error?.description == "exec:./child: expected no output between ready or done and the next "
          + "start, found some")
    }

    struct Start: Sendable {
      var file: String?
      var isExecutable = true
      var detector = "exec:./other"
      var status: Int32 = 70
      var says: String
    }

    @Test(arguments: [
      Start(
        says:
          "exec:./other: expected an executable program, found no file ./other; the path is "
          + "relative to the suite's folder, else to the working directory"),
      Start(
        file: "true", isExecutable: false,
        says: "exec:./other: expected an executable program, found ./other without permission to "
          + "execute; run chmod +x ./other, or name its interpreter, e.g. 'exec:python3 ./other'"),
      Start(
        file: "no program",
        says:
          "exec:./other: expected an executable program, found \"Exec format error\"; a script "
          + "needs a first line with #! and an existing interpreter"),
      Start(
        file: "#!/nowhere/interpreter\n",
        says: "exec:./other: expected an executable program, found \"No such file or directory\"; "
          + "a script needs a first line with #! and an existing interpreter"),
      Start(
        detector: "exec:./",
        says: "exec:./: expected an executable program, found the folder ./"),
      Start(
        detector: "exec:no-program-of-that-name",
        says: "exec:no-program-of-that-name: expected an executable program, found no "
          + "no-program-of-that-name in PATH; write ./no-program-of-that-name for a file in the "
          + "folder"),
      Start(
        detector: "exec:'./other", status: 64,
        says: "exec:'./other: expected exec:program with its arguments, e.g. exec:./my-detector or "
          + "'exec:python3 detector.py'; put words with spaces in quotation marks"),
    ])
    func cannotBeStarted(start: Start) throws {
      let bench = try ExecBench("")
      if let file = start.file {
        try bench.scratch.write(file, to: "other")
        try FileManager.default.setAttributes(
          [.posixPermissions: start.isExecutable ? 0o755 : 0o644],
          ofItemAtPath: bench.scratch.path("other"))
      }
      let outcome = try Program.run(
        ["replay", "t.h5", "--detector", start.detector], in: bench.scratch.url)
      #expect(outcome.status == start.status)
      #expect(outcome.errors == "error: \(start.says)\n")
      #expect(outcome.output.isEmpty)
    }

    /// An interrupted program ends its child and the processes that the child has started.
    @Test func anInterruptEndsTheChildToo() throws {
      let bench = try ExecBench(
        "\(ExecBench.hello); read a; touch asked; sleep 1000 & exec sleep 1000")
      let process = Process()
      process.executableURL = URL(filePath: Program.executable)
      process.arguments = [
        "run", bench.scratch.path("s.yml"), "-o", bench.scratch.path("out/r.h5"),
        "--detector-timeout", "10min",
      ]
      process.standardInput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      while process.isRunning, !bench.scratch.names.contains("asked") { usleep(1000) }
      kill(process.processIdentifier, SIGINT)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus == 130)
      // They are killed, but may not be reaped yet.
      var patience = 2000
      while !bench.processes.isEmpty, patience > 0 {
        usleep(1000)
        patience -= 1
      }
      #expect(bench.processes.isEmpty)
      #expect(!bench.scratch.names.contains("out"))
    }

    /// A detector that keeps state from one trace to the next is not deterministic.
    @Test func aChildThatIsNotDeterministicIsFound() throws {
      let bench = try ExecBench(
        """
        \(ExecBench.hello)
        while read word rest; do
          [ "$word" = end ] && { runs=$((runs + 1)); echo "detect 0 0 value=$runs"; echo done; }
        done
        """)
      let outcome = try bench.run(["--check-determinism"])
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("the detector is not deterministic"))
      #expect(outcome.errors.contains("punch\\u{9}\\u{9}\\u{9}2.0\\u{9}-; use only"))
      #expect(bench.processes.isEmpty)
      #expect(try bench.run().status == 0)
    }

    @Test func aSuiteThatAsksForAPolicyIsRefused() throws {
      let bench = try ExecBench("\(ExecBench.hello); exec cat > /dev/null")
      let suite = String(decoding: try bench.scratch.bytes(of: "s.yml"), as: UTF8.self)
      try bench.scratch.write(
        suite.replacing("traces: all}", with: "traces: all, policy: {cancel: 0.1}}"), to: "s.yml")
      let outcome = try bench.run()
      #expect(outcome.status == 65)
      #expect(
        outcome.errors == "error: s.yml:4: expected no policy with an exec: detector, whose "
          + "detections come at the end\n")
    }

    /// The command waits for a hanging program once, not once per trace.
    @Test func aFailureIsFoundOnce() throws {
      let bench = try ExecBench("\(ExecBench.hello); echo >> starts; cat > /dev/null; sleep 1000")
      for name in ["u.h5", "v.h5", "w.h5"] {
        var trace = ExecBench.trace
        trace.header.id = name
        try NativeTrace.write(trace, to: bench.scratch.path(name))
      }
      let suite = String(decoding: try bench.scratch.bytes(of: "s.yml"), as: UTF8.self)
      try bench.scratch.write(suite.replacing("[t.h5]", with: "['*.h5']"), to: "s.yml")
      let outcome = try bench.run(["--detector-timeout", "500ms", "--threads", "1"])
      #expect(outcome.status == 70)
      #expect(try bench.scratch.bytes(of: "starts").count == 1)
      #expect(bench.processes.isEmpty)
    }

    /// A detector that reports at the end supports neither a pace nor a policy.
    @Test(arguments: [
      (["--rate", "1x"], "exec:./child has no real-time pace"),
      (["--policy"], "exec:./child: expected no policy"),
      (
        ["--detector-timeout", "0s"], "--detector-timeout 0s: expected a time such as 10s or 500ms"
      ),
    ])
    func whatItCannotDoIsRefused(options: [String], says: String) throws {
      let bench = try ExecBench("\(ExecBench.hello); exec cat > /dev/null")
      let outcome = try Program.run(
        ["replay", "t.h5", "--detector", "exec:./child"] + options, in: bench.scratch.url)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("error: \(says)"))
      #expect(bench.processes.isEmpty)
    }
  }
#endif
