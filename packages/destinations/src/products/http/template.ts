import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { configurationError, instrumentationError, type MappingError } from '../../kit/index.ts'
import { type Found, findAll, foundMax, type PathStep, parseJsonPath } from './json-path.ts'

/** One entry of a mapping in the settings: source and target. */
interface MappingEntry {
  readonly from?: string
  readonly to?: string
}

/** Reads the values of an entry from an event. */
export type Reader = (event: JsonObject) => readonly Found[]

/** Builds an object from an event; returns an error if it becomes too large. */
export type Template = (event: JsonObject) => JsonObject | MappingError

interface TemplateOptions {
  /** Replaces `from` in errors, if it may be a secret. */
  readonly hiddenAs?: string
  /** Reads constants as text: `2` is the text 2, not the number. Default false. */
  readonly hasTextConstants?: boolean
}

/**
 * Largest number of elements in lists that `to` addresses by index, including empty elements: `[999]` alone creates a
 * thousand.
 */
const elementsMax = 10_000

type Target = Record<string, JsonValue | undefined>

/**
 * Creates a function that builds an object from the entries of the settings.
 *
 * `from` is a path into the event (`$.traits.email`), text in quotes (`'gold'`), a number, true, false, or plain words;
 * `||` adds a fallback. `to` is a path (`$.user.name`) or the name of a member. Elements found by `[*]` go to the `[*]`
 * of `to` one by one, or become a list if `to` has none.
 *
 * Anything else is refused: settings are data, and are never run as code.
 *
 * @param options see `TemplateOptions`.
 */
export function createTemplate(
  entries: readonly MappingEntry[],
  options: TemplateOptions = {},
): MappingError | Template {
  let elements = 0
  const lines: { readonly read: Reader; readonly to: readonly PathStep[] }[] = []
  for (const { from = '', to = '' } of entries) {
    // Such an entry is empty in the settings, or is a withheld secret.
    if (from.trim() === '' && (options.hiddenAs !== undefined || to.trim() === '')) continue
    const read = parseReader(from, options)
    if (typeof read !== 'function') return read
    const steps = parseTarget(to.trim())
    if (!steps) return configurationError(`Error in custom mappings: '${to}' is not a valid target`)
    lines.push({ read, to: steps })
    elements += steps.reduce((sum, step) => sum + (typeof step === 'object' && 'index' in step ? step.index + 1 : 0), 0)
    if (elements > elementsMax)
      return configurationError(
        `Error in custom mappings: the lists they write to have more than ${elementsMax} elements`,
      )
  }
  return (event) => {
    const target: Target = {}
    const made: Made = new WeakSet()
    let values = 0
    for (const { read, to } of lines) {
      const found = read(event)
      values += found.length
      if (values > foundMax)
        return instrumentationError(`Error in custom mappings: they find more than ${foundMax} values in the event`)
      write(target, to, found, made)
    }
    return target
  }
}

/** Parses the `from` of an entry. */
export function parseReader(
  from: string,
  { hiddenAs, hasTextConstants = false }: TemplateOptions = {},
): MappingError | Reader {
  const readers: Reader[] = []
  for (const part of from.split('||').map((each) => each.trim())) {
    const reader = parseTerm(part, hasTextConstants)
    if (!reader) {
      const shown = hiddenAs ?? `'${part}'`
      return configurationError(`Error in custom mappings: ${shown} is neither a path ($.…) nor a string in quotes`)
    }
    readers.push(reader)
  }
  return (event) => readers.map((read) => read(event)).find((found) => found.length > 0) ?? []
}

function parseTerm(part: string, hasTextConstants: boolean): Reader | undefined {
  const path = parseJsonPath(part)
  if (path) return (event) => findAll(event, path)
  const [, quoted] = /^(?:'([^']*)'|"([^"]*)")$/.exec(part)?.filter((each) => each !== undefined) ?? []
  if (quoted !== undefined) return constant(quoted)
  if (/^-?\d+(\.\d+)?$/.test(part)) return constant(hasTextConstants ? part : Number(part))
  if (!hasTextConstants && (part === 'true' || part === 'false')) return constant(part === 'true')
  return /^[\w/: -]+$/.test(part) ? constant(part) : undefined
}

function constant(value: JsonValue): Reader {
  const found = [{ value, indexes: [] }]
  return () => found
}

function parseTarget(to: string): readonly PathStep[] | undefined {
  const steps = to.startsWith('$') ? parseJsonPath(to) : to === '' || to === '__proto__' ? undefined : [{ key: to }]
  return steps && steps.length > 0 && typeof steps[0] === 'object' && 'key' in steps[0] ? steps : undefined
}

/** Objects and lists that were created here and may be modified. Those of the event may not. */
type Made = WeakSet<object>

function write(target: Target, to: readonly PathStep[], found: readonly Found[], made: Made): void {
  const [first] = found
  if (!first) return
  if (to.includes('each')) for (const { value, indexes } of found) place(target, to, value, indexes, made)
  else place(target, to, first.indexes.length === 0 ? first.value : found.map(({ value }) => value), [], made)
}

function place(
  target: object,
  [step, ...rest]: readonly PathStep[],
  value: JsonValue,
  indexes: readonly number[],
  made: Made,
): void {
  if (step === undefined) return
  const [index = 0, ...others] = indexes
  const key = step === 'each' ? index : 'index' in step ? step.index : step.key
  const at = target as Record<string | number, JsonValue | undefined>
  if (rest.length === 0) {
    at[key] = value
    return
  }
  const held = Object.hasOwn(at, key) ? at[key] : undefined
  const wantsList = rest[0] === 'each' || (typeof rest[0] === 'object' && 'index' in rest[0])
  const fits = wantsList ? Array.isArray(held) : isJsonObject(held)
  let inner = held as object
  if (!fits || !made.has(inner)) {
    inner = wantsList ? (fits ? [...(held as JsonValue[])] : []) : { ...(fits ? (held as JsonObject) : {}) }
    made.add(inner)
    at[key] = inner as JsonValue
  }
  place(inner, rest, value, step === 'each' ? others : indexes, made)
}
