import type { DestinationSource } from '@sluice/destinations'
import { loadDestinations } from '../workspace/load-destinations.ts'
import { CliError } from './cli-error.ts'

/**
 * Loads the destination types of `--destination-package`, relative to the current folder.
 * @throws CliError when a module cannot be loaded, or exports something else.
 */
export async function packagedDestinations(modules: readonly string[]): Promise<readonly DestinationSource[]> {
  const { destinations, problems } = await loadDestinations(modules, process.cwd(), '')
  const [problem] = problems
  if (problem) throw new CliError(`--destination-package: got ${problem.value}; allowed: ${problem.allowed}`)
  return destinations
}
