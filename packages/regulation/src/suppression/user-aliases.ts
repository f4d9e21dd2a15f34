import { readKey } from '@sluice/core'
import { aliasOf, identityFingerprint } from './identity-fingerprint.ts'

/** Aliases kept in memory: as many as users whose events arrive at the same time. */
const kept = 10_000

/**
 * Stands for users in a store to which regulations were put back without ids: a regulation of a ledger knows the
 * fingerprint of its user only.
 */
export class UserAliases {
  readonly #key: string
  readonly #known = new Map<string, string>()
  /** Whether the store has regulations of aliases. While it has none, users are not looked up by alias. */
  isNeeded: boolean

  /** @param key of the ledger. */
  constructor(key: string, isNeeded: boolean) {
    this.#key = key
    this.isNeeded = isNeeded
  }

  /**
   * Returns the alias of a key of a person; undefined while none is needed.
   * @param key see `keysOfEvent`.
   */
  of(workspaceId: string, key: string): string | undefined {
    if (!this.isNeeded) return undefined
    const place = JSON.stringify([workspaceId, key])
    const known = this.#known.get(place)
    if (known !== undefined) return known
    const { name, text } = readKey(key)
    const alias = aliasOf(identityFingerprint(this.#key, workspaceId, name, text))
    if (this.#known.size >= kept) this.#known.clear()
    this.#known.set(place, alias)
    return alias
  }
}
