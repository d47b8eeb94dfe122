private import CZip
import Diagnostics
import Files
import TraceModel

/// A zip archive that is open for reading. Its members are unpacked while they are read, never to
/// disk and never as a whole. Their names are never opened as paths.
///
/// The archive must not change until a member is read to its end.
final class ZipArchive {
  struct Member {
    var name: String
    var index: UInt64
  }

  private let path: String
  private let file: FileInput
  private let archive: OpaquePointer
  let members: [Member]
  /// The bytes that were unpacked beyond the heads of members. Members may overlap.
  private var unpacked = 0

  init(path: String) throws(TraceError) {
    self.path = path
    file = try FileInput(path: path)
    var code: Int32 = 0
    let descriptor = file.duplicatedDescriptor()
    guard let archive = zip_fdopen(descriptor, 0, &code) else {
      closeDescriptor(descriptor)
      throw TraceError(
        place: path, expected: "a zip archive", found: "\"\(ZipArchive.text(code))\"",
        remedy: "copy the file again: it is truncated or damaged")
    }
    self.archive = archive
    do throws(TraceError) {
      members = try ZipArchive.list(archive, path)
    } catch {
      zip_discard(archive)
      throw error
    }
  }

  deinit {
    // Nothing was changed, so nothing is written.
    zip_discard(archive)
  }

  static func recognises(_ head: some Collection<UInt8>) -> Bool {
    // Members are closed before their archive.
    head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6])
  }

  /// - Parameter place: the archive with the member, for messages.
  func open(_ member: Member, place: String) throws(TraceError) -> any ByteInput {
    var status = zip_stat_t()
    zip_stat_init(&status)
    if zip_stat_index(archive, member.index, 0, &status) == 0,
      status.encryption_method != ZIP_EM_NONE
    {
      throw TraceError(
        place: place, expected: "a readable file", found: "an encrypted one",
        remedy: "unpack the archive with its password, then pass the folder")
    }
    guard let stream = zip_fopen_index(archive, member.index, 0) else {
      throw ZipArchive.fault(place, zip_get_error(archive))
    }
    let size = min(Int(clamping: status.comp_size), file.size)
    return ZipMemberInput(self, stream, place: place, size: size)
  }

  fileprivate func add(_ count: Int) throws(TraceError) {
    unpacked += count
    try ReaderBudget.requireUnpacked(unpacked, from: file.size, path)
  }

  fileprivate func requireUnchanged() throws(TraceError) { try file.requireUnchanged() }

  fileprivate static func fault(
    _ place: String, _ error: UnsafeMutablePointer<zip_error_t>?
  ) -> TraceError {
    let reason = error.map { String(cString: zip_error_strerror($0)) } ?? "unknown error"
    return TraceError(
      place: place, expected: "an intact file in the archive", found: "\"\(reason)\"",
      remedy: "copy the archive again, or unpack it and pass the folder")
  }

  /// As long as a path may be on Linux.
  private static let longestName = 4_096

  private static func list(
    _ archive: OpaquePointer, _ path: String
  ) throws(TraceError) -> [Member] {
    let count = zip_get_num_entries(archive, 0)
    guard count <= ReaderBudget.members else {
      throw TraceError(
        place: path, expected: "at most \(ReaderBudget.members) files in an archive",
        found: "\(count)",
        remedy: "pack one recording per archive")
    }
    var members: [Member] = []
    for index in 0..<UInt64(clamping: count) {
      guard let text = zip_get_name(archive, index, 0) else {
        throw fault(path, zip_get_error(archive))
      }
      let name = String(cString: text)
      guard name.utf8.count <= longestName else {
        throw TraceError(
          place: path, expected: "names of at most \(longestName) bytes in an archive",
          found: "one of \(name.utf8.count)", remedy: "pack the recording again")
      }
      // Some Windows programs write backslashes, which the format does not allow.
      members.append(Member(name: name.replacing(["\\": "/"]), index: index))
    }
    return members
  }

  private static func text(_ code: Int32) -> String {
    var error = zip_error_t()
    zip_error_init_with_code(&error, code)
    defer { zip_error_fini(&error) }
    return String(cString: zip_error_strerror(&error))
  }
}

/// One member, which keeps its archive open.
private final class ZipMemberInput: ByteInput {
  private let archive: ZipArchive
  private let stream: OpaquePointer
  private let place: String
  /// The packed size.
  private let size: Int
  private var unpacked = 0

  init(_ archive: ZipArchive, _ stream: OpaquePointer, place: String, size: Int) {
    (self.archive, self.stream, self.place, self.size) = (archive, stream, place, size)
  }

  var packedBytes: Int? { size }

  deinit { zip_fclose(stream) }

  func read(into buffer: inout [UInt8], at start: Int) throws(TraceError) -> Int {
    let count = buffer.withUnsafeMutableBytes { bytes in
      zip_fread(stream, bytes.baseAddress?.advanced(by: start), UInt64(bytes.count - start))
    }
    // Damage is expected in an archive that was changed meanwhile.
    if count <= 0 { try archive.requireUnchanged() }
    guard count >= 0 else { throw ZipArchive.fault(place, zip_file_get_error(stream)) }
    // The heads, which each reader that recognises a recording looks at, count where they are read.
    unpacked += Int(count)
    if unpacked > RecordingFiles.headSize { try archive.add(Int(count)) }
    return Int(count)
  }
}
