import { drop, type JsonObject, pass, type SourcedEvent, type Stage } from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'
import { consentFilter } from './consent-filter.ts'
import type { EventFilter } from './event-filter.ts'
import { integrationsFilter } from './integrations-filter.ts'
import { type SourceTypes, typeOfSource } from './source-types.ts'
import { unreadableGateFilter } from './unreadable-gate.ts'

/** Creates the filter of the permission stage. */
function permissionFilter(definition: DestinationDefinition, settings: JsonObject): EventFilter {
  const isWanted = integrationsFilter(definition)
  const isReadable = unreadableGateFilter(settings)
  const isAllowed = consentFilter(settings)
  return (event, sourceType) => isWanted(event) ?? isReadable(event) ?? isAllowed(event, sourceType)
}

/**
 * Creates the stage that drops events that their sender or user does not want at a destination: by the `integrations`
 * object and by denied consents. It runs before any stage that changes events, because user code that builds a new
 * event could lose a denial, and must not even see a denied event. The destination-transform stage checks the output of
 * user code again, with all rules of `createEventFilter`.
 *
 * @param sources those that events come from; the type of others is not known.
 *
 * Source: packages/docs/behaviour/mapping.md#permission.
 */
export function createPermissionStage(
  definition: DestinationDefinition,
  settings: JsonObject,
  sources: SourceTypes = [],
): Stage<SourcedEvent> {
  const typeOf = typeOfSource(sources)
  const filter = permissionFilter(definition, settings)
  return {
    name: 'permission',
    run: async (batch) =>
      batch.map((item) => {
        const reason = filter(item.event, typeOf(item.sourceId))
        return reason === undefined ? pass(item) : drop(reason)
      }),
  }
}
