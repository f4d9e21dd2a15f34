import type { JsonObject, JsonValue } from '@sluice/core'
import { convert, valueAt } from '../../kit/index.ts'

/** Returns the name of a page or screen. */
export function viewName(event: JsonObject): JsonValue | undefined {
  return ownName(event) ?? (valueAt(event, ['properties', 'name']) || undefined)
}

function ownName(event: JsonObject): JsonValue | undefined {
  return [event['name'], event['type'] === 'screen' ? event['event'] : undefined].find(Boolean)
}

const settingNames = {
  page: { isOwn: 'useUserDefinedPageEventName', template: 'userProvidedPageEventString', word: 'Page' },
  screen: { isOwn: 'useUserDefinedScreenEventName', template: 'userProvidedScreenEventString', word: 'Screen' },
} as const

/** Returns the name of the Amplitude event for a page or screen; '' if it has none. */
export function viewEventName(type: 'page' | 'screen', event: JsonObject, settings: JsonObject): string {
  const { isOwn, template, word } = settingNames[type]
  if (settings[isOwn] !== true) return `Viewed ${convert.text(viewName(event) ?? '')} ${word}`
  const own = settings[template]
  return typeof own === 'string' && own.trim() !== '' ? fill(own, event) : convert.text(ownName(event) ?? '')
}

/** Replaces each `{{ path }}` by the value at that path of the event. */
function fill(template: string, event: JsonObject): string {
  return template.replace(/\{\{\s*([^\s{}]+)\s*\}\}/g, (_, path: string) => {
    return convert.text(valueAt(event, path.split('.')) ?? '')
  })
}
