@preconcurrency internal import GRDB

struct Placeholder {
  let queue: DatabaseQueue
}
