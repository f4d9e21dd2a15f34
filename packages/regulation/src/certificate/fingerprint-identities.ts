import { identityType } from '@sluice/core/opendsr'
import type { IdentityFingerprints } from '../suppression/identity-fingerprint.ts'
import type { SubjectIdentity } from './deletion-certificate.ts'

/** Returns the fingerprints of a person as identities of OpenDSR, in order of their names. */
export function fingerprintIdentities(fingerprints: IdentityFingerprints): readonly SubjectIdentity[] {
  return Object.keys(fingerprints)
    .sort()
    .map((name) => ({
      identity_type: identityType(name),
      identity_format: 'hmac-sha256',
      identity_value: fingerprints[name] ?? '',
    }))
}
