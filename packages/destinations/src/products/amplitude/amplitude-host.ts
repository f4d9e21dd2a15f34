import type { JsonValue } from '@sluice/core'

/** Returns the host of the APIs about users that are stored already. Source: Amplitude docs, User Privacy API. */
export function amplitudeHost(residencyServer: JsonValue | undefined): string {
  return residencyServer === 'EU' ? 'https://analytics.eu.amplitude.com' : 'https://amplitude.com'
}
