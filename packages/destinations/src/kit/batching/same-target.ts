import type { PackItem } from './pack.ts'

/** Key for `pack`: requests share a batch when they have the same address, headers (credentials) and query. */
export function sameTarget({ request: { endpoint, headers, params } }: PackItem): string {
  return JSON.stringify([endpoint, headers, params])
}
