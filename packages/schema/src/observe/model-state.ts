import type { FlatSchema, ModelKey } from '../catalogue/schema-delta.ts'
import { VersionState } from './version-state.ts'

/** One event model as the observer holds it: the versions seen last. */
export class ModelState {
  readonly key: ModelKey
  /** As for a version. */
  usedAt = 0
  /** Paths whose values are counted; grows up to a limit. */
  readonly countedPaths = new Set<string>()
  readonly #versions = new Map<string, VersionState>()

  constructor(key: ModelKey) {
    this.key = key
  }

  get versions(): Iterable<VersionState> {
    return this.#versions.values()
  }

  /** Lets go of what is held, for those who still point here. */
  clear(): void {
    this.#versions.clear()
    this.countedPaths.clear()
  }

  /** @param onEvicted gets the least recently seen version when there is no room for one more. */
  version(
    schemaHash: string,
    schema: FlatSchema,
    limits: { readonly versionsMax: number; readonly samplesMax: number },
    onEvicted: (version: VersionState) => void,
  ): VersionState {
    const known = this.#versions.get(schemaHash)
    if (known !== undefined) return known
    if (this.#versions.size >= limits.versionsMax) {
      const oldest = leastRecent(this.#versions.values())
      if (oldest !== undefined) {
        this.#versions.delete(oldest.key.schemaHash)
        onEvicted(oldest)
      }
    }
    const version = new VersionState({ ...this.key, schemaHash }, schema, limits.samplesMax)
    this.#versions.set(schemaHash, version)
    return version
  }
}

export function leastRecent<Used extends { readonly usedAt: number }>(states: Iterable<Used>): Used | undefined {
  let oldest: Used | undefined
  for (const state of states) if (oldest === undefined || state.usedAt < oldest.usedAt) oldest = state
  return oldest
}
