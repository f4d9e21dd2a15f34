import type { SourcedEvent } from '@sluice/core'
import { type Flow, suppressLogged } from './flow.ts'

/** Returns the records of users who are not suppressed; none while that cannot be decided. */
export async function unsuppressed<T extends { readonly source: SourcedEvent }>(
  flow: Flow,
  records: readonly T[],
): Promise<readonly T[]> {
  const sources = records.map(({ source }) => source)
  const allowed = await suppressLogged(flow, sources, new AbortController().signal).catch(() => [])
  return allowed.flatMap(({ origin }) => records[origin] ?? [])
}
