import { isDeepStrictEqual } from 'node:util'

/**
 * Returns where recorded and actual JSON first differ, as `path: wanted …, got …`, or '' when they agree. An absent key
 * equals undefined. A text that holds JSON, as in forms, is compared as that JSON. `{"$objectContaining": …}` and
 * `{"$stringMatching": …}` in the recorded value are matchers.
 *
 * @param added ends of key paths that the actual value may have beside the recorded one.
 */
export function difference(wanted: unknown, got: unknown, path = '', added: readonly string[] = []): string {
  if (isObject(wanted)) {
    if ('$objectContaining' in wanted)
      return objectDifference(wanted['$objectContaining'] as Members, got, path, { isExact: false, added })
    const pattern = wanted['$stringMatching']
    if (typeof pattern === 'string') {
      return typeof got === 'string' && new RegExp(pattern).test(got) ? '' : mismatch(path, wanted, got)
    }
    return objectDifference(wanted, got, path, { isExact: true, added })
  }
  if (Array.isArray(wanted) && Array.isArray(got)) {
    if (wanted.length !== got.length) return mismatch(path, wanted, got)
    return firstOf(wanted.map((element, index) => () => difference(element, got[index], `${path}[${index}]`, added)))
  }
  if (isDeepStrictEqual(wanted, got)) return ''
  const [wantedJson, gotJson] = [jsonIn(wanted), jsonIn(got)]
  return wantedJson === undefined || gotJson === undefined
    ? mismatch(path, wanted, got)
    : difference(wantedJson, gotJson, path, added)
}

/** Returns the object or list that a text holds as JSON. */
function jsonIn(value: unknown): object | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined
  try {
    return JSON.parse(value) as object
  } catch {
    return undefined
  }
}

type Members = Readonly<Record<string, unknown>>

interface Comparison {
  readonly isExact: boolean
  readonly added: readonly string[]
}

function objectDifference(wanted: Members, got: unknown, path: string, { isExact, added }: Comparison): string {
  if (!isObject(got)) return mismatch(path, wanted, got)
  const keys = new Set([...Object.keys(wanted), ...(isExact ? Object.keys(got) : [])])
  return firstOf(
    [...keys].map((key) => () => {
      const at = path === '' ? key : `${path}.${key}`
      const isAdded = wanted[key] === undefined && added.some((end) => at.endsWith(`.${end}`))
      return isAdded ? '' : difference(wanted[key], got[key], at, added)
    }),
  )
}

function firstOf(checks: readonly (() => string)[]): string {
  for (const check of checks) {
    const found = check()
    if (found !== '') return found
  }
  return ''
}

function mismatch(path: string, wanted: unknown, got: unknown): string {
  return `${path || 'value'}: wanted ${shown(wanted)}, got ${shown(got)}`
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
