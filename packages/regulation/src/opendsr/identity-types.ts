/** Identities by which a person is found. The last two are no types of OpenDSR, and have the names of Sluice. */
export const findingTypes = ['controller_customer_id', 'email', 'phone', 'anonymousId'] as const

/**
 * Identities that go to destinations, and by which what Sluice itself keeps is searched, but by which no person is found.
 * Source: OpenDSR specification, 5.1.
 */
const furtherTypes = [
  'android_advertising_id',
  'android_id',
  'fire_advertising_id',
  'ios_advertising_id',
  'ios_vendor_id',
  'microsoft_advertising_id',
  'microsoft_publisher_id',
  'roku_publisher_id',
  'roku_advertising_id',
] as const

/** Every type that a request may have. */
export const identityTypes: readonly string[] = [...findingTypes, ...furtherTypes]
