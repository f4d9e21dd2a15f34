import { isJsonObject, type JsonValue } from '@sluice/core'

/** A key, an index, or every element. */
export type PathStep = { readonly key: string } | { readonly index: number } | 'each'

/** A value, and the indexes of the elements it was found in: one for each `[*]` of its path. */
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

/**
 * Parses a path into a value, or answers undefined for what is none. Of JSONPath this takes what leads to places: `$`,
 * `.key`, `['key']` (also `.'key'`), `[0]` to `[999]`, and `[*]`; no filters, slices, scripts or descents.
 *
 * Source: RFC 9535 (names and wildcards); http conformance rows (`$.'content-type'`).
 */
export function parsePath(text: string): readonly PathStep[] | undefined {
  if (!text.startsWith('$')) return undefined
  const steps: PathStep[] = []
  let rest = text.slice(1)
  while (rest !== '') {
    const step = nextStep(rest)
    if (!step) return undefined
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

/** Everything a path leads to, in order; null and what is missing are left out. */
export function findAll(value: JsonValue | undefined, [step, ...rest]: readonly PathStep[]): readonly Found[] {
  if (value === undefined || value === null) return []
  if (step === undefined) return [{ value, indexes: [] }]
  if (step === 'each') {
    if (!Array.isArray(value)) return []
    return value.flatMap((element: JsonValue, index) =>
      findAll(element, rest).map((found) => ({ ...found, indexes: [index, ...found.indexes] })),
    )
  }
  if ('index' in step) return Array.isArray(value) ? findAll(value[step.index], rest) : []
  return isJsonObject(value) && Object.hasOwn(value, step.key) ? findAll(value[step.key], rest) : []
}
