#if os(Linux)
  import Foundation
  import Replay
  import TestSupport
  import Testing
  import TraceFormats
  import TraceModel

  /// A faulty child process gives status 70 and one line of diagnostics, and leaves neither a results
  /// file nor a process.
  @Suite struct ExecFailureTests {
    struct Case: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var script: String
      /// The message after `s.yml:4: exec:./child` or `exec:./child on t`.
      var says: String

      init(_ name: String, _ script: String, _ says: String) {
        (testDescription, self.script, self.says) = (name, script, says)
      }

      /// A child that runs a command after the first input, and continues to read.
      static func saying(_ name: String, _ command: String, _ says: String) -> Case {
        Case(name, "\(hello); read a; read b; \(command); exec cat > /dev/null", says)
      }

      /// A child that runs a command at the end of the input.
      static func ending(_ name: String, _ command: String, _ says: String) -> Case {
        Case(name, "\(hello); while read w r; do [ $w = end ] && \(command); done", says)
      }
    }

    private static let hello = ExecBench.hello
    private static let timeout = "or set a longer --detector-timeout"
    private static let noHello = "expected its hello up to the line ready, found "
    private static let noAnswer = "expected its answer up to the line done, found "
    private static let line1 = "line 1 of its answer: expected "
    private static let noText = line1 + "a line of UTF-8 without control characters, found "

    static let inHello: [Case] = [
      Case(
        "exits at once", "exit 0", noHello + "exit status 0; run until the end of the input"),
      Case(
        "says nothing", "exec sleep 1000",
        noHello + "no output for 0.5 s; flush the output after ready, \(timeout)"),
      Case(
        "a byte now and then", "while sleep 0.1; do printf x; done",
        noHello
          + "no output for 0.5 s after \"x\" without a line end; flush the output after ready, "
          + timeout),
      Case(
        "a line now and then",
        "echo shadowbox-detector/1; echo name x; echo channel acceleration; echo task punch; "
          + "while sleep 0.1; do echo 'parameter p'$((n += 1))' 1 0 2 -'; done",
        noHello + "NUMBER of its lines in 0.5 s; flush the output after ready, \(timeout)"),
      Case(
        "another hello", "echo 'hi there'; exec cat > /dev/null",
        "line 1 of its hello: expected shadowbox-detector/1 as the first line, found \"hi there\""),
      Case(
        "half a hello", #"printf 'shadowbox-detector/1\nname x\nready\n'; exec cat > /dev/null"#,
        "line 3 of its hello: expected name, channel and task before ready, found no channel, "
          + "no task"),
      Case(
        "hello without an end", "printf shadowbox; cat > /dev/null; true",
        noHello + "no output for 0.5 s after \"shadowbox\" without a line end; flush the output "
          + "after ready, \(timeout)"),
    ]

    static let inRun: [Case] = [
      Case(
        "exits mid-way", "\(hello); read a; read b; read c; echo 'no more memory' >&2; exit 3",
        noAnswer + "exit status 3; its last line on stderr: no more memory"),
      Case(
        "is killed", "\(hello); read a; read b; kill -9 $$",
        noAnswer + "an end by signal 9 (Killed)"),
      Case(
        "never reads", "\(hello); exec sleep 1000",
        "expected it to read its input, found nothing read for 0.5 s; read all lines as they "
          + "arrive, \(timeout)"),
      Case(
        "reads and never answers", "\(hello); cat > /dev/null; exec sleep 1000",
        noAnswer + "no output for 0.5 s; flush the output after done, \(timeout)"),
      Case(
        "has a child of its own that holds on", "\(hello); sleep 1000 & cat > /dev/null; wait",
        noAnswer + "no output for 0.5 s; flush the output after done, \(timeout)"),
      Case(
        "closes its output", "\(hello); read a; exec >&-; cat > /dev/null; sleep 1000",
        noAnswer + "a closed output"),
      Case(
        "closes its input", "\(hello); read a; exec <&-; exec sleep 1000",
        noAnswer + "a closed input and no output for 0.5 s"),
      .saying(
        "garbage", "echo 'Hello, World!'",
        line1 + "detect, measure or done, found \"Hello, World!\""),
      .saying(
        "bytes that are no text", #"printf '\377\033[2J\000\n'"#,
        noText + "\"\u{FFFD}\\u{1b}[2J\\u{0}\""),
      .saying(
        "half a character", #"printf 'detect 0 0 label=\303\n'"#,
        noText + "\"detect 0 0 label=\u{FFFD}\""),
      .saying(
        "what steers a terminal as a label", #"printf 'detect 0 0 label=\033[2J\n'"#,
        noText + "\"detect 0 0 label=\\u{1b}[2J\""),
      .ending(
        "a measure that is a path", #"printf 'measure a/b 1 m\ndone\n'"#,
        line1 + "measure <name of letters, digits, - and _> <finite number> <unit, - for none>, "
          + "found \"measure a/b 1 m\""),
      // The kind counts in addition to the labels.
      .ending(
        "a number as a label", "seq 0 1999 | sed 's/.*/detect & 0 label=&/'",
        "line 1000 of its answer: expected at most 1000 different kinds and labels in a trace, "
          + "found more at \"detect 999 0 label=999\"; write numbers as value="),
      .saying(
        "the place that is none", "echo 'detect 0 0 place=-1'",
        line1 + "place=<whole number, not -1>, found \"detect 0 0 place=-1\"; omit it if there is "
          + "none"),
      Case(
        "ends and leaves one behind that holds its streams",
        "\(hello); sleep 1000 & echo 'no luck' >&2; exit 3",
        noAnswer + "exit status 3 while another program holds its streams open; its last line on "
          + "stderr: no luck"),
      Case(
        "endless detections, nothing read", "\(hello); read a; read b; exec yes 'detect 0 0'",
        "line 101 of its answer: expected at most 100 detections per input line, found more for "
          + "number 0"),
      Case(
        "an endless line", "\(hello); read a; read b; exec tr '\\0' x < /dev/zero",
        line1 + "a line of at most 4096 bytes, found a longer one"),
      .saying(
        "an empty line", "echo", line1 + "detect, measure or done, found an empty line"),
      .saying(
        "a sample that was not sent", "echo 'detect 20001 0'",
        line1 + "the number of an input line, found \"detect 20001 0\""),
      .saying(
        "detections out of order", "read c; echo 'detect 1 0'; echo 'detect 0 0'",
        "line 2 of its answer: expected number 1 or higher, because detections follow the order of "
          + "the inputs, found \"detect 0 0\""),
      .saying(
        "a time out of range", "echo 'detect 0 200000000001'",
        line1 + "an onset from 0 to 200000000000 ns, the trace's time, found "
          + "\"detect 0 200000000001\"; give onsets in nanoseconds of measured time"),
      .saying(
        "a time in seconds", "echo 'detect 0 1.5'",
        line1 + "detect <number> <onset in ns> with whole numbers, then name=value, found "
          + "\"detect 0 1.5\""),
      .saying(
        "NaN", "echo 'detect 0 0 value=nan'",
        line1 + "value=<finite number>, found \"detect 0 0 value=nan\"; omit it if there is none"),
      .saying(
        "done before the end", "echo done",
        line1 + "done after the input end, found done before it; write done once per trace, after "
          + "reading end"),
      .ending(
        "done without an end of the line", "printf done",
        noAnswer + "no output for 0.5 s after \"done\" without a line end; flush the output after "
          + "done, \(timeout)"),
      .ending(
        "done and more", #"printf 'done\nmore\n'"#,
        "line 2 of its answer: expected no output after done, found more"),
    ]

    @Test(arguments: inHello)
    func failsInHello(case test: Case) throws {
      try check(test, "s.yml:4: exec:./child")
    }

    @Test(.longer, arguments: LongTests.everyOther(inRun))
    func failsInRun(case test: Case) throws {
      try check(test, "exec:./child on t")
    }

    private func check(_ test: Case, _ place: String) throws {
      let bench = try ExecBench(test.script)
      let before = bench.scratch.names
      let outcome = try bench.run(["--detector-timeout", "500ms"])
      #expect(outcome.status == 70)
      let line = outcome.errors.split(separator: "\n").last?.replacing(/"x+"/, with: "\"x\"")
      var says = test.says
      if says.contains("NUMBER"),
        let lines = outcome.errors.firstMatch(of: /found (\d+) of its lines/)
      {
        says.replace("NUMBER", with: lines.1)
      }
      let separator = test.says.hasPrefix("line") || test.says.hasPrefix("expected") ? ": " : ""
      #expect(line == "error: \(place)\(separator)\(says)")
      #expect(outcome.output.isEmpty)
      #expect(bench.scratch.names == before, "a file was written")
      #expect(bench.processes.isEmpty, "a process was left")
    }

    struct Start: Sendable {
      var file: String?
      var isExecutable = true
      var detector = "exec:./other"
      var status: Int32 = 70
      /// The message after the detector.
      var says: String
    }

    private static let noScript =
      "; a script needs a first line with #! and an existing interpreter"

    static let starts = [
      Start(
        says: "an executable program, found no file ./other; the path is relative to the suite's "
          + "folder, else to the working directory"),
      Start(
        file: "true", isExecutable: false,
        says: "an executable program, found ./other without permission to execute; run chmod +x "
          + "./other, or name its interpreter, e.g. 'exec:python3 ./other'"),
      Start(
        file: "no program",
        says: "an executable program, found \"Exec format error\"" + noScript),
      Start(
        file: "#!/nowhere/interpreter\n",
        says: "an executable program, found \"No such file or directory\"" + noScript),
      Start(detector: "exec:./", says: "an executable program, found the folder ./"),
      Start(
        detector: "exec:no-program-of-that-name",
        says: "an executable program, found no no-program-of-that-name in PATH; write "
          + "./no-program-of-that-name for a file in the folder"),
      Start(
        detector: "exec:'./other", status: 64,
        says: "exec:program with its arguments, e.g. exec:./my-detector or 'exec:python3 "
          + "detector.py'; put words with spaces in quotation marks"),
    ]

    @Test(arguments: starts)
    func cannotBeStarted(start: Start) throws {
      let bench = try ExecBench("")
      if let file = start.file {
        try bench.scratch.write(
          file, to: "other", permissions: start.isExecutable ? 0o755 : 0o644)
      }
      let outcome = try Program.run(
        ["replay", "t.h5", "--detector", start.detector], in: bench.scratch.url)
      #expect(outcome.status == start.status)
      #expect(outcome.errors == "error: \(start.detector): expected \(start.says)\n")
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
      let suite = try bench.scratch.text(of: "s.yml")
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
      let suite = try bench.scratch.text(of: "s.yml")
      try bench.scratch.write(suite.replacing("[t.h5]", with: "['*.h5']"), to: "s.yml")
      let outcome = try bench.run(["--detector-timeout", "500ms", "--threads", "1"])
      #expect(outcome.status == 70)
      #expect(try bench.scratch.bytes(of: "starts").count == 1)
      #expect(bench.processes.isEmpty)
    }

    /// A detector that reports at the end supports neither a pace nor a policy.
    @Test(arguments: [
      (["--rate", "1x"], "--rate has no effect on exec:./child"),
      (["--policy"], "exec:./child: expected no policy"),
      (
        ["--detector-timeout", "0s"],
        "--detector-timeout 0s: expected a time above 0 such as 10s or 500ms"
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
