import { isJsonObject } from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'
import { namesOf, plainName } from '../map/own-options.ts'
import type { EventFilter } from './event-filter.ts'

/**
 * Creates a filter for the `integrations` object of an event, such as `{ All: false, Slack: true }`. The entries for the
 * destination, by any of its names, decide, and all of them must agree to it; without one, `All` does. Without both, the event passes.
 * An object with options counts as true.
 *
 * Source: RudderStack docs, integrations object, which requires the exact display name; other spellings are our
 * addition.
 */
export function integrationsFilter(definition: DestinationDefinition): EventFilter {
  const names = namesOf(definition)
  return (event) => {
    const integrations = event['integrations']
    if (!isJsonObject(integrations)) return undefined
    const own = Object.entries(integrations).filter(([name]) => names.has(plainName(name)))
    const isWanted = own.length > 0 ? own.every(([, entry]) => Boolean(entry)) : integrations['All'] !== false
    return isWanted ? undefined : 'not wanted by the integrations object'
  }
}
