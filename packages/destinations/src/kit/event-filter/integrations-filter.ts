import { isJsonObject } from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'
import type { EventFilter } from './event-filter.ts'

/**
 * What the sender of an event said of destinations in its `integrations` object: `{ All: false, Slack: true }`. An
 * entry
 * for the destination, by type or display name in any case, decides; else `All` does; without either the event goes
 * on. Options, an object, count as true.
 *
 * Source: RudderStack docs, integrations object, which asks for the exact display name; we also take others.
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
