/** What OpenDSR calls the userId. */
export const customerIdType = 'controller_customer_id'

/** Types of identities that OpenDSR has. Source: OpenDSR specification, 5.1. */
export const openDsrIdentityTypes = [
  customerIdType,
  'email',
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

/** Returns what OpenDSR calls an identifier of a person, such as `userId`. Others keep their name. */
export function identityType(name: string): string {
  return name === 'userId' ? customerIdType : name
}

/** Returns the name of an identifier that OpenDSR calls so: the inverse of `identityType`. */
export function identifierName(type: string): string {
  return type === customerIdType ? 'userId' : type
}
