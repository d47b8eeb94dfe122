import HDF5
import Testing

@Suite struct HDF5NamesTests {
  @Test(arguments: [
    ("punch/default", "punch%2Fdefault"), ("100%", "100%25"), ("%2F", "%252F"), (".", "%2E"),
    ("..", "%2E."), ("...", "..."), ("", "%"), ("%", "%25"), ("a\0b", "a%00b"), ("a\nb", "a%0Ab"),
    ("\u{1B}[31m", "%1B[31m"), ("a b", "a b"), ("hüfte", "hüfte"), ("x_lo", "x_lo"),
  ])
  func linksAreNames(name: String, link: String) {
    var names = HDF5Names()
    #expect(names.next(name) == link)
    #expect(HDF5Names.name(of: link) == name)
  }

  @Test(arguments: ["%zz", "100%", "%2", "%C3"])
  func foreignLinksAreNames(link: String) { #expect(HDF5Names.name(of: link) == link) }

  /// Nothing of a long name is lost that distinguishes it from others.
  @Test(arguments: ["x", "ü", "/", "😀", "e\u{301}"])
  func longNamesAreCut(part: String) {
    let long = String(repeating: part, count: 300)
    let links = ["", "a", "b"].map { HDF5Names.link(long + $0) }
    #expect(Set(links).count == 3)
    for link in links {
      #expect(link.utf8.count <= 200 && link.utf8.count > 150)
      #expect(!link.contains("/") && String(validating: Array(link.utf8), as: UTF8.self) == link)
    }
    let longest = String(repeating: "x", count: 200)
    #expect(HDF5Names.link(longest) == longest)
    #expect(HDF5Names.link(longest + "x").utf8.count == 200)
  }

  @Test func linksAreUnique() {
    var names = HDF5Names(taken: ["curve"])
    #expect(["a", "a", "a_2", "curve"].map { names.next($0) } == ["a", "a_2", "a_2_2", "curve_2"])
    // Equal for Unicode, and so for netCDF.
    #expect(names.next("\u{E9}") == "\u{E9}" && names.next("e\u{301}") == "e\u{301}_2")
    var columns = HDF5Names()
    let endings = ["", "_lo", "_hi"]
    let links = ["x", "x_lo", "x_hi", "x_lo_lo"].map { columns.next($0, endings: endings) }
    #expect(links == ["x", "x_lo_2", "x_hi_2", "x_lo_lo"])
  }

  @Test func groupsAreReadByTheirNames() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("names.h5")
    let long = String(repeating: "exec:python3 tools/x/", count: 30)
    let names = ["a/b", "", ".", "same", "same", long, long + "!", "plain"]
    let empty = HDF5Contents(attributes: [], scalars: [], groups: [])
    try HDF5Contents(attributes: [], scalars: [], groups: names.map { ($0, empty) }).write(to: path)
    let root = try HDF5File.open(path).root()
    var found: [String] = []
    try root.forEachGroup { name, _ in found.append(name) }
    #expect(found.sorted() == names.sorted())
    #expect(try root.openGroup("plain").attributeNames().isEmpty)
  }
}
