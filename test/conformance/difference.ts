import { isDeepStrictEqual } from 'node:util'

/**
 * Returns where recorded and actual JSON first differ, as `path: wanted …, got …`, or '' when they agree. An absent key
 * equals undefined. `{"$objectContaining": …}` and `{"$stringMatching": …}` in the recorded value are matchers.
 */
export function difference(wanted: unknown, got: unknown, path = ''): string {
  if (isObject(wanted)) {
    if ('$objectContaining' in wanted) return objectDifference(wanted['$objectContaining'] as Members, got, path, false)
    const pattern = wanted['$stringMatching']
    if (typeof pattern === 'string') {
      return typeof got === 'string' && new RegExp(pattern).test(got) ? '' : mismatch(path, wanted, got)
    }
    return objectDifference(wanted, got, path, true)
  }
  if (Array.isArray(wanted) && Array.isArray(got)) {
    if (wanted.length !== got.length) return mismatch(path, wanted, got)
    return firstOf(wanted.map((element, index) => () => difference(element, got[index], `${path}[${index}]`)))
  }
  return isDeepStrictEqual(wanted, got) ? '' : mismatch(path, wanted, got)
}

type Members = Readonly<Record<string, unknown>>

function objectDifference(wanted: Members, got: unknown, path: string, isExact: boolean): string {
  if (!isObject(got)) return mismatch(path, wanted, got)
  const keys = new Set([...Object.keys(wanted), ...(isExact ? Object.keys(got) : [])])
  return firstOf([...keys].map((key) => () => difference(wanted[key], got[key], path === '' ? key : `${path}.${key}`)))
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
