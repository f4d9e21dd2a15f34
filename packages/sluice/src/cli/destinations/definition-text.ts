import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import type { PublicAction, PublicDefinition, PublicPreset } from '@sluice/destinations'
import { gateNames } from '@sluice/destinations/kit'
import type { DestinationKind } from './destination-kind.ts'
import { schemaRows } from './schema-rows.ts'

interface ShownDefinition extends PublicDefinition {
  readonly kind: DestinationKind
  /** Package and version, for definitions of a family. */
  readonly origin?: string
}

/** Longest description and default that are shown, in characters. `--json` has the whole texts. */
const descriptionCharsMax = 140
const notesCharsMax = 60

/** Returns a definition as text for a terminal. */
export function definitionText(definition: ShownDefinition): string {
  const { type, displayName, settings, secretKeys, actions, presets = [] } = definition
  const automatic = presets.filter(({ isAutomatic }) => isAutomatic)
  const rows = rowsOf(settings, secretKeys)
  const isGate = ([name = '']: readonly string[]): boolean => gateNames.includes(name.split(/[.[]/)[0] ?? name)
  const [own, gates] = [rows.filter((row) => !isGate(row)), rows.filter(isGate)]
  const sections = [
    [`${type}  ${printable(displayName)}`, ...facts(definition).map((fact) => `  ${fact}`)],
    ['Settings', indented(own)],
    ...(gates.length > 0 ? [['Consent and event lists, as every type has them', indented(gates)]] : []),
    ...(actions ? [[automaticTitle(automatic), indented(automatic.map(presetCells))]] : []),
    ...(actions ?? []).map((action) => [actionTitle(action), ...actionFacts(action), indented(rowsOf(action.fields))]),
  ]
  return sections.map((lines) => lines.filter((line) => line !== '').join('\n')).join('\n\n')
}

function facts(definition: ShownDefinition): readonly string[] {
  const { kind, origin, deletesUsers, batches, checksCredentials, hasOwnNetwork } = definition
  return [
    `kind: ${kind}${origin === undefined ? '' : `, from ${origin}`}`,
    `message types: ${definition.supportedMessageTypes.join(', ') || 'none, it only deletes users'}`,
    `deletes users: ${deletesUsers ? 'yes' : 'no'}`,
    `sends events together: ${batches ? 'yes' : 'no'}`,
    `checks credentials: ${checksCredentials ? 'yes' : 'no'}`,
    ...(hasOwnNetwork
      ? ['own network: yes; checks of addresses, time limits and records do not apply to its connections']
      : []),
  ]
}

function automaticTitle(presets: readonly PublicPreset[]): string {
  return presets.length > 0
    ? 'Presets that apply without the setting subscriptions'
    : 'No presets apply by themselves: the setting subscriptions is required'
}

const presetCells = ({ name, action, subscribe }: PublicPreset): readonly string[] => [
  printable(name),
  `action ${action}`,
  printable(subscribe),
]

function actionTitle({ name, title, batches }: PublicAction): string {
  return `Action ${name}: ${printable(title)}${batches ? ' (can send events together)' : ''}`
}

function actionFacts({ description, defaultSubscription }: PublicAction): readonly string[] {
  return [
    ...(description === '' ? [] : [`  ${short(description)}`]),
    ...(defaultSubscription === undefined ? [] : [`  default condition: ${printable(defaultSubscription)}`]),
  ]
}

function rowsOf(schema: PublicDefinition['settings'], secrets: readonly string[] = []): readonly (readonly string[])[] {
  return schemaRows(schema, secrets).map(({ name, type, notes, description }) => [
    name,
    printable(type),
    short(notes, notesCharsMax),
    short(description),
  ])
}

function indented(rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  return table(rows, Number.POSITIVE_INFINITY).replaceAll(/^/gm, '  ')
}

function short(text: string, charsMax = descriptionCharsMax): string {
  const line = printable(text.replaceAll(/\s+/g, ' ').trim())
  return line.length > charsMax ? `${line.slice(0, charsMax)}…` : line
}
