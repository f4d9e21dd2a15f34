import { Command, InvalidArgumentError, Option } from 'commander'
import type { BenchFlags } from './bench/run-bench.ts'
import { withSandboxFlags } from './sandbox-flags.ts'
import { wholeNumber } from './whole-number.ts'

/** `sluice bench`: how fast a transformation is over events of one's own, and what to set. */
export function benchCommand(): Command {
  const command = new Command('bench')
    .description('measure a transformation, or a whole workspace, over events; say what to set and what to look at')
    .argument('[code]', 'file of the transformation; libraries of its project are there')
    .requiredOption('--events <file.ndjson>', 'events, one JSON object a line')
    .option('--workspace <file>', 'measure the whole flow of a workspace file instead, up to sending')
    .option('--compare <other>', 'another transformation, measured in turns with the first')
    .addOption(
      new Option('--batches <sizes>', 'events at a time, each size is measured')
        .argParser(numbers)
        .default([1, 10, 50, 200], '1,10,50,200'),
    )
    .option('--time <ms>', 'how long each cell is measured', wholeNumber, 400)
    .option('--html <file>', 'write a report with plots, which opens offline')
    .option('--json', 'print the report as one JSON value')
  return withSandboxFlags(command)
    .addHelpText(
      'after',
      `
Every isolation is measured, with one thread and with one less than there are cores; --isolation and --workers choose.
Cells are measured twice, the better one counts. Leave the machine alone meanwhile. The recommendation is the cell that
asks least (strictest isolation, fewest threads, smallest batch) of those within 10 % of the fastest.

Examples:
  sluice bench transformations/orders.ts --events events/orders.ndjson
  sluice bench transformations/orders.ts --events events/orders.ndjson --html report.html
  sluice bench old.ts --compare new.ts --events events/orders.ndjson
  sluice bench --workspace workspace.yaml --events events/orders.ndjson`,
    )
    .action(async (code: string | undefined, flags: BenchFlags) =>
      (await import('./bench/run-bench.ts')).runBench(code, flags),
    )
}

/** Production gives 200 at most; a batch must be held in memory some times. */
const batchMax = 10_000

function numbers(value: string): readonly number[] {
  try {
    const sizes = value.split(',').map(wholeNumber)
    if (Math.max(...sizes) <= batchMax) return sizes
  } catch {
    // Told below.
  }
  throw new InvalidArgumentError(`whole numbers from 1 to ${batchMax} with commas between, such as 1,50`)
}
