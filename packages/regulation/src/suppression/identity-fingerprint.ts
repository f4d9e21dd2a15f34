import { hmacText } from '@sluice/core/hash'
import type { Regulation } from '../regulation.ts'

/** A keyed fingerprint for each identifier of a person, by its name. */
export type IdentityFingerprints = { readonly userId: string } & Readonly<Record<string, string>>

/** How the user id of a regulation begins that was put back from a ledger, which has no ids. */
const alias = 'ledger:'

/**
 * Returns the fingerprint of an identifier: HMAC-SHA-256 under the key of the ledger, so that only its owner can test
 * whether somebody is in it. The workspace and the name of the identifier are part of it.
 * @param value as cleaned text; see `identifierText`.
 */
export function identityFingerprint(key: string, workspaceId: string, name: string, value: string): string {
  return hmacText('sha256', key, JSON.stringify([workspaceId, name, value]), 'base64url')
}

export function identityFingerprints(
  key: string,
  { workspaceId, attributes }: Pick<Regulation, 'workspaceId' | 'attributes'>,
): IdentityFingerprints {
  const all = Object.entries(attributes).map(
    ([name, value]) => [name, identityFingerprint(key, workspaceId, name, value)] as const,
  )
  // A user who is known by the fingerprint only keeps it.
  const userId =
    fingerprintOfAlias(attributes.userId) ?? identityFingerprint(key, workspaceId, 'userId', attributes.userId)
  return { ...Object.fromEntries(all), userId }
}

/** Returns what stands for a user id that only its fingerprint is known of. */
export function aliasOf(fingerprint: string): string {
  return `${alias}${fingerprint}`
}

/** Returns the fingerprint that stands for a user id; undefined for a user id. */
export function fingerprintOfAlias(userId: string): string | undefined {
  return userId.startsWith(alias) ? userId.slice(alias.length) : undefined
}
