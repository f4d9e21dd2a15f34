import type { Source } from '@sluice/core'

/** Sources with their types. */
export type SourceTypes = readonly Pick<Source, 'id' | 'type'>[]

/** The destinations of a workspace share one map: there may be many of both. */
const typesBySources = new WeakMap<SourceTypes, ReadonlyMap<string, string | undefined>>()

/** Returns a function that looks up the type of a source by its id; undefined when it has none. */
export function typeOfSource(sources: SourceTypes): (sourceId: string) => string | undefined {
  const types = typesBySources.get(sources) ?? new Map(sources.map(({ id, type }) => [id, type]))
  typesBySources.set(sources, types)
  return (sourceId) => types.get(sourceId)
}
