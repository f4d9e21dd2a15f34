import { customerIdType, openDsrIdentityTypes } from '@sluice/core/opendsr'

/** Identities by which persons are found. The last two are no types of OpenDSR, and have the names of Sluice. */
export const findingTypes: readonly string[] = [customerIdType, 'email', 'phone', 'anonymousId']

/**
 * Every type that a request may have. By those that find no person, destinations delete, and what Sluice itself keeps is
 * searched.
 */
export const identityTypes: readonly string[] = [...new Set([...findingTypes, ...openDsrIdentityTypes])]
