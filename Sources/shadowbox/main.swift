import Harness

await Harness.main()
