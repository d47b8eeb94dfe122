// swift-tools-version: 6.2
import PackageDescription

// A test of a detector in an app's own package: it needs no more than the product Evaluation.
let package = Package(
  name: "recall-test",
  dependencies: [.package(name: "shadowbox", path: "../../..")],
  targets: [
    .testTarget(
      name: "RecallTests",
      dependencies: ["TraceModel", "Detectors", "Evaluation", "Synthesis"].map {
        .product(name: $0, package: "shadowbox")
      }, path: "Tests")
  ],
  swiftLanguageModes: [.v6]
)
