import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { createSchemaCheck } from '#schema-check'
import type { DestinationDefinition } from '../define/define-destination.ts'
import { gateProblems } from '../event-filter/unreadable-gate.ts'
import { withoutGates } from '../event-filter/with-gates.ts'
import { isSettingTemplate } from './resolve-settings.ts'
import type { CheckSettings, SchemaProblem } from './schema-problem.ts'
import { exceededSettingsLimit } from './settings-limits.ts'
import type { SettingsProblem } from './settings-problem.ts'

export type ParsedSettings =
  | { readonly ok: true; readonly settings: JsonObject }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] }

const problemsMax = 50 // problems; more than a user corrects at once
const shownLengthMax = 200 // characters of an invalid value that are shown

/**
 * Parses the settings that a user wrote. Fills in defaults, takes digits for the number that a setting wants, and keeps members that the schema does not declare, because
 * users import settings from elsewhere. Otherwise reports all problems, one per path, at most 50. Settings that are too
 * large or too deep are not checked further: see `exceededSettingsLimit`.
 *
 * Does not change the input. The schema is compiled at the first call for a definition.
 */
export function parseSettings(definition: DestinationDefinition, input: unknown): ParsedSettings {
  const excess = exceededSettingsLimit(definition, input)
  if (excess) return { ok: false, problems: [excess] }
  let settings: unknown
  try {
    settings = structuredClone(input)
  } catch {
    return { ok: false, problems: [{ path: '', value: undefined, allowed: 'an object of plain JSON values' }] }
  }
  if (isJsonObject(settings)) settings = withNumbers(definition, settings)
  // Templates can be checked only when they are resolved for an event.
  const found = checkFor(definition)(settings)
  const errors = [...found, ...(isJsonObject(settings) ? gateProblems(settings) : [])].filter(
    ({ data, schema }) => (isJsonObject(schema) && schema['isFixed'] === true) || !isSettingTemplate(data),
  )
  if (errors.length === 0 && isJsonObject(settings)) {
    const others = definition.checkSettings?.(settings) ?? []
    if (others.length === 0) return { ok: true, settings }
    return {
      ok: false,
      problems: others.slice(0, problemsMax).map((each) => hidden(each, settings, definition.secrets)),
    }
  }
  const problems = new Map<string, SettingsProblem>()
  for (const error of errors) {
    const problem = toProblem(error, definition.secrets)
    if (!problems.has(problem.path) && problems.size < problemsMax) problems.set(problem.path, problem)
  }
  return { ok: false, problems: [...problems.values()] }
}

/** Returns settings with a number where a client wrote a whole number as text, such as a port. */
function withNumbers({ settings: { properties } }: DestinationDefinition, settings: JsonObject): JsonObject {
  const isNumber = (name: string): boolean => {
    const schema: unknown = Object.hasOwn(properties, name) ? properties[name] : undefined
    return isJsonObject(schema) && schema['type'] === 'integer'
  }
  const numbers = Object.entries(settings).flatMap(([name, value]): [string, JsonValue][] =>
    typeof value === 'string' && /^\d{1,15}$/.test(value) && isNumber(name) ? [[name, Number(value)]] : [],
  )
  return numbers.length === 0 ? settings : { ...settings, ...Object.fromEntries(numbers) }
}

const checks = new WeakMap<object, CheckSettings>()

function checkFor(definition: DestinationDefinition): CheckSettings {
  let check = checks.get(definition)
  if (!check) {
    check = createSchemaCheck(withoutGates(definition.settings))
    checks.set(definition, check)
  }
  return check
}

function toProblem(problem: SchemaProblem, secrets: readonly string[]): SettingsProblem {
  const { keyword, at, schema, data, missing, message } = problem
  if (missing !== undefined) {
    const member =
      isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'][missing] : undefined
    return { path: pathText([...at, missing]), value: undefined, allowed: describe(member) ?? 'a value' }
  }
  return {
    path: pathText(at),
    value: mayHoldSecret(at, secrets) ? '(hidden)' : shown(data),
    allowed: (keyword === 'isFixed' ? describeFixed : describe)(schema) ?? message ?? keyword,
  }
}

/** A check of a type shows no secret; one that is there must not look as if it were absent. */
function hidden(problem: SettingsProblem, settings: JsonObject, secrets: readonly string[]): SettingsProblem {
  const isGiven = secrets.includes(problem.path) && (settings[problem.path] ?? '') !== ''
  return isGiven ? { ...problem, value: '(hidden)' } : problem
}

function pathText(keys: readonly string[]): string {
  return keys.reduce((path, key) => (/^\d+$/.test(key) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`), '')
}

/**
 * Returns whether a path may contain a secret. Also true for the places above a secret: a user may write a header as a
 * string in place of the list of headers.
 */
function mayHoldSecret(keys: readonly string[], secrets: readonly string[]): boolean {
  const path = keys.filter((key) => !/^\d+$/.test(key)).map((key) => `${key}.`)
  return secrets.some((secret) => `${secret}.`.startsWith(path.join('')) || path.join('').startsWith(`${secret}.`))
}

function shown(value: unknown): JsonValue | undefined {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'string') return Array.isArray(value) ? 'a list' : 'an object'
  // Shows only the part of an address that cannot contain a password or token.
  const text = value.replace(
    /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?([^/?#]*)([/?#].*)?$/is,
    (_, scheme, host, rest) => `${scheme}${host}${rest ? '/…' : ''}`,
  )
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text
}

function describe(schema: unknown): string | undefined {
  if (!isJsonObject(schema)) return undefined
  if (typeof schema['allowed'] === 'string') return schema['allowed']
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`
  const type = schema['type']
  return typeof type === 'string' ? typeNames[type] : undefined
}

/** The type alone would not say what is wrong: a template is a string. */
function describeFixed(schema: unknown): string | undefined {
  const described = describe(schema)
  if (described === undefined || (isJsonObject(schema) && schema['allowed'] !== undefined)) return described
  return `${described} without {{ … || … }}: events cannot decide this setting`
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}
