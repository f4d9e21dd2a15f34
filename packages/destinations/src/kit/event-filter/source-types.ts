import type { Source } from '@sluice/core'

/** Sources with their types. */
export type SourceTypes = readonly Pick<Source, 'id' | 'type'>[]

/** Returns a function that looks up the type of a source by its id; undefined when it has none. */
export function typeOfSource(sources: SourceTypes): (sourceId: string) => string | undefined {
  const types = new Map(sources.map(({ id, type }) => [id, type]))
  return (sourceId) => types.get(sourceId)
}
