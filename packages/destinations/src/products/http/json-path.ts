import { isJsonObject, type JsonValue } from '@sluice/core'

/** A key, an index, or every element. */
export type PathStep = { readonly key: string } | { readonly index: number } | 'each'

/** A value that was found, with the indexes of its elements: one for each `[*]` of the path. */
export interface Found {
  readonly value: JsonValue
  readonly indexes: readonly number[]
}

const stepForms: readonly (readonly [RegExp, (text: string) => PathStep])[] = [
  [/^\.?\[\*\]/, () => 'each'],
  [/^\.\*/, () => 'each'],
  [/^\[(\d{1,3})\]/, (text) => ({ index: Number(text) })],
  [/^\.?\[?'([^']+)'\]?/, (key) => ({ key })],
  [/^\.?\[?"([^"]+)"\]?/, (key) => ({ key })],
  [/^\.([\p{L}_$][\p{L}\p{N}_$-]*)/u, (key) => ({ key })],
]

/** Largest number of levels in a path, the same as in the JSON of events. */
const stepsMax = 32

/**
 * Parses a path, or returns undefined for an invalid one. Supports this subset of JSONPath: `$`, `.key`, `['key']`
 * (also `.'key'`), `[0]` to `[999]`, and `[*]`; no filters, slices, scripts or descents.
 *
 * Source: RFC 9535 (names and wildcards); recorded behaviour of RudderStack's http destination (`$.'content-type'`).
 */
export function parseJsonPath(text: string): readonly PathStep[] | undefined {
  if (!text.startsWith('$')) return undefined
  const steps: PathStep[] = []
  let rest = text.slice(1)
  while (rest !== '') {
    const step = nextStep(rest)
    if (!step || steps.length === stepsMax) return undefined
    steps.push(step.step)
    rest = rest.slice(step.length)
  }
  return steps
}

function nextStep(rest: string): { readonly step: PathStep; readonly length: number } | undefined {
  for (const [form, toStep] of stepForms) {
    const match = form.exec(rest)
    if (!match) continue
    const step = toStep(match[1] ?? '')
    const isForbidden = typeof step === 'object' && 'key' in step && step.key === '__proto__'
    return isForbidden ? undefined : { step, length: match[0].length }
  }
  return undefined
}

/**
 * Largest number of values that a path, or all paths of a template together, may find: they may all select the same
 * long list.
 */
export const foundMax = 10_000

/** Returns all values at a path, in order, without null and missing ones. Stops after one more than `foundMax`. */
export function findAll(value: JsonValue | undefined, path: readonly PathStep[]): readonly Found[] {
  const found: Found[] = []
  collect(value, path, [], found)
  return found
}

function collect(
  value: JsonValue | undefined,
  [step, ...rest]: readonly PathStep[],
  indexes: readonly number[],
  found: Found[],
): void {
  if (value === undefined || value === null) return
  if (step === undefined) found.push({ value, indexes })
  else if (step === 'each') {
    if (!Array.isArray(value)) return
    for (const [index, element] of value.entries()) {
      if (found.length > foundMax) return
      collect(element, rest, [...indexes, index], found)
    }
  } else if ('index' in step) {
    if (Array.isArray(value)) collect(value[step.index], rest, indexes, found)
  } else if (isJsonObject(value) && Object.hasOwn(value, step.key)) collect(value[step.key], rest, indexes, found)
}
