import Digests
import Evaluation
import Pacing
import TraceFormats

/// Reads native traces, each in a process of its own, with the digest of its file.
struct NativeTraceLoader: TraceLoader {
  func load(_ path: String) throws -> LoadedTrace {
    try SteadyFile.reading(path) {
      // The trace is read by another process meanwhile: of one large recording the digest would
      // take a quarter of the time.
      let digest = WorkerThread { try FileDigest.sha256(of: path) }
      digest.start()
      let trace = Result { try NativeFile.read(path) }
      let hash = Result { try digest.wait() }
      return LoadedTrace(name: path, trace: try trace.get(), sha256: try hash.get())
    }
  }
}
