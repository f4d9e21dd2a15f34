/** Returns the key paths of a Google Analytics option in the integrations object of an event. */
export function ga4Option(name: string): readonly string[] {
  return [`integrations.GA4.${name}`]
}
