import Files
import TraceModel

/// The files of one recording: a file, the files of a folder, or the members of a zip archive.
///
/// Hidden files and the files that macOS adds to archives are left out. Names do not include a
/// folder that all files share.
final class RecordingFiles {
  struct Entry: Equatable {
    /// The path in the recording: `meta/time.csv`; the file name if the recording is a file.
    var name: String
    /// The path in messages: `archive.zip/meta/time.csv`, without control characters.
    var place: String
    /// Whether the file is the whole recording, so that its name does not matter.
    var isWhole = false
    fileprivate var index: Int
  }

  enum Kind: Equatable {
    case file, folder, zip
  }

  private enum Storage {
    case file(PeekedInput?)
    case folder(paths: [String])
    case zip(ZipArchive, members: [ZipArchive.Member])
  }

  let path: String
  let kind: Kind
  /// Sorted by name.
  private(set) var entries: [Entry] = []
  private var storage: Storage
  /// The head of one file only, because those of a large folder would fill the memory.
  private var lastHead: (index: Int, bytes: [UInt8])?
  /// The bytes of all heads that were read: each format looks at those of all files.
  private var heads = (unpacked: 0, packed: 0)

  /// The largest number of bytes by which a format is recognised.
  static let headSize = 1 << 16
  private static let deepestFolder = 4

  init(path: String) throws(TraceError) {
    self.path = path
    if TracePath.isFolder(path) {
      kind = .folder
      let names = try FolderListing.files(
        below: path, depth: RecordingFiles.deepestFolder, limit: ReaderBudget.members)
      let folder = path.last == "/" ? String(path.dropLast()) : path
      storage = .folder(paths: names.map { "\(folder)/\($0)" })
      list(names, in: folder)
      return
    }
    let input = PeekedInput(try FileInput(path: path, .anyPipe))
    guard try ZipArchive.recognises(input.peek(4)) else {
      kind = .file
      storage = .file(input)
      entries = [
        Entry(name: FilePath.lastComponent(path), place: shown(path), isWhole: true, index: 0)
      ]
      return
    }
    kind = .zip
    let archive = try ZipArchive(path: path)
    let members = archive.members.filter { !RecordingFiles.isIgnored($0.name) }
      .sorted { $0.name < $1.name }
    storage = .zip(archive, members: members)
    list(members.map(\.name), in: path)
    try check(members.map(\.name))
  }

  /// The name for a trace of this recording: that of the folder, or of the file without its
  /// extensions.
  var stem: String { kind == .folder ? FilePath.lastComponent(path) : FilePath.unpackedStem(path) }

  /// Returns the entry of that name, ignoring case; nil = there is none.
  func entry(_ name: String) -> Entry? {
    let wanted = name.lowercased()
    return entries.first { $0.name.lowercased() == wanted }
  }

  /// Returns the first bytes of a file, unpacked; at most ``headSize``.
  func head(of entry: Entry) throws(TraceError) -> [UInt8] {
    if let lastHead, lastHead.index == entry.index { return lastHead.bytes }
    let input = try examinedInput(entry)
    let raw = try Array(input.peek(RecordingFiles.headSize))
    let head = try RecordingFiles.unpackedHead(raw, entry)
    heads.unpacked += head.count
    heads.packed += min(raw.count, input.packedBytes ?? .max)
    try ReaderBudget.requireUnpacked(heads.unpacked, from: heads.packed, shown(path))
    lastHead = (entry.index, head)
    return head
  }

  /// Checks that the file has not changed since it was opened, for readers that open it by path.
  /// - Throws: if it has.
  func requireUnchanged() throws(TraceError) {
    if case .file(let input?) = storage { try input.requireUnchanged() }
  }

  func isPacked(_ entry: Entry) throws(TraceError) -> Bool {
    try GzipInput.recognises(examinedInput(entry).peek(2))
  }

  /// An input to peek into, which stays the input of the recording if that is a file.
  private func examinedInput(_ entry: Entry) throws(TraceError) -> PeekedInput {
    if case .file(let input?) = storage { return input }
    return try openedInput(entry)
  }

  func open(_ entry: Entry) throws(TraceError) -> ByteSource {
    try ByteSource(unpacking: openedInput(entry), name: entry.place)
  }

  private func openedInput(_ entry: Entry) throws(TraceError) -> PeekedInput {
    switch storage {
    case .file(let input?):
      // The input that was examined, so that later changes are detected and pipes work.
      storage = .file(nil)
      return input
    case .file(nil): return PeekedInput(try FileInput(path: path))
    case .folder(let paths): return PeekedInput(try FileInput(path: paths[entry.index]))
    case .zip(let archive, let members):
      return PeekedInput(try archive.open(members[entry.index], place: entry.place))
    }
  }

  private static func unpackedHead(
    _ head: [UInt8], _ entry: Entry
  ) throws(TraceError) -> [UInt8] {
    guard GzipInput.recognises(head) else { return head }
    let unpacked = try GzipInput(MemoryInput(head, chunk: headSize), name: entry.place)
    var bytes = [UInt8](repeating: 0, count: headSize)
    // A head that ends within the gzip data gives the bytes before that.
    let count = (try? unpacked.read(into: &bytes, at: 0)) ?? 0
    return Array(bytes[..<count])
  }

  /// Checks the sorted names in an archive.
  private func check(_ members: [String]) throws(TraceError) {
    if let (first, _) = zip(members, members.dropFirst()).first(where: ==) {
      throw fault(
        "unique file names", found: "two \(Excerpt.of(first))",
        remedy: "unpack the archive and pass the folder")
    }
    guard !members.isEmpty else {
      throw fault(
        "an archive with the files of a recording", found: "an empty one",
        remedy: "export the recording again")
    }
  }

  private func list(_ names: [String], in container: String) {
    let folder = RecordingFiles.commonFolder(names)
    entries = names.enumerated().map { index, name in
      Entry(
        name: String(name.utf8.dropFirst(folder)) ?? name, place: shown("\(container)/\(name)"),
        index: index)
    }
  }

  private static func isIgnored(_ name: String) -> Bool {
    let slash = UInt8(ascii: "/")
    return name.utf8.last == slash
      || name.utf8.split(separator: slash).contains {
        $0.first == UInt8(ascii: ".") && !$0.elementsEqual("..".utf8)
          || $0.elementsEqual("__MACOSX".utf8)
      }
  }

  /// Returns the length of `a/b/` of names that all begin with it, in bytes.
  private static func commonFolder(_ names: [String]) -> Int {
    guard let first = names.first?.utf8 else { return 0 }
    let shared = names.dropFirst().reduce(first[...]) { shared, name in
      shared.prefix(zip(shared, name.utf8).prefix { $0 == $1 }.count)
    }
    return shared.lastIndex(of: UInt8(ascii: "/")).map { shared[...$0].count } ?? 0
  }
}

extension FilePath {
  /// `walk` of `walk.gpx.gz`: the stem of what is packed.
  static func unpackedStem(_ path: String) -> String {
    path.lowercased().hasSuffix(".gz") ? stem(stem(path)) : stem(path)
  }
}

/// Returns a name from an archive or a disk without control characters, for messages.
func shown(_ name: String) -> String {
  String(String.UnicodeScalarView(name.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
}

func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 32 || scalar.value == 127 }
