import { drop, type JsonObject, pass, type SourcedEvent, type Stage } from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'
import { consentFilter } from './consent-filter.ts'
import { integrationsFilter } from './integrations-filter.ts'

/**
 * Drops what its sender or its user does not want at a destination, as the event came in: by its `integrations`
 * object and
 * the consents it denies. It stands before everything on the way to the destination that changes events: user code that
 * builds an event anew must not lose what was denied, and must not see the event at all. What comes out of user code is
 * asked again by the destination-transform stage, for all that `createEventFilter` says.
 *
 * Source: packages/docs/behaviour/mapping.md#permission.
 */
export function createPermissionStage(definition: DestinationDefinition, settings: JsonObject): Stage<SourcedEvent> {
  const isWanted = integrationsFilter(definition)
  const isAllowed = consentFilter(settings)
  return {
    name: 'permission',
    mutatesInput: false,
    run: async (batch) =>
      batch.map((item) => {
        const reason = isWanted(item.event) ?? isAllowed(item.event)
        return reason === undefined ? pass(item) : drop(reason)
      }),
  }
}
