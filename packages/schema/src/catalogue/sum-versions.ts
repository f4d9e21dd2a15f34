import { modelKeyText } from '../shapes/model-key.ts'
import { mergeStructures } from '../shapes/structure.ts'
import { daysOf } from './day-counts.ts'
import type { SchemaDelta, VersionDelta } from './schema-delta.ts'

/**
 * Merges a delta's entries per model and hash, in order of first occurrence. Counts are summed, time ranges widened,
 * and samples and structures combined.
 */
export function sumVersions({ versions }: SchemaDelta, propertiesMax: number): readonly VersionDelta[] {
  if (versions.length < 2) return versions
  const sums = new Map<string, VersionDelta>()
  for (const version of versions) {
    const key = `${version.schemaHash} ${modelKeyText(version)}`
    const known = sums.get(key)
    sums.set(key, known === undefined ? version : sumOf(known, version, propertiesMax))
  }
  return [...sums.values()]
}

function sumOf(a: VersionDelta, b: VersionDelta, propertiesMax: number): VersionDelta {
  const samples = [...(a.samples ?? []), ...(b.samples ?? [])]
  const structure =
    a.structure && b.structure ? mergeStructures(a.structure, b.structure, propertiesMax) : (a.structure ?? b.structure)
  return {
    ...a,
    count: a.count + b.count,
    firstSeen: Math.min(a.firstSeen, b.firstSeen),
    lastSeen: Math.max(a.lastSeen, b.lastSeen),
    days: daysOf([a, b]),
    ...(samples.length > 0 ? { samples } : {}),
    ...(structure ? { structure } : {}),
  }
}

/** Groups versions by model, in order of first occurrence. */
export function byModel(versions: readonly VersionDelta[]): readonly (readonly VersionDelta[])[] {
  const models = new Map<string, VersionDelta[]>()
  for (const version of versions) {
    const key = modelKeyText(version)
    const ofModel = models.get(key)
    if (ofModel === undefined) models.set(key, [version])
    else ofModel.push(version)
  }
  return [...models.values()]
}
