@testable import Evaluation
import Foundation
import TestSupport
import Testing

/// What `score` prints, and what it refuses.
@Suite struct ScoreTextTests {
  private static let reference = """
    filename\tonset\toffset\tevent_label
    a\t1\t1\tdog
    a\t2\t2.5\tcat
    b\t3\t3\tdog

    """
  private static let detections = """
    filename\tonset\tevent_label\tscore
    a\t1.02\tdog\t0.9
    a\t1.06\tdog\t0.4
    a\t2.3\tdog\t0.8
    c\t7\tcat\t0.1

    """

  private func run(
    _ reference: String = reference, _ detections: String = detections, _ options: [String] = []
  ) throws -> Program.Outcome {
    let scratch = try Scratch()
    try scratch.write(reference, to: "r.tsv")
    try scratch.write(detections, to: "d.tsv")
    return try Program.run(["score", "-r", "r.tsv", "-d", "d.tsv"] + options, in: scratch.url)
  }

  @Test func table() throws {
    let outcome = try run(
      Self.reference, Self.detections, ["--duration", "10s", "--list", "--full"])
    #expect(outcome.status == 0)
    #expect(
      outcome.errors == """
        not read: d.tsv: score
        note: no reference, so all detections are false alarms: c
        note: no detections, so all references are missed: b

        """)
    #expect(outcome.output == expectedTable)
  }

  @Test func listAsCSV() throws {
    let outcome = try run(Self.reference, Self.detections, ["--list", "--format", "csv"])
    #expect(
      outcome.output == """
        filename,outcome,reference_onset,reference_offset,detection_onset,difference,reference_label,detection_label
        a,true_positive,1.0,1.0,1.02,0.02,dog,dog
        a,duplicate,,,1.06,,,dog
        a,true_positive,2.0,2.5,2.3,0.3,cat,dog
        b,missed,3.0,3.0,,,dog,
        c,false_positive,,,7.0,,,cat

        """)
  }

  @Test func figuresAsCSV() throws {
    let lines = try run(Self.reference, Self.detections, ["--format", "csv"]).output
      .split(separator: "\n")
    #expect(lines.first == "file,origin,figure,value,lower,upper,unit,method,count,clusters")
    #expect(lines.contains(",,true_positives,2.0,,,1,,,"))
    #expect(lines.contains("a,,false_positives,1.0,,,1,,,"))
    #expect(lines.contains { $0.hasPrefix("c,,recall,,,,1,wilson,0,") })
    #expect(!lines.contains { $0.contains("delivery_wait") || $0.contains("latency") })
  }

  /// Reference, detections, options, status and a part of the message.
  struct Refusal: CustomTestStringConvertible, Sendable {
    let (reference, detections): (String, String)
    let options: [String]
    let status: Int32
    let message: String
    var testDescription: String { message }

    init(
      _ reference: String = "onset\n1\n", _ detections: String = "onset\n1\n",
      options: [String] = [], status: Int32 = 65, message: String
    ) {
      (self.reference, self.detections, self.options) = (reference, detections, options)
      (self.status, self.message) = (status, message)
    }
  }

  @Test(arguments: [
    Refusal(
      "start,end\n1,2\n", "onset\n1\n",
      message: "r.tsv:1: expected a column \"onset\", or Audacity labels, found \"start end\""),
    Refusal(
      "onset\n1\n", "onset\n1\nx\n", message: "d.tsv:3: expected a time in seconds, found \"x\""),
    Refusal(
      "filename,onset\na,1\nb,2\n", "onset\n1\n",
      message: "expected reference and detections of the same recordings, found reference of a, b "
        + "and detections of d; use the same names in a column filename"),
    Refusal(
      "filename,onset\na,1\n", "filename,onset\nb,1\n",
      message: "found reference of a and detections of b"),
    Refusal(
      "filename,onset\na,1\n,2\n", "onset\n1\n",
      message: "r.tsv:3: expected the name of a recording in filename, found none"),
    Refusal(
      "onset\n1\n2\n", "onset\n1000\n2000\n", options: ["--duration", "3s"],
      message: "found 2 of 2 of the detections outside, the first at 1000.000 s; if they are in "
        + "milliseconds, convert them to seconds"),
    Refusal(
      "onset\n10\n20\n", "onset\n1\n", options: ["--duration", "3s"],
      message: "found 2 of 2 of the reference outside, the first at 10.000 s; labels count in "
        + "seconds from the start of the recording"),
    Refusal(
      "onset\n1\n", "onset,kind\n1,a\n2,b\n", status: 64,
      message: "expected detections of one kind, found a, b; choose one with --kind"),
    Refusal(
      "onset\n1\n", "onset,kind\n1,a\n", options: ["--kind", "c"], status: 64,
      message: "--kind: unknown kind \"c\"; did you mean a? known: a"),
    Refusal(
      "onset,label\n" + (0..<1001).map { "\($0),name \($0)\n" }.joined(), "onset,label\n1,a\n",
      message: "expected at most 1000 classes in column label, found 1002 in 1002 rows: it looks "
        + "like an identifier"),
    Refusal(
      options: ["--kind", "c"], status: 64,
      message: "--kind c: expected detections with a column kind, found none; remove --kind"),
    Refusal(
      options: ["--tolerance", "soon"], status: 64,
      message: "--tolerance soon: expected a time such as 10s or 500ms"),
    Refusal(
      options: ["--late", "-0.5s"], status: 64,
      message: "--early and --late: expected a window that ends after its beginning, found 0.15 s "
        + "before the onset to -0.5 s after it; make their sum at least 0 s"),
    Refusal(
      options: ["--late", "-soon"], status: 64,
      message: "--late -soon: expected a time such as 10s or -500ms"),
    Refusal(
      options: ["--tolerance", "50ms", "--early", "-100ms"], status: 64,
      message: "--early and --late"),
    Refusal(
      "onset,label\n1,a\n", "onset\n1\n", options: ["--match-labels"], status: 64,
      message: "--match-labels: expected classes on both sides, but the detections have none"),
    Refusal(
      options: ["--duration", "0s"], status: 64, message: "--duration: expected more than 0 s"),
    Refusal(
      options: ["--task", "visits"],
      message: "r.tsv:1: expected a column \"place\", found \"onset\""),
    Refusal(
      "onset,place\n1,a\n", "onset,place\n1,a\n", options: ["--task", "presence"], status: 64,
      message: "--task presence: expected the duration of each recording, found none for"),
    Refusal(
      "quantity,value\ndistance,1\n", "quantity,value\ndistance,1\n",
      options: ["--task", "track", "--tolerance", "1s"], status: 64,
      message: "--tolerance is for --task events and visits, not for track"),
    Refusal(
      "quantity,value\nlength,1\n", "quantity,value\ndistance,1\n", options: ["--task", "track"],
      message: "r.tsv:2: expected a quantity of distance, moving_time, ascent, split, found "
        + "\"length\""),
    Refusal(
      "quantity,value\ndistance,1\n", "quantity,value\ndistance,\n", options: ["--task", "track"],
      message: "d.tsv:2: expected a value, found none"),
    Refusal(
      options: ["-r", "none.tsv"], status: 74, message: "none.tsv: expected a readable file"),
    Refusal(
      options: ["-d", "x.h5"],
      message: "x.h5: expected a label file, found a native trace"),
    Refusal(
      options: ["-r", "r.tsv"],
      message: "expected each recording in one reference file, found r also in r.tsv"),
  ])
  func refuses(example: Refusal) throws {
    let outcome = try run(example.reference, example.detections, example.options)
    #expect(outcome.status == example.status, "\(outcome.errors)")
    #expect(outcome.errors.contains(example.message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: ["50ms", "0s..1s", "1s..50ms", "50ms..1s:1", "1s..2s:3:4"])
  func aCurveOfTolerancesHasTwoEnds(text: String) throws {
    let outcome = try run(Self.reference, Self.detections, ["--tolerance-curve", text])
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("--tolerance-curve \(text): expected two times"))
  }

  @Test func classesOfOneSideAloneAreNamed() throws {
    let outcome = try run(
      "onset,label\n1,jab\n2,hook\n", "onset,label\n1,Punch\n", ["--match-labels"])
    #expect(outcome.status == 0)
    #expect(
      outcome.errors.contains(
        "no class is on both sides, so nothing matches: reference hook, jab; detections Punch"))
  }

  @Test func guessesMillisecondsWithoutADuration() throws {
    let outcome = try run("onset\n1\n2\n", "onset\n1000\n2000\n")
    #expect(outcome.status == 0)
    #expect(
      outcome.errors.contains(
        "the times of the detections end at 2000 s, those of the other side at 2 s; if they are in "
          + "milliseconds, convert them to seconds"))
  }
}

private let expectedTable = """
  The detector finds 2 of 3 events and has 240 false alarms an hour (2 in 0.008 h:
    1 outside the tolerance, 1 repeat).

  Events: detections against references (what really happened), of any class; 95 %
  intervals below
  hours  refs  TP  FP  FN    precision       recall           F1     false/h
                           of this mix
  -----  ----  --  --  --  -----------  -----------  -----------  ----------
  0.008     3   2   2   1        0.500        0.667        0.571       240.0
                           0.150-0.850  0.208-0.939  0.072-0.958  3.2-1524.3
  6 further columns: files, dup, recall at chance, intervals for, onset error ms
  p50/p90, tolerance ms (a wider terminal or --format csv shows them).
  dup: further detections of an event that is already detected; they count as
  false positives. false/h: false alarms per hour.
  Intervals for new people: from the differences between people or files.
  Intervals of figures of fewer than 3 people or files: for these only; events are
  taken as independent.
  Better than chance? Cannot be told: the events are too few or too regular

  Events by class: matched within the class, 95 % intervals
  class  refs  TP  FP  FN            precision               recall
  -----  ----  --  --  --  -------------------  -------------------
  cat       1   0   1   1  0.000 (0.000-0.793)  0.000 (0.000-0.793)
  dog       2   1   2   1  0.333 (0.061-0.792)  0.500 (0.095-0.905)
  1 further column: F1 (a wider terminal or --format csv shows them).

  Classes of matched events: one row per reference class, one column per detected
  class
  class  cat  dog
  -----  ---  ---
  cat      0    1
  dog      0    1
  Of the same class: 0.500 (0.095-0.905).

  By file, with 95 % intervals for these files only
  file  hours  refs  TP  FP  FN    precision       recall           F1     false/h
  ----  -----  ----  --  --  --  -----------  -----------  -----------  ----------
  a     0.003     2   2   1   0        0.667        1.000        0.800       360.0
                                 0.208-0.939  0.342-1.000  0.344-0.968  9.1-2005.8
  b     0.003     1   0   0   1            -        0.000        0.000         0.0
                                              0.000-0.793  0.000-0.885  0.0-1328.0
  c     0.003     0   0   1   0        0.000            -        0.000       360.0
                                 0.000-0.793               0.000-0.885  9.1-2005.8

  Every event
  file  reference s  detection s  outcome         class  detected as
  ----  -----------  -----------  --------------  -----  -----------
  a           1.000        1.020  true_positive   dog    dog
  a               -        1.060  duplicate              dog
  a           2.000        2.300  true_positive   cat    dog
  b           3.000            -  missed          dog
  c               -        7.000  false_positive         cat
  1 further column: difference ms (a wider terminal or --format csv shows them).

  """
