import type { JsonObject, JsonValue } from '@sluice/core'
import { valueAt } from '../rules/key-path.ts'

/** Where an event says something to Amplitude alone: key paths of a member of its integrations object. */
export function amplitudeOption(name: string): readonly string[] {
  return [`integrations.Amplitude.${name}`, `integrations.AM.${name}`]
}

/** What an event says to Amplitude alone under a name. */
export function saidToAmplitude(event: JsonObject, name: string): JsonValue | undefined {
  return amplitudeOption(name)
    .map((path) => valueAt(event, path.split('.')))
    .find(Boolean)
}
