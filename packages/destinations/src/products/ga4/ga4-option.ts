/** Returns the key paths of a Google Analytics option in the integrations object of an event. */
export function ga4Option(name: string): readonly string[] {
  return ['Google Analytics 4 (GA4)', 'Google Analytics 4', 'GA4'].map((key) => `integrations.${key}.${name}`)
}
