import { compareCodePoints } from '../shapes/compare-code-points.ts'
import { type EventModel, type EventVersion, overflowHash } from './schema-store.ts'

/** What is new at one event since a time. */
export interface ModelDrift {
  readonly model: EventModel
  /** Whether the event itself was first seen since then. */
  readonly isNew: boolean
  /** Versions first seen since then, oldest first. */
  readonly versions: readonly EventVersion[]
  /** Types of the keys that no version had before, by path; empty for a new event, all of whose keys are new. */
  readonly newKeys: Readonly<Record<string, string>>
  /** Keys that have a type in a new version that they did not have before. */
  readonly changedKeys: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>>
}

/** Returns what is new at an event, undefined when nothing is. The overflow version has no shape and is left out. */
export function driftOf(model: EventModel, all: readonly EventVersion[], since: number): ModelDrift | undefined {
  const versions = all.filter(({ schemaHash, firstSeen }) => schemaHash !== overflowHash && firstSeen >= since)
  const isNew = model.createdAt >= since
  if (versions.length === 0) return isNew ? { model, isNew, versions, newKeys: {}, changedKeys: {} } : undefined
  const before = new Map<string, Set<string>>()
  for (const { schema, schemaHash, firstSeen } of all)
    if (schemaHash !== overflowHash && firstSeen < since)
      for (const [path, type] of Object.entries(schema)) before.set(path, (before.get(path) ?? new Set()).add(type))
  const newKeys = new Map<string, string>()
  const changedKeys = new Map<string, { readonly from: readonly string[]; readonly to: string }>()
  for (const { schema } of isNew ? [] : versions)
    for (const [path, type] of Object.entries(schema)) {
      const known = before.get(path)
      if (known === undefined) newKeys.set(path, type)
      else if (!known.has(type)) changedKeys.set(path, { from: [...known].sort(compareCodePoints), to: type })
    }
  return { model, isNew, versions, newKeys: sorted(newKeys), changedKeys: sorted(changedKeys) }
}

function sorted<Value>(entries: ReadonlyMap<string, Value>): Readonly<Record<string, Value>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => compareCodePoints(a, b)))
}
