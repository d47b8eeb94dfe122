import Foundation
import PackedFiles
import Testing
import TraceModel

@testable import TraceFormats

@Suite struct RecordingFilesTests {
  /// Written by Python's zipfile to something that cannot seek: deflated, with a data descriptor and
  /// zip64 sizes. i = ZipInfo('walk/a.csv'); i.compress_type = ZIP_DEFLATED;
  /// ZipFile(pipe, 'w').open(i, 'w', force_zip64=True).write(GzipInputTests.text)
  static let packed =
    "UEsDBC0ACAAIAAAAIQAAAAAA//////////8KABQAd2Fsay9hLmNzdgEAEAAAAAAAAAAAAAAAAAAAAAAAPdArEoBAEANRv2cZQRK+90IAp8dMr2r3KpW7nnrrG0upXBnqupvu2t26e/font0LZ4KIghSmQIUqWOEKWMhG9tyKbGQjG9nIRjaykYMc5MwbkIMc5CAHOchB/gFQSwcIKRi+BVwAAAAAAAAAZgEAAAAAAABQSwECLQMtAAgACAAAACEAKRi+BVwAAABmAQAACgAAAAAAAAAAAAAAgAEAAAAAd2Fsay9hLmNzdlBLBQYAAAAAAQABADgAAACwAAAAAAA="

  @Test func readsWhatPythonPacked() throws {
    let folder = try RecordingFolder()
    let bytes = try Array(#require(Data(base64Encoded: Self.packed)))
    let files = try RecordingFiles(path: folder.write(bytes, to: "a.zip"))
    let entry = try #require(files.only)
    #expect(entry.name == "a.csv" && entry.place.hasSuffix("/a.zip/walk/a.csv"))
    let read = try rest(files.open(entry))
    #expect(String(decoding: read, as: UTF8.self) == GzipInputTests.text)
  }

  static let content = [("meta/time.csv", "event\n"), ("Gyroscope.csv", "Time (s)\n0\n")]

  /// One recording, however it is wrapped.
  @Test(arguments: [
    Zip(content), Zip(content, [.zip64]), Zip(content, [.dataDescriptor]),
    Zip(content.map { ("2024-06-21 jab/" + $0.0, $0.1) }),
    Zip(content.map { ("a/b/" + $0.0, $0.1) }),
    Zip(content + [("__MACOSX/._Gyroscope.csv", "x"), (".DS_Store", "x"), ("meta/", "")]),
    Zip(
      content.map { (name: $0.0, content: Gzip.member(Array($0.1.utf8))) }),
  ])
  func aRecordingIsThatOfItsFiles(zip: Zip) throws {
    let folder = try RecordingFolder()
    let files = try RecordingFiles(path: folder.write(zip.bytes, to: "jab.zip"))
    #expect(files.entries.map(\.name) == ["Gyroscope.csv", "meta/time.csv"])
    #expect(files.stem == "jab" && files.kind == .zip)
    for (name, text) in Self.content {
      let entry = try #require(files.entry(name))
      let (head, all) = (try files.head(of: entry), try rest(files.open(entry)))
      #expect(String(decoding: head, as: UTF8.self) == text)
      #expect(String(decoding: all, as: UTF8.self) == text)
    }
  }

  @Test func aFolderIsTheSame() throws {
    let folder = try RecordingFolder()
    let path = try folder.write(Self.content + [(".hidden", "x")], in: "jab")
    #expect(symlink(path, path + "/loop") == 0)
    #expect(mkfifo(path + "/pipe", 0o644) == 0)
    for spelling in [path, path + "/"] {
      let files = try RecordingFiles(path: spelling)
      #expect(files.entries.map(\.name) == ["Gyroscope.csv", "meta/time.csv"])
      #expect(files.stem == "jab" && files.kind == .folder)
      #expect(files.entries[1].place == path + "/meta/time.csv")
      let read = try rest(files.open(files.entries[0]))
      #expect(String(decoding: read, as: UTF8.self) == "Time (s)\n0\n")
    }
  }

  /// The folder that all share is found by bytes: an accent may follow its slash.
  @Test(arguments: [
    (["a/\u{301}b/x.csv", "a/\u{301}b/y.csv"], ["x.csv", "y.csv"]),
    (["a/\u{301}x.csv", "a/\u{301}y.csv"], ["\u{301}x.csv", "\u{301}y.csv"]),
    (["a/b/x.csv", "a/bc/x.csv"], ["b/x.csv", "bc/x.csv"]), (["a/b/x.csv"], ["x.csv"]),
    (["a.csv", "ab.csv"], ["a.csv", "ab.csv"]),
  ])
  func namesLackTheFolderOfAll(written: [String], names: [String]) throws {
    let folder = try RecordingFolder()
    let files = try RecordingFiles(path: folder.write(written.map { ($0, "t\n") }, in: "r"))
    #expect(files.entries.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
  }

  @Test func aFileIsOne() throws {
    let folder = try RecordingFolder()
    let path = try folder.write(Gzip.member(Array("t\n".utf8)), to: "walk.csv.gz")
    let files = try RecordingFiles(path: path)
    let entry = try #require(files.only)
    #expect(files.stem == "walk" && entry.name == "walk.csv.gz" && entry.place == path)
    let packed = try files.isPacked(entry)
    #expect(packed)
    // Peeked and then read, twice.
    #expect(try files.head(of: entry) == Array("t\n".utf8))
    for _ in 0..<2 {
      let read = try rest(files.open(entry))
      #expect(read == Array("t\n".utf8))
    }
  }

  /// Names in an archive are never opened, and cannot affect a terminal.
  @Test func namesAreHarmless() throws {
    let folder = try RecordingFolder()
    try folder.write("secret", to: "secret.csv")
    let zip = Zip([("../secret.csv", "a"), ("/etc/passwd", "b"), ("x\u{1B}[31m.csv", "c")])
    let files = try RecordingFiles(path: folder.write(zip.bytes, to: "a.zip"))
    var read: [String] = []
    for entry in files.entries {
      read.append(String(decoding: try rest(files.open(entry)), as: UTF8.self))
      #expect(!entry.place.unicodeScalars.contains { $0.value < 32 })
    }
    #expect(read.sorted() == ["a", "b", "c"])
  }

  @Test(arguments: [
    (
      Zip([("a.csv", "t\n")], [.encryptedFlag]),
      "a.zip/a.csv: expected a readable file, found an encrypted one; unpack the archive with its "
        + "password, then pass the folder"
    ),
    (
      Zip([("a.csv", "t\n")], [.wrongChecksum]),
      "a.zip/a.csv: expected an intact file in the archive, found \"CRC error\"; copy the archive "
        + "again, or unpack it and pass the folder"
    ),
    (
      Zip([("a.csv", "t\n")], [.unknownMethod]),
      "a.zip/a.csv: expected an intact file in the archive, found \"Compression method not "
        + "supported\"; copy the archive again, or unpack it and pass the folder"
    ),
    (
      Zip([("a.csv", "t\n"), ("a.csv", "u\n")]),
      "a.zip: expected unique file names, found two \"a.csv\"; unpack the archive and pass the "
        + "folder"
    ),
    (
      Zip([("__MACOSX/a", "x")]),
      "a.zip: expected an archive with the files of a recording, found an empty one; export the "
        + "recording again"
    ),
    (
      Zip([(String(repeating: "a/", count: 2_048) + "b.csv", "x")]),
      "a.zip: expected names of at most 4096 bytes in an archive, found one of 4101; pack the "
        + "recording again"
    ),
  ])
  func whatCannotBeReadIsReported(zip: Zip, expected: String) throws {
    let folder = try RecordingFolder()
    let path = try folder.write(zip.bytes, to: "a.zip")
    let found = folder.message {
      let files = try RecordingFiles(path: path)
      for entry in files.entries { _ = try rest(files.open(entry)) }
    }
    #expect(found == expected)
  }

  @Test func aCutArchiveIsReported() throws {
    let folder = try RecordingFolder()
    let path = try folder.write(Zip(Self.content).bytes.dropLast(30), to: "a.zip")
    #expect(
      folder.message { _ = try RecordingFiles(path: path) }
        == "a.zip: expected a zip archive, found \"Not a zip archive\"; copy the file again: it "
        + "is truncated or damaged")
  }

  @Test func anArchiveThatChangesIsReported() throws {
    let folder = try RecordingFolder()
    let path = try folder.write(Zip(Self.content).bytes, to: "a.zip")
    let files = try RecordingFiles(path: path)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([0]))
    let found = folder.message { _ = try rest(files.open(files.entries[0])) }
    #expect(found?.contains("expected a file that does not change while it is read") == true)
  }

  @Test func aPipeIsReadOnce() throws {
    let folder = try RecordingFolder()
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o644) == 0)
    let text = GzipInputTests.text
    let writer = Thread { try? text.write(toFile: path, atomically: false, encoding: .utf8) }
    writer.start()
    let files = try RecordingFiles(path: path)
    let entry = try #require(files.only)
    let names = try files.header(of: entry)?.names
    #expect(names == ["t", "x", "y", "z"])
    let read = try rest(files.open(entry))
    #expect(String(decoding: read, as: UTF8.self) == text)
  }
}
