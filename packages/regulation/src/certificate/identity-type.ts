/** Returns what OpenDSR calls an identifier. Source: OpenDSR specification, identity type keys. */
export function identityType(name: string): string {
  return name === 'userId' ? 'controller_customer_id' : name
}
