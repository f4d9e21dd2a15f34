const customerId = 'controller_customer_id'

/** Returns what OpenDSR calls an identifier. Source: OpenDSR specification, identity type keys. */
export function identityType(name: string): string {
  return name === 'userId' ? customerId : name
}

/** Returns the name of an identifier that OpenDSR calls so: the inverse of `identityType`. */
export function identifierName(type: string): string {
  return type === customerId ? 'userId' : type
}
