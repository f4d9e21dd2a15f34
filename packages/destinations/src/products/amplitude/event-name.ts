import type { JsonObject, JsonValue } from '@sluice/core'
import { convert, fillTemplate, valueAt } from '../../kit/index.ts'

/** Returns the name of a page or screen. */
export function viewName(event: JsonObject): JsonValue | undefined {
  return ownName(event) ?? (valueAt(event, ['properties', 'name']) || undefined)
}

function ownName(event: JsonObject): JsonValue | undefined {
  return [event['name'], event['type'] === 'screen' ? event['event'] : undefined].find(Boolean)
}

/** Returns the name of the Amplitude event for a page or screen; '' if it has none. */
export function viewEventName(type: 'page' | 'screen', event: JsonObject, settings: JsonObject): string {
  const word = type === 'page' ? 'Page' : 'Screen'
  if (settings[`useUserDefined${word}EventName`] !== true) {
    return `Viewed ${convert.text(viewName(event) ?? '')} ${word}`
  }
  const own = settings[`userProvided${word}EventString`]
  return typeof own === 'string' && own.trim() !== '' ? fillTemplate(own, event) : convert.text(ownName(event) ?? '')
}
