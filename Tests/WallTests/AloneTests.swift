#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The pure targets build alone, in a package without any dependency, and what comes out needs
  /// nothing but Swift's standard library and the C library. The quick run asks the same of what this
  /// package's build has made of them.
  @Suite(.timeLimit(.minutes(60))) struct AloneTests {
    @Test(arguments: Wall.arrows.keys.sorted())
    func theObjectsOfAPureTargetNeedNothing(target: String) throws {
      let symbols = try BuiltObjects(of: target).symbols()
      #expect(symbols.count > 100)
      #expect(symbols.filter(Binary.isForbidden) == [])
    }

    @Test(.longer, .longRun) func pureTargetsBuildAloneAndNeedNothing() throws {
      let package = try AlonePackage()
      let library = try package.build()
      let binary = try Binary(library)
      #expect(binary.libraries.subtracting(Binary.allowedLibraries) == [])
      #expect(binary.forbiddenSymbols == [])
    }

    /// The same questions to this very process, which has Foundation in it.
    @Test func questionsFindWhatTheyAreFor() throws {
      let binary = try Binary(URL(filePath: "/proc/self/exe").resolvingSymlinksInPath())
      let foreign = binary.libraries.subtracting(Binary.allowedLibraries)
      #expect(foreign.contains { $0.contains("Foundation") })
      #expect(binary.forbiddenSymbols.contains { $0.hasPrefix("$s10Foundation") })
    }
  }

  /// What the compiler has made of a target's sources for the tests: it lies beside the test bundle.
  private struct BuiltObjects {
    let folder: URL
    let names: [String]

    init(of target: String) throws {
      folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "\(target).build")
      names = try Repository.sources(of: target).map {
        URL(filePath: $0.path).lastPathComponent + ".o"
      }
    }

    /// The symbols that they name and do not have.
    func symbols() throws -> [String] {
      let table = try run(["nm", "--undefined-only"] + names, in: folder)
      try #require(table.status == 0, "\(table.output)")
      return table.output.split(separator: "\n").compactMap { line in
        line.contains(" U ") ? line.split(separator: " ").last.map(String.init) : nil
      }
    }
  }

  /// A package of the pure targets alone. It stays in `.build`, so that a second run of the tests
  /// builds only what has changed.
  private struct AlonePackage {
    let folder = Repository.root.appending(path: ".build/wall")
    let targets: [String]

    init() throws {
      targets = try Wall.arrows.keys.sorted().filter { try !Repository.sources(of: $0).isEmpty }
      try? FileManager.default.removeItem(at: folder.appending(path: "Sources"))
      for target in targets { try link(target) }
      try write(manifest, to: "Package.swift")
    }

    private func link(_ target: String) throws {
      let sources = folder.appending(path: "Sources")
      try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        at: sources.appending(path: target),
        withDestinationURL: Repository.root.appending(path: "Sources/" + target))
    }

    /// Leaves an unchanged file alone: a new date would rebuild everything.
    private func write(_ text: String, to name: String) throws {
      let file = folder.appending(path: name)
      if let old = try? String(contentsOf: file, encoding: .utf8), old == text { return }
      try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private var manifest: String {
      let declarations = targets.map { target in
        let imports = (Wall.arrows[target] ?? []).sorted().filter(targets.contains)
        return
          "    .target(name: \"\(target)\", dependencies: \(imports), swiftSettings: settings),"
      }
      return """
        // swift-tools-version: 6.2
        import PackageDescription
        let settings: [SwiftSetting] = [
          .enableUpcomingFeature("ExistentialAny"),
          .enableUpcomingFeature("InternalImportsByDefault"),
          .enableUpcomingFeature("MemberImportVisibility"),
          .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
        let package = Package(
          name: "pure",
          products: [.library(name: "Pure", type: .dynamic, targets: \(targets))],
          targets: [
        \(declarations.joined(separator: "\n"))
          ],
          swiftLanguageModes: [.v6]
        )

        """
    }

    /// Builds all targets into one dynamic library, in which every symbol that they need is listed.
    func build() throws -> URL {
      let result = try run(["swift", "build", "--product", "Pure"], in: folder)
      try #require(result.status == 0, "\(result.output)")
      return folder.appending(path: ".build/debug/libPure.so")
    }
  }

  /// What a linked file needs from outside.
  private struct Binary {
    /// The libraries that it names.
    var libraries: Set<String> = []
    /// The symbols that it names and does not have.
    var symbols: [String] = []

    init(_ file: URL) throws {
      let folder = file.deletingLastPathComponent()
      let dynamic = try run(["readelf", "--dynamic", "--wide", file.path], in: folder)
      try #require(dynamic.status == 0, "\(dynamic.output)")
      for line in dynamic.output.split(separator: "\n") where line.contains("(NEEDED)") {
        let name = try #require(line.split(separator: "[").last)
        libraries.insert(String(name.dropLast()))
      }
      let table = try run(["nm", "--dynamic", "--undefined-only", file.path], in: folder)
      try #require(table.status == 0, "\(table.output)")
      symbols = table.output.split(separator: "\n").compactMap { line in
        line.split(separator: " ").last.map { String($0.prefix { $0 != "@" }) }
      }
    }

    static let allowedLibraries: Set<String> = [
      "libswiftCore.so", "libswift_Concurrency.so", "libswift_StringProcessing.so",
      "libswift_RegexParser.so", "libswiftGlibc.so", "libswiftSwiftOnoneSupport.so", "libc.so.6",
      "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2",
      "ld-linux-aarch64.so.1",
    ]

    var forbiddenSymbols: [String] { symbols.filter(Self.isForbidden) }

    /// Swift's symbols are recognised by their prefix. Of Swift's, some are forbidden; of C's, all
    /// but what the compiler itself puts in. Of those of numbers, each is exact on every machine.
    static func isForbidden(_ symbol: String) -> Bool {
      if symbol.hasPrefix("$s") { return forbiddenSwift.contains { symbol.hasPrefix($0) } }
      if symbol.hasPrefix("swift_") || symbol.hasPrefix("_swift_") { return false }
      return !allowedC.contains(symbol)
    }

    /// Mangled: modules (10Foundation, 8Dispatch) and names of the standard library.
    static let forbiddenSwift = [
      "$s10Foundation", "$s20FoundationEssentials", "$s8Dispatch", "$ss5print", "$ss10debugPrint",
      "$ss4dump", "$ss8readLine", "$ss27SystemRandomNumberGenerator", "$ss15ContinuousClock",
      "$ss15SuspendingClock", "$ss11CommandLine",
    ]

    static let allowedC: Set<String> = [
      // Rounding, remainder and square root.
      "sqrt", "sqrtf", "floor", "ceil", "round", "trunc", "rint", "floorf", "ceilf", "roundf",
      "truncf", "rintf", "fmod", "fmodf", "remainder", "remainderf", "fma", "fmaf", "nearbyint",
      "nearbyintf",
      // Put in by the compiler and the linker.
      "memcpy", "memmove", "memset", "memcmp", "bzero", "strlen", "malloc", "free",
      "__stack_chk_fail", "__cxa_finalize", "__gmon_start__", "__tls_get_addr",
      "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable",
    ]
  }
#endif
