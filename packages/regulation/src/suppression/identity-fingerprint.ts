import { comparableIdentifier, furtherIdentifiers, keysOfPerson, markedKey, readKey } from '@sluice/core'
import { hmacText } from '@sluice/core/hash'
import type { Regulation } from '../regulation.ts'

/** A keyed fingerprint for each identifier of a person, by its name. */
export type IdentityFingerprints = { readonly userId: string } & Readonly<Record<string, string>>

/** How attributes of a regulation begin that was put back from a ledger, which has no ids. */
const shownPrefix = 'ledger:'
/** Name of the keys of these attributes. */
const aliasName = 'ledger'

/**
 * Returns the fingerprint of an identifier: HMAC-SHA-256 under the key of the ledger, so that only its owner can test
 * whether somebody is in it. The workspace and the name of the identifier are part of it.
 * @param value as it is compared; see `comparableIdentifier`.
 */
export function identityFingerprint(key: string, workspaceId: string, name: string, value: string): string {
  return hmacText('sha256', key, JSON.stringify([workspaceId, name, value]), 'base64url')
}

/** Returns the fingerprints of identifiers as they are compared, and those that a regulation without ids was put back from. */
export function identityFingerprints(
  key: string,
  { workspaceId, attributes, hasNoIds }: Pick<Regulation, 'workspaceId' | 'attributes' | 'hasNoIds'>,
): IdentityFingerprints {
  if (hasNoIds) return shownFingerprints(attributes)
  const all = Object.entries(attributes).map(
    ([name, value]) => [name, identityFingerprint(key, workspaceId, name, comparableIdentifier(name, value))] as const,
  )
  const userId = comparableIdentifier('userId', attributes.userId)
  return { ...Object.fromEntries(all), userId: identityFingerprint(key, workspaceId, 'userId', userId) }
}

/** The opposite of `attributesWithoutIds`. */
function shownFingerprints({ userId, ...others }: Regulation['attributes']): IdentityFingerprints {
  const shown = Object.entries(others).map(([name, value]) => [name, value.slice(shownPrefix.length)] as const)
  return { ...Object.fromEntries(shown), userId: userId.slice(shownPrefix.length) }
}

/** Returns the attributes that a regulation has whose ids are not known. */
export function attributesWithoutIds(fingerprints: IdentityFingerprints): Regulation['attributes'] {
  const further = furtherIdentifiers.flatMap((name) => {
    const fingerprint = fingerprints[name]
    return fingerprint === undefined ? [] : [[name, `${shownPrefix}${fingerprint}`] as const]
  })
  return { userId: `${shownPrefix}${fingerprints.userId}`, ...Object.fromEntries(further) }
}

/** Returns the key that stands for one that is known by its fingerprint only. */
export function aliasOf(fingerprint: string): string {
  return markedKey(aliasName, fingerprint)
}

/** Whether a key stands for one that is known by its fingerprint only. No id has such a key. */
export function isAlias(key: string): boolean {
  return readKey(key).name === aliasName
}

/** A regulation as far as it says which events are those of its person. */
export type PersonOfRegulation = Pick<Regulation, 'regulationType' | 'attributes' | 'hasNoIds'>

/**
 * Returns the keys by which events belong to the person of a regulation: that of the `userId`, and behind it, when the
 * regulation deletes, the further ones by which it does, so that what was deleted does not come again. See `keysOfPerson`.
 */
export function keysOfRegulation({ regulationType, attributes, hasNoIds }: PersonOfRegulation): readonly string[] {
  const keys = hasNoIds ? aliasesOf(attributes) : keysOfPerson(attributes)
  return regulationType === 'suppress' ? keys.slice(0, 1) : keys
}

function aliasesOf(attributes: Regulation['attributes']): readonly string[] {
  return ['userId', ...furtherIdentifiers].flatMap((name) => {
    const shown = attributes[name]
    return shown === undefined ? [] : [aliasOf(shown.slice(shownPrefix.length))]
  })
}
