import { readFile } from 'node:fs/promises'
import { parseSettings } from '@sluice/destinations/kit'
import type { OfflineDestination } from '@sluice/testing'
import { registryWith } from '../../workspace/known-destinations.ts'
import { CliError } from '../cli-error.ts'
import type { DestinationFlags } from '../flags/destination-flags.ts'
import { packagedDestinations } from '../packaged-destinations.ts'

/** Returns a destination type with the settings of the flags. @throws CliError with the allowed values. */
export async function openDestination(type: string, flags: DestinationFlags): Promise<OfflineDestination> {
  // A command of the user may connect to where the user may.
  const registry = registryWith(await packagedDestinations(flags.destinationPackage), {
    allowAddresses: ['0.0.0.0/0', '::/0'],
  })
  const definition = registry.get(type)
  if (definition === undefined) {
    throw new CliError(`--destination ${type}: unknown type; allowed: ${registry.allowedInsteadOf(type)}`)
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
