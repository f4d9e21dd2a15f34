import { isJsonObject } from '@sluice/core'
import type { SegmentRequestOptions } from '../peer/segment-definition.ts'

/**
 * Merges options of a request; later ones win. Objects are merged member by member, lists are joined, headers are
 * compared without case, and a header with the text `undefined` is removed, as in Segment's request client.
 */
export function mergeOptions(...all: readonly SegmentRequestOptions[]): SegmentRequestOptions {
  const headers = new Headers()
  let merged: SegmentRequestOptions = {}
  for (const options of all) {
    merged = mergeMembers(merged, options)
    for (const [name, value] of headersOf(options['headers'])) {
      if (value === 'undefined') headers.delete(name)
      else headers.set(name, value)
    }
  }
  return { ...merged, headers }
}

function mergeMembers(first: SegmentRequestOptions, second: SegmentRequestOptions): SegmentRequestOptions {
  const members = Object.entries(second).map(([key, value]): [string, unknown] => {
    const before = first[key]
    if (Array.isArray(before) && Array.isArray(value)) return [key, [...before, ...value]]
    return [key, isPlain(before) && isPlain(value) ? mergeMembers(before, value) : value]
  })
  return { ...first, ...Object.fromEntries(members) }
}

/** Excludes instances such as URLSearchParams and buffers, whose members mean nothing. */
function isPlain(value: unknown): value is SegmentRequestOptions {
  return isJsonObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))
}

/** Accepts what `fetch` does: an object, a list of pairs, or an instance of any class of headers. */
function headersOf(headers: unknown): Iterable<readonly [string, string]> {
  if (headers === undefined || headers === null) return []
  if (Array.isArray(headers) || (typeof headers === 'object' && Symbol.iterator in headers))
    return [...(headers as Iterable<readonly [unknown, unknown]>)].map(([name, value]) => [String(name), String(value)])
  return Object.entries(headers).map(([name, value]) => [name, String(value)])
}
