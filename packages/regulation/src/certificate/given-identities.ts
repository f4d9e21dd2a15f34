import { identifierText, identityType } from '@sluice/core'
import { RegulationError } from '../requests/regulation-error.ts'
import { type IdentityFingerprints, identityFingerprint } from '../suppression/identity-fingerprint.ts'
import type { SubjectIdentity } from './deletion-certificate.ts'

/**
 * Returns ids that the caller gives as identities of OpenDSR.
 * @param key of the ledger.
 * @throws RegulationError when one is not an id of the regulation.
 */
export function givenIdentities(
  key: string,
  workspaceId: string,
  fingerprints: IdentityFingerprints,
  ids: Readonly<Record<string, string>>,
): readonly SubjectIdentity[] {
  return Object.entries(ids).map(([name, given]) => {
    const value = name === 'userId' ? identifierText(given) : given
    if (!Object.hasOwn(fingerprints, name) || fingerprints[name] !== identityFingerprint(key, workspaceId, name, value))
      throw new RegulationError(
        'identityUnknown',
        `the ${JSON.stringify(name)} that was given is not that of the person in this regulation`,
      )
    return { identity_type: identityType(name), identity_format: 'raw', identity_value: value }
  })
}
