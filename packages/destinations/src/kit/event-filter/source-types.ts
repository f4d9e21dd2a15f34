import type { Source } from '@sluice/core'

/** Sources with their types. */
export type SourceTypes = readonly Pick<Source, 'id' | 'type'>[]

/** The destinations of a workspace share one map: there may be many of both. */
const typesBySources = new WeakMap<SourceTypes, ReadonlyMap<string, string | undefined>>()

/**
 * Returns a function that looks up the type of a source by its id; undefined when it has none. The sources are looked
 * through when it is called first: while a configuration changes again and again, few of its states get an event.
 */
export function typeOfSource(sources: SourceTypes): (sourceId: string) => string | undefined {
  return (sourceId) => typesOf(sources).get(sourceId)
}

function typesOf(sources: SourceTypes): ReadonlyMap<string, string | undefined> {
  const types = typesBySources.get(sources) ?? new Map(sources.map(({ id, type }) => [id, type]))
  typesBySources.set(sources, types)
  return types
}
