import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import type { PublicDefinition } from '@sluice/destinations'
import { printLine } from '../terminal/print-line.ts'
import type { DestinationKind } from './destination-kind.ts'
import { kindOfType } from './kind-of-type.ts'
import { knownTypes, type TypeFlags } from './known-types.ts'

export interface ListFlags extends TypeFlags {
  readonly kind?: DestinationKind
}

interface ListedType {
  readonly type: string
  readonly kind: DestinationKind
  readonly displayName: string
  /** Number of actions; absent for types without actions. */
  readonly actions?: number
  /** Number of presets that apply without settings. */
  readonly presets?: number
  readonly deletesUsers: boolean
  readonly batches: boolean
  readonly checksCredentials: boolean
  readonly hasOwnNetwork: boolean
}

/** Runs `sluice destination-types list`. */
export async function listTypes(words: readonly string[], flags: ListFlags): Promise<void> {
  const registry = await knownTypes(flags)
  const all = (await registry.describe()).map((definition) => listed(definition, kindOfType(definition.type, registry)))
  const chosen = all.filter(
    ({ type, displayName, kind }) =>
      (flags.kind === undefined || flags.kind === kind) &&
      words.every((word) => `${type} ${displayName}`.toLowerCase().includes(word.toLowerCase())),
  )
  if (flags.json) return printLine(JSON.stringify(chosen, null, 2))
  const rows = chosen.map(({ type, kind, displayName, actions, presets, deletesUsers, batches }) => [
    type,
    kind,
    printable(displayName),
    deletesUsers ? 'yes' : '',
    batches ? 'yes' : '',
    actions === undefined ? '' : String(actions),
    presets === undefined ? '' : String(presets),
  ])
  const head = ['type', 'kind', 'name', 'deletes users', 'batches', 'actions', 'presets']
  if (rows.length > 0) printLine(table([head, ...rows], 5))
  process.stderr.write(`${chosen.length} of ${all.length} types\n`)
}

function listed(definition: PublicDefinition, kind: DestinationKind): ListedType {
  const { type, displayName, actions, presets, deletesUsers, batches, checksCredentials, hasOwnNetwork } = definition
  return {
    type,
    kind,
    displayName,
    actions: actions?.length,
    presets: presets?.filter(({ isAutomatic }) => isAutomatic).length,
    deletesUsers,
    batches,
    checksCredentials,
    hasOwnNetwork,
  }
}
