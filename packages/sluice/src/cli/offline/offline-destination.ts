import { readFile } from 'node:fs/promises'
import { builtInDestinations, createDestinationRegistry, parseSettings } from '@sluice/destinations'
import type { OfflineDestination } from '@sluice/testing'
import { loadDestinations } from '../../workspace/load-destinations.ts'
import { CliError } from '../cli-error.ts'
import type { DestinationFlags } from '../flags/destination-flags.ts'

/** Returns the destination in the flags of an offline command, if any. @throws CliError with the allowed values. */
export async function offlineDestination(flags: DestinationFlags): Promise<OfflineDestination | undefined> {
  const { destination: type } = flags
  if (type === undefined) return undefined
  const { destinations, problems } = await loadDestinations(flags.destinationPackage, process.cwd(), '')
  const [problem] = problems
  if (problem) throw new CliError(`--destination-package: got ${problem.value}; allowed: ${problem.allowed}`)
  const registry = createDestinationRegistry([...builtInDestinations, ...destinations])
  const definition = registry.get(type)
  if (definition === undefined) {
    const types = registry.list().map((each) => each.type)
    throw new CliError(`--destination ${type}: unknown type; known types: ${types.join(', ')}`)
  }
  const parsed = parseSettings(definition, parseJson(await settingsText(flags.settings ?? '{}')))
  if (parsed.ok) return { definition, settings: parsed.settings }
  const lines = parsed.problems.map(({ path, value, allowed }) => `  ${path}: got ${value}; allowed: ${allowed}`)
  throw new CliError(`--settings do not fit ${definition.type}:\n${lines.join('\n')}`)
}

/** Returns the settings, from a file after `@`, which keeps secrets out of process lists and the shell history. */
async function settingsText(given: string): Promise<string> {
  if (!given.startsWith('@')) return given
  return readFile(given.slice(1), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`--settings ${given}: the file cannot be read (${error.code})`)
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CliError('--settings is not JSON; for example --settings \'{"webhookUrl":"https://hook.test/in"}\'')
  }
}
