import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { messageTypeOf } from '../define/message-type.ts'
import type { EventFilter } from './event-filter.ts'

/** Why an event is dropped by the lists in the settings of a destination. */
export const listReasons = { allow: 'event not on the allow list', deny: 'event on the deny list' } as const

/**
 * Creates a filter from the lists of track events in the settings of a destination. An allow list drops all other
 * events, including those without a name. A deny list drops only its own events. Names are compared exactly, after
 * trimming.
 *
 * Source: RudderStack docs, event filtering.
 */
export function eventLists(settings: JsonObject): EventFilter {
  const option = settings['eventFilteringOption']
  if (option !== 'whitelistedEvents' && option !== 'blacklistedEvents') return () => undefined
  const isAllowList = option === 'whitelistedEvents'
  const names = namesIn(settings[option])
  return (event) => {
    if (messageTypeOf(event) !== 'track') return undefined
    const name = event['event']
    const isListed = typeof name === 'string' && names.has(name.trim())
    if (isListed === isAllowList) return undefined
    return isAllowList ? listReasons.allow : listReasons.deny
  }
}

function namesIn(list: JsonValue | undefined): ReadonlySet<string> {
  const entries: readonly JsonValue[] = Array.isArray(list) ? list : []
  const names = entries.flatMap((entry) => (isJsonObject(entry) ? [entry['eventName']] : []))
  return new Set(
    names
      .filter((name) => typeof name === 'string')
      .map((name) => name.trim())
      .filter(Boolean),
  )
}
