import Diagnostics
import Files

/// The files of a repository, before git looks at them: it would wait for a pipe.
enum GitFiles {
  /// The names that are looked at; a limit of time holds for the rest.
  private static let most = 100_000

  /// The first file of the repositories around a folder that is no regular one.
  static func obstacle(around folder: String) -> (path: String, kind: String)? {
    var place = resolvedPath(folder)
    var search = Search()
    while true {
      if let found = search.obstacle(at: TracePath.path(of: ".git", in: place)) { return found }
      guard place != "/", place.utf8.first == UInt8(ascii: "/") else { return nil }
      place = GitRepository.parent(of: place)
    }
  }

  private struct Search {
    private var known: Set<String> = []
    private var count = 0

    /// Also looks into folders, links, and the folders that git's files name.
    mutating func obstacle(at path: String) -> (path: String, kind: String)? {
      var places = [path]
      while let place = places.popLast(), count < GitFiles.most {
        count += 1
        guard TracePath.isFolder(place) else {
          if let kind = TracePath.otherKind(place) { return (place, kind) }
          places += Self.named(by: place)
          continue
        }
        guard known.insert(resolvedPath(place)).inserted else { continue }
        let names = (try? FolderListing.names(in: place) { $0 != "." && $0 != ".." }) ?? []
        places += names.map { TracePath.path(of: $0, in: place) }
      }
      return nil
    }

    /// Other folders of the repository, which lie elsewhere.
    private static func named(by file: String) -> [String] {
      guard [".git", "commondir", "alternates"].contains(TracePath.lastName(file)),
        let bytes = try? smallFile(file, .earlierOutput, mebibytes: 1)
      else { return [] }
      let isList = TracePath.lastName(file) == "alternates"
      // Paths in objects/info/alternates are relative to objects.
      let folder = TracePath.folder(of: isList ? TracePath.folder(of: file) : file)
      return String(decoding: bytes, as: UTF8.self).utf8.split(separator: UInt8(ascii: "\n")).map {
        line in
        let name = String(Substring(line.starts(with: "gitdir: ".utf8) ? line.dropFirst(8) : line))
        return name.utf8.first == UInt8(ascii: "/") ? name : TracePath.path(of: name, in: folder)
      }
    }
  }
}
