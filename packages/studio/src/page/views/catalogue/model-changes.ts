import type { CatalogueDetail } from '@sluice/http'
import type { EventState } from '../../parts/event-state.ts'
import type { IconName } from '../../parts/signs/icon.tsx'

/** Something that changed in the shape of an event. */
export interface ModelChange {
  readonly at: string
  readonly state: EventState
  readonly icon: IconName
  readonly text: string
}

type Version = Pick<CatalogueDetail['versions'][number], 'firstSeen' | 'schema'>

/**
 * Returns what changed since the event was first seen, newest first: new keys, and keys that came with another type.
 * Versions that differ only in how many items a list has are no change.
 *
 * @param versions newest first.
 */
export function modelChanges(versions: readonly Version[]): readonly ModelChange[] {
  const seen = new Map<string, Set<string>>()
  const changes: ModelChange[] = []
  for (const [n, { firstSeen: at, schema }] of [...versions].reverse().entries()) {
    const added = new Map<string, string>()
    for (const [path, type] of Object.entries(schema)) {
      const key = withoutIndexes(path)
      const types = seen.get(key)
      if (types === undefined) added.set(key, type)
      else if (!types.has(type))
        changes.push({ at, state: 'wait', icon: 'git-compare', text: `${key} also came as ${typeWord(type)}` })
      seen.set(key, (types ?? new Set()).add(type))
    }
    if (n === 0) changes.push({ at, state: 'good', icon: 'circle-check', text: `First seen, with ${added.size} keys` })
    else
      for (const [key, type] of added)
        changes.push({ at, state: 'note', icon: 'plus', text: `Key ${key}, ${typeWord(type)}` })
  }
  return changes.reverse()
}

/** Returns a path with one name for all items of a list. */
export function withoutIndexes(path: string): string {
  return path.replaceAll(/\.\d+(?=\.|$)/g, '')
}

function typeWord(type: string): string {
  return type === 'float64' ? 'a number' : type === 'bool' ? 'yes or no' : 'text'
}
