import type { Event, JsonObject, JsonValue } from '@sluice/core'
import { isBlank } from '../rules/is-blank.ts'
import { type KeyPath, valueAt } from '../rules/key-path.ts'
import { withMember } from '../rules/with-member.ts'

/** Settings for one event, and the event without the values that the settings used. */
interface Resolved<E extends Event> {
  readonly event: E
  readonly settings: JsonObject
}

interface SettingTemplate {
  readonly at: KeyPath
  readonly path: KeyPath
  readonly fallback: string
}

/**
 * Resolves settings of the form `{{ path || "default" }}` to the value at a path of the event (with or without a
 * leading `event.`), or to the default. A value that is used is removed from the event, because it controls the
 * delivery and is not part of the content.
 *
 * Does not change its input; settings and event are copied along the affected paths. Settings without templates, which
 * are nearly all, cost one look-up per event.
 *
 * Source: packages/docs/behaviour/mapping.md#settings-from-events; RudderStack docs, dynamic configuration.
 */
export function resolveSettings<E extends Event>(event: E, settings: JsonObject): Resolved<E> {
  const templates = templatesOf(settings)
  let resolved: Resolved<E> = { event, settings }
  for (const { at, path, fallback } of templates) {
    const found = valueAt(event, path)
    const blank = isBlank(found)
    const stays = blank || path[0] === 'type' // not removed, because an event needs its type
    resolved = {
      settings: withMember(resolved.settings, at, blank ? fallback : found),
      event: stays ? resolved.event : withMember(resolved.event, path, undefined),
    }
  }
  return resolved
}

/** Returns whether a setting is a template that each event resolves. */
export function isSettingTemplate(value: unknown): boolean {
  return typeof value === 'string' && parseTemplate(value) !== undefined
}

/** Returns the default of a template; undefined for strings that are not templates. */
export function fallbackOf(setting: string): string | undefined {
  return parseTemplate(setting)?.fallback
}

/** Parses a template in linear time, because settings may be long and callers of the Test API may send any. */
function parseTemplate(setting: string): { readonly path: string; readonly fallback: string } | undefined {
  const text = setting.trim()
  if (!text.startsWith('{{') || !text.endsWith('}}')) return undefined
  const inner = text.slice(2, -2)
  const bars = inner.indexOf('||')
  if (bars === -1) return undefined
  const written = inner.slice(0, bars).trim()
  const fallback = unquoted(inner.slice(bars + 2).trim())
  if (written === '' || /[\s|{}]/.test(written) || /[\n\r\u2028\u2029]/.test(fallback)) return undefined
  const path = written.startsWith('event.') && written !== 'event.' ? written.slice('event.'.length) : written
  return { path, fallback }
}

function unquoted(text: string): string {
  const quote = text.charAt(0)
  const isQuoted = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote)
  return isQuoted ? text.slice(1, -1) : text
}

const templatesBySettings = new WeakMap<JsonObject, readonly SettingTemplate[]>()

function templatesOf(settings: JsonObject): readonly SettingTemplate[] {
  let templates = templatesBySettings.get(settings)
  if (!templates) {
    templates = findTemplates(settings, [])
    templatesBySettings.set(settings, templates)
  }
  return templates
}

function findTemplates(value: JsonValue | undefined, at: KeyPath): readonly SettingTemplate[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, member]) => findTemplates(member, [...at, key]))
  }
  if (typeof value !== 'string') return []
  const template = parseTemplate(value)
  return template ? [{ at, path: template.path.split('.'), fallback: template.fallback }] : []
}
