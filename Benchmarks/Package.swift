// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that users of Shadowbox do not download a benchmark runner.

let model: [Target.Dependency] = [
  .product(name: "TraceModel", package: "shadowbox"),
  .product(name: "Detectors", package: "shadowbox"),
  .product(name: "Replay", package: "shadowbox"),
]

let synthesis: Target.Dependency = .product(name: "Synthesis", package: "shadowbox")
let benchmark: Target.Dependency = .product(name: "Benchmark", package: "benchmark")
let benchmarkPlugin: Target.PluginUsage = .plugin(name: "BenchmarkPlugin", package: "benchmark")

let package = Package(
  name: "benchmarks",
  products: [.library(name: "AllocationCounter", type: .dynamic, targets: ["AllocationCounter"])],
  dependencies: [
    .package(name: "shadowbox", path: ".."),
    // Without its traits, which count allocations with further packages: see check_counts.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .target(name: "CReference", path: "CReference"),
    .target(name: "AllocationCounter", path: "AllocationCounter"),
    .target(
      name: "Workloads",
      dependencies: model + [synthesis, "CReference"],
      path: "Workloads"),
    .target(name: "Timing", path: "Timing"),
    .executableTarget(
      name: "ratios", dependencies: model + ["Workloads", "CReference", "Timing"], path: "Ratios"),
    .executableTarget(
      name: "counts",
      dependencies: model + [
        "Workloads", "CReference",
        .product(name: "Apps", package: "shadowbox"),
        .product(name: "Evaluation", package: "shadowbox"),
      ], path: "Counts"),
    .executableTarget(
      name: "parse",
      dependencies: [
        .product(name: "TraceModel", package: "shadowbox"),
        .product(name: "TraceFormats", package: "shadowbox"),
      ], path: "Parse"),
    .executableTarget(
      name: "sweeps",
      dependencies: model + [
        "Workloads", "Timing",
        .product(name: "Scoring", package: "shadowbox"),
        .product(name: "Tuning", package: "shadowbox"),
        .product(name: "TraceFormats", package: "shadowbox"),
      ], path: "Sweep", exclude: ["compare.py"]),
    .executableTarget(
      name: "DetectorBenchmarks",
      dependencies: model + ["Workloads", benchmark],
      path: "Benchmarks/DetectorBenchmarks",
      plugins: [benchmarkPlugin]),
  ],
  swiftLanguageModes: [.v6]
)
