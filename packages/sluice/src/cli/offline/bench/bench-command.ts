import { Command, InvalidArgumentError, Option } from 'commander'
import { withSandboxFlags } from '../../flags/sandbox-flags.ts'
import { wholeNumber } from '../../flags/whole-number.ts'
import type { BenchFlags } from './bench-flags.ts'

/** `sluice bench`: measures a transformation with the user's own events, and recommends settings. */
export function benchCommand(): Command {
  const command = new Command('bench')
    .description('measure a transformation or a whole workspace with your events, and recommend settings')
    .argument('[code]', 'file of the transformation; it can import the libraries of its project')
    .requiredOption('--events <file.ndjson>', 'events, one JSON object per line')
    .option('--workspace <file>', 'measure the whole flow of a workspace file instead, without sending')
    .option('--compare <other>', 'another transformation, measured alternately with the first')
    .addOption(
      new Option('--batches <sizes>', 'batch sizes to measure')
        .argParser(numbers)
        .default([1, 10, 50, 200], '1,10,50,200'),
    )
    .option('--time <ms>', 'time to measure each combination', wholeNumber, 400)
    .option('--html <file>', 'write a report with plots, which works offline')
    .option('--json', 'print the report as one JSON value')
  return withSandboxFlags(command)
    .addHelpText(
      'after',
      `
Measures every isolation level, with one thread and with one less than there are cores; --isolation and --workers restrict
this. Each combination is measured twice and the better result counts. Do not use the machine meanwhile. Among the results
within 10 % of the fastest, the recommendation has the strictest isolation, the fewest threads and the smallest batch.

Examples:
  sluice bench transformations/orders.ts --events events/orders.ndjson
  sluice bench transformations/orders.ts --events events/orders.ndjson --html report.html
  sluice bench old.ts --compare new.ts --events events/orders.ndjson
  sluice bench --workspace workspace.yaml --events events/orders.ndjson`,
    )
    .action(async (code: string | undefined, flags: BenchFlags) =>
      (await import('./run-bench.ts')).runBench(code, flags),
    )
}

/** Largest batch size; production uses up to 200. A batch is held in memory several times. */
const batchMax = 10_000

function numbers(value: string): readonly number[] {
  try {
    const sizes = value.split(',').map(wholeNumber)
    if (Math.max(...sizes) <= batchMax) return sizes
  } catch {
    // Reported below.
  }
  throw new InvalidArgumentError(`expected whole numbers from 1 to ${batchMax} separated by commas, such as 1,50`)
}
