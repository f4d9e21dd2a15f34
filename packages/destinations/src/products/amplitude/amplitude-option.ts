import type { JsonObject, JsonValue } from '@sluice/core'
import { firstAt } from '../../kit/rules/first-at.ts'

/** Where an event says something to Amplitude alone: key paths of a member of its integrations object. */
export function amplitudeOption(name: string): readonly string[] {
  return [`integrations.Amplitude.${name}`, `integrations.AM.${name}`]
}

/** Finds what an event says to Amplitude alone under a name. */
export function saidToAmplitude(name: string): (event: JsonObject) => JsonValue | undefined {
  return firstAt(amplitudeOption(name))
}
