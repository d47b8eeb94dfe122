import Testing

@testable import HDF5

@Suite struct FlagTableTests {
  @Test(arguments: [
    ("", "unlabelled"), ("unlabelled", "+75nlabelled"), ("straight", "straight"),
    ("left hook", "left+20hook"), ("a+b", "a+2Bb"), ("+20", "+2B20"), ("é", "+C3+A9"),
    ("A-z_0.9@", "A-z_0.9@"), ("\n", "+0A"), ("Unlabelled", "Unlabelled"),
  ])
  func namesAreWords(name: String, word: String) {
    #expect(FlagTable.word(name) == word)
    #expect(FlagTable.name(word) == name)
  }

  @Test(arguments: ["+", "+2", "+2g", "+2b", "a+", "+FF", "+C3"])
  func otherWordsAreInvalid(word: String) {
    #expect(FlagTable.name(word) == nil)
  }

  @Test func tablesAreInOrder() {
    let table = FlagTable(texts: ["hook", "", "cross", "hook"])
    #expect(table.codes == [0, 1, 2])
    #expect(table.meanings == "unlabelled cross hook")
    #expect(table.codesByName == ["": 0, "cross": 1, "hook": 2])
    #expect(FlagTable(texts: []).meanings == "unlabelled")
  }

  @Test func tablesComeBack() throws {
    let table = FlagTable([-1: "none", 5: "", 300: "a b"])
    #expect(try FlagTable.reading(codes: table.codes, meanings: table.meanings).get() == table)
  }

  @Test(arguments: [([0, 1], "a"), ([0], "a b"), ([0, 0], "a b"), ([0], "+"), ([0], "")])
  func brokenTablesAreErrors(codes: [Int32], meanings: String) {
    #expect(throws: FlagError.self) {
      try FlagTable.reading(codes: codes, meanings: meanings).get()
    }
  }
}
