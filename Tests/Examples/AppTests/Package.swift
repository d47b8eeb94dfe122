// swift-tools-version: 6.2
import PackageDescription

// An app with a detector of its own, and its tests: they need no C library.
let package = Package(
  name: "app-tests",
  dependencies: [.package(name: "shadowbox", path: "../../..")],
  targets: [
    .target(
      name: "Blows",
      dependencies: [
        .product(name: "Detectors", package: "shadowbox"),
        .product(name: "TraceModel", package: "shadowbox"),
      ]),
    .testTarget(
      name: "BlowTests",
      dependencies: ["Blows", .product(name: "ShadowboxTesting", package: "shadowbox")],
      resources: [.copy("Fixtures")]),
    // Shows how tests fail.
    .testTarget(
      name: "FailingTests",
      dependencies: ["Blows", .product(name: "ShadowboxTesting", package: "shadowbox")]),
  ],
  swiftLanguageModes: [.v6]
)
