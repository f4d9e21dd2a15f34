import { isJsonObject } from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'
import type { EventFilter } from './event-filter.ts'

/**
 * Creates a filter for the `integrations` object of an event, such as `{ All: false, Slack: true }`. An entry for the
 * destination, by type or display name in any case, decides; otherwise `All` does. Without both, the event passes. An
 * object with options counts as true.
 *
 * Source: RudderStack docs, integrations object, which requires the exact display name; other spellings are our
 * addition.
 */
export function integrationsFilter({ type, displayName }: DestinationDefinition): EventFilter {
  const names: ReadonlySet<string> = new Set([type.toLowerCase(), displayName.toLowerCase()])
  return (event) => {
    const integrations = event['integrations']
    if (!isJsonObject(integrations)) return undefined
    let isWanted = integrations['All'] !== false
    for (const [name, entry] of Object.entries(integrations)) {
      if (names.has(name.toLowerCase())) isWanted = Boolean(entry)
    }
    return isWanted ? undefined : 'not wanted by the integrations object'
  }
}
