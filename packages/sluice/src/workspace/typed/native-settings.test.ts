import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { gateNames, publicDefinition } from '@sluice/destinations'
import { expect, it } from 'vitest'
import { nativeDestinations } from '../known-destinations.ts'

// The types of settings are written here from their schemas, by `pnpm products`: plain interfaces are checked in a
// fraction of the time that types of schemas take, and editors show their comments.

/** Characters of a line that need no break. */
const columnsMax = 120

const described = nativeDestinations().map(publicDefinition)
const header = `// biome-ignore-all format: generated
// Written by \`pnpm products\` from the settings of all destinations; change these and run it.

import type { JsonValue } from '@sluice/core'
import type { FromEvent } from './from-event.ts'
`

it('the types of settings are up to date; run pnpm products to write them', async () => {
  const [first] = described
  const names = described.map(({ displayName }) => nameOf(displayName))
  expect(new Set(names).size, 'two destinations have the same display name').toBe(names.length)
  const blocks = [
    header,
    interfaceOf('GateSettings', 'Settings of every destination type: which events it may get. No event decides them.', {
      ...first?.settings,
      properties: Object.fromEntries(Object.entries(membersOf(first?.settings)).filter(([name]) => isGate(name))),
    })
      .replaceAll(' | FromEvent', '')
      .replace('interface', 'export interface'),
    ...described.map(({ displayName, type, settings, secretKeys }) =>
      interfaceOf(
        `${nameOf(displayName)} extends GateSettings`,
        `Settings of ${displayName}, \`${type}\`.`,
        {
          ...settings,
          properties: Object.fromEntries(Object.entries(membersOf(settings)).filter(([name]) => !isGate(name))),
        },
        secretKeys,
      ),
    ),
    [
      '/** Settings of the types that need no package of their own, by the name of the type. */',
      'export interface NativeSettings {',
      ...described.map(({ displayName, type }) => `  readonly ${type}: ${nameOf(displayName)}`),
      '}\n',
    ].join('\n'),
  ]
  await expect(blocks.join('\n')).toMatchFileSnapshot('native-settings.ts')
})

function isGate(name: string): boolean {
  return gateNames.includes(name)
}

/** `Customer.io` → `CustomerIoSettings` */
function nameOf(displayName: string): string {
  const words = displayName.match(/[A-Za-z0-9]+/g) ?? []
  return `${words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('')}Settings`
}

function interfaceOf(head: string, words: string, schema: JsonObject, secrets: readonly string[] = []): string {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const members = Object.entries(membersOf(schema)).flatMap(([name, member]) => {
    const node = objectOf(member)
    const isRequired = required.includes(name) && node['default'] === undefined
    return [
      ...comment(commentOf(node, secrets.includes(name))),
      `  readonly ${memberName(name)}${isRequired ? '' : '?'}: ${typeOf(node)}`,
    ]
  })
  return [`/** ${words} */`, `interface ${head} {`, ...members, '}\n'].join('\n')
}

function commentOf(node: JsonObject, isSecret: boolean): string {
  const { description, allowed, default: fallback } = node
  const isBounded = ['minimum', 'maximum', 'pattern', 'maxItems'].some((word) => word in node)
  return [
    description,
    isSecret ? 'Secret.' : undefined,
    isBounded && allowed !== undefined ? `Allowed: ${String(allowed)}.` : undefined,
    fallback === undefined || isEmptyList(fallback) ? undefined : `Default: \`${JSON.stringify(fallback)}\`.`,
  ]
    .filter((part) => part !== undefined)
    .join(' ')
    .replaceAll('*/', '*\\/')
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0
}

function comment(text: string): readonly string[] {
  const whole = `  /** ${text} */`
  if (text === '') return []
  if (whole.length <= columnsMax) return [whole]
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && `   * ${last} ${word}`.length > columnsMax) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return ['  /**', ...lines.map((line) => `   * ${line}`), '   */']
}

/** Returns the type of a setting. Numbers, switches and choices that are not fixed may be decided by each event. */
function typeOf(node: JsonObject): string {
  const own = ownTypeOf(node)
  const isFixed = node['isFixed'] === true || /[[{]|JsonValue|\bstring\b/.test(own)
  return isFixed ? own : `${own} | FromEvent`
}

function ownTypeOf(node: JsonObject): string {
  const { enum: choices, anyOf, type } = node
  if (Array.isArray(choices)) return choices.map(literal).join(' | ')
  if (Array.isArray(anyOf)) return unique(anyOf.map((each) => ownTypeOf(objectOf(each))))
  if (type === undefined) return 'JsonValue'
  return unique([type].flat().map((each) => typeNamed(String(each), node)))
}

function typeNamed(type: string, node: JsonObject): string {
  if (type === 'array') return `readonly ${grouped(typeOf(objectOf(node['items'])))}[]`
  if (type === 'integer') return 'number'
  if (type !== 'object') return type
  const { properties, required, additionalProperties: further } = node
  if (properties === undefined)
    return `{ readonly [name: string]: ${isJsonObject(further) ? furtherTypeOf(further, node) : 'JsonValue'} }`
  const needed = Array.isArray(required) ? required : []
  const members = Object.entries(objectOf(properties)).map(([name, member]) => {
    const isRequired = needed.includes(name) && objectOf(member)['default'] === undefined
    return `readonly ${memberName(name)}${isRequired ? '' : '?'}: ${typeOf(objectOf(member))}`
  })
  return `{ ${members.join('; ')} }`
}

/** A list for each kind of source has the same elements as one for all. */
function furtherTypeOf(further: JsonObject, { items }: JsonObject): string {
  const isSameList = further['type'] === 'array' && further['items'] === undefined && items !== undefined
  return ownTypeOf(isSameList ? { ...further, items } : further)
}

function unique(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

function grouped(type: string): string {
  return type.includes(' | ') ? `(${type})` : type
}

function literal(value: JsonValue): string {
  return typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : JSON.stringify(value)
}

function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

function membersOf(schema: JsonObject | undefined): JsonObject {
  return objectOf(schema?.['properties'])
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
