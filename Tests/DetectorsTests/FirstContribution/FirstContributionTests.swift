import Foundation
import Testing

/// docs/first-contribution.md shows the files of this folder, which are built and run here.
@Suite struct FirstContributionTests {
  @Test(arguments: ["JumpDetector", "JumpDetectorTests"])
  func thePageShowsWhatIsBuilt(name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let root = folder.appending(path: "../../..").standardizedFileURL
    let page = try String(
      contentsOf: root.appending(path: "docs/first-contribution.md"), encoding: .utf8)
    var source = try String(
      contentsOf: folder.appending(path: "\(name).swift"), encoding: .utf8)
    // In its own module the detector imports less.
    if name == "JumpDetector" { source.replace("public import Detectors\n", with: "") }
    #expect(page.contains("```swift\n\(source)```"))
  }
}
