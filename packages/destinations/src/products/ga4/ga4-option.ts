/** Where an event says something to Google Analytics alone: key paths of a member of its integrations object. */
export function ga4Option(name: string): readonly string[] {
  return ['Google Analytics 4 (GA4)', 'Google Analytics 4', 'GA4'].map((key) => `integrations.${key}.${name}`)
}
