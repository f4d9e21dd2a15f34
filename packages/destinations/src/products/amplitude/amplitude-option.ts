import type { JsonObject, JsonValue } from '@sluice/core'
import { firstAt } from '../../kit/index.ts'

/** Returns the key paths of an Amplitude option in the integrations object of an event. */
export function amplitudeOption(name: string): readonly string[] {
  return [`integrations.AM.${name}`]
}

/** Creates a function that reads an Amplitude option from the integrations object of an event. */
export function readAmplitudeOption(name: string): (event: JsonObject) => JsonValue | undefined {
  return firstAt(amplitudeOption(name))
}
