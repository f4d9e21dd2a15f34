import { publicDefinition } from '@sluice/destinations/kit'
import { CliError } from '../cli-error.ts'
import { printLine } from '../terminal/print-line.ts'
import { definitionText } from './definition-text.ts'
import { kindOfType } from './kind-of-type.ts'
import { knownTypes, type TypeFlags } from './known-types.ts'

/** Runs `sluice destination-types show`. Loads only the wanted definition. */
export async function showType(type: string, flags: TypeFlags): Promise<void> {
  const registry = await knownTypes(flags)
  const definition = registry.get(type)
  if (definition === undefined)
    throw new CliError(`${type}: unknown destination type; allowed: ${registry.allowedInsteadOf(type)}`)
  const origin = registry.familyOf(definition.type)?.origin
  const shown = {
    kind: kindOfType(definition.type, registry),
    origin,
    ...publicDefinition(definition),
  }
  printLine(flags.json ? JSON.stringify(shown, null, 2) : definitionText(shown))
}
