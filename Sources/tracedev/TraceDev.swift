// The developers' tool: generators with a check mode, sweeps and measurements. Not a product.

import ArgumentParser

@main
struct TraceDev: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracedev",
    abstract: "Generates what can be derived, and runs sweeps too long for unit tests.",
    subcommands: [
      Bench.self, Damage.self, Decode.self, Encode.self, Forms.self, Generate.self,
      References.self, Sweep.self, Workload.self, Examples.self, FuzzImport.self, Mutate.self,
      Properties.self, Fuzz.self, RecorderRuns.self, Simulations.self, Statistics.self,
    ])
}
