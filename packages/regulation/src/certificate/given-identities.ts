import { comparableIdentifier, identifierText } from '@sluice/core'
import { identityType } from '@sluice/core/opendsr'
import { hasNoIds } from '../ledger/restore/find-stored.ts'
import type { Regulation } from '../regulation.ts'
import { RegulationError } from '../requests/regulation-error.ts'
import { type IdentityFingerprints, identityFingerprint } from '../suppression/identity-fingerprint.ts'
import type { SubjectIdentity } from './deletion-certificate.ts'

/**
 * Returns ids that the caller gives as identities of OpenDSR, as they are compared.
 * @param key of the ledger.
 * @throws RegulationError when one is not an id of the regulation.
 */
export function givenIdentities(
  key: string,
  regulation: Regulation,
  fingerprints: IdentityFingerprints,
  ids: Readonly<Record<string, string>>,
): readonly SubjectIdentity[] {
  const { workspaceId, attributes } = regulation
  return Object.entries(ids).map(([name, given]) => {
    const value = comparableIdentifier(name, given)
    const known = hasNoIds(regulation) ? undefined : attributes[name]
    // Releases before made fingerprints of the text as it was written, or trimmed.
    const isOf = (text: string): boolean => fingerprints[name] === identityFingerprint(key, workspaceId, name, text)
    const isSame =
      Object.hasOwn(fingerprints, name) &&
      ((known !== undefined && comparableIdentifier(name, known) === value) ||
        [value, identifierText(given), given].some(isOf))
    if (!isSame)
      throw new RegulationError(
        'identityUnknown',
        `the ${JSON.stringify(name)} that was given is not that of the person in this regulation`,
      )
    return { identity_type: identityType(name), identity_format: 'raw', identity_value: value }
  })
}
