import { modelKeyText } from './model-key.ts'
import type { SchemaDelta, VersionDelta } from './schema-delta.ts'

/** Counts versions in memory until they are taken. Holds one entry per distinct model and version since then. */
export interface SchemaAccumulator {
  /** Adds up what belongs to one model and hash: counts are summed, `firstSeen` and `lastSeen` widened. */
  add(version: VersionDelta): void
  /** Gives what was added since the last call, in order of first sight, and forgets it. */
  take(): SchemaDelta
}

export function createSchemaAccumulator(): SchemaAccumulator {
  let models = new Map<string, Map<string, Counted>>()
  return {
    add: (version) => {
      const text = modelKeyText(version)
      let versions = models.get(text)
      if (versions === undefined) {
        versions = new Map()
        models.set(text, versions)
      }
      const known = versions.get(version.schemaHash)
      if (known === undefined) {
        versions.set(version.schemaHash, { ...version })
      } else {
        known.count += version.count
        known.firstSeen = Math.min(known.firstSeen, version.firstSeen)
        known.lastSeen = Math.max(known.lastSeen, version.lastSeen)
      }
    },
    take: () => {
      const versions = [...models.values()].flatMap((byHash) => [...byHash.values()])
      models = new Map()
      return { versions }
    },
  }
}

type Counted = { -readonly [Key in keyof VersionDelta]: VersionDelta[Key] }
