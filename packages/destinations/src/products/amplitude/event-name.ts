import type { JsonObject, JsonValue } from '@sluice/core'
import { text } from '../../kit/convert/text.ts'
import { valueAt } from '../../kit/rules/key-path.ts'

/** What a page or screen is called by itself. */
export function viewName(event: JsonObject): JsonValue | undefined {
  const names = [event['name'], event['type'] === 'screen' ? event['event'] : undefined]
  return [...names, valueAt(event, ['properties', 'name'])].find(Boolean)
}

const settingNames = {
  page: { isOwn: 'useUserDefinedPageEventName', template: 'userProvidedPageEventString', word: 'Page' },
  screen: { isOwn: 'useUserDefinedScreenEventName', template: 'userProvidedScreenEventString', word: 'Screen' },
} as const

/** What Amplitude's event of a page or screen is called; '' when nothing names it. */
export function viewEventName(type: 'page' | 'screen', event: JsonObject, settings: JsonObject): string {
  const { isOwn, template, word } = settingNames[type]
  const name = text(viewName(event) ?? '')
  if (settings[isOwn] !== true) return `Viewed ${name} ${word}`
  const own = settings[template]
  return typeof own === 'string' && own.trim() !== '' ? fill(own, event) : name
}

/** Puts what is at a path of the event where `{{ path }}` stands. */
function fill(template: string, event: JsonObject): string {
  return template.replace(/\{\{\s*([^\s{}]+)\s*\}\}/g, (_, path: string) => {
    return text(valueAt(event, path.split('.')) ?? '')
  })
}
