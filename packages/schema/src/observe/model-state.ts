import type { FlatSchema } from '../shapes/flat-schema.ts'
import type { ModelKey } from '../shapes/model-key.ts'
import { ObservedVersion } from './observed-version.ts'

/** An event model in the memory of the observer, with its most recently seen versions. */
export class ModelState {
  readonly key: ModelKey
  /** As in ObservedVersion. */
  usedAt = 0
  /** Paths whose values are counted; grows up to a limit. */
  readonly countedPaths = new Set<string>()
  readonly #versions = new Map<string, ObservedVersion>()

  constructor(key: ModelKey) {
    this.key = key
  }

  get versions(): Iterable<ObservedVersion> {
    return this.#versions.values()
  }

  /** Releases all content, for holders of references to this object. */
  clear(): void {
    this.#versions.clear()
    this.countedPaths.clear()
  }

  /** @param onEvicted gets the least recently seen version when there is no room for another. */
  version(
    schemaHash: string,
    schema: FlatSchema,
    limits: { readonly versionsMax: number; readonly samplesMax: number },
    onEvicted: (version: ObservedVersion) => void,
  ): ObservedVersion {
    const known = this.#versions.get(schemaHash)
    if (known !== undefined) return known
    if (this.#versions.size >= limits.versionsMax) {
      const oldest = leastRecent(this.#versions.values())
      if (oldest !== undefined) {
        this.#versions.delete(oldest.key.schemaHash)
        onEvicted(oldest)
      }
    }
    const version = new ObservedVersion({ ...this.key, schemaHash }, schema, limits.samplesMax)
    this.#versions.set(schemaHash, version)
    return version
  }
}

export function leastRecent<Used extends { readonly usedAt: number }>(states: Iterable<Used>): Used | undefined {
  let oldest: Used | undefined
  for (const state of states) if (oldest === undefined || state.usedAt < oldest.usedAt) oldest = state
  return oldest
}
