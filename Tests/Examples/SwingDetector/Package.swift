// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SwingDetector",
  dependencies: [.package(name: "shadowbox", path: "../../..")],
  targets: [
    .executableTarget(
      name: "swing",
      dependencies: [
        .product(name: "Detectors", package: "shadowbox"),
        .product(name: "Harness", package: "shadowbox"),
        .product(name: "TraceModel", package: "shadowbox"),
      ], path: ".", sources: ["main.swift", "Swing.swift"])
  ])
