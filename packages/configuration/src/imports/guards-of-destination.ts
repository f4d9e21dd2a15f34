import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { SegmentParts } from './segment-parts.ts'

/** Returns why a destination of Segment must not send before someone has written what guards it; empty when it may. */
export function guardsOfDestination(destination: JsonObject, parts: SegmentParts): readonly string[] {
  const { id, sourceId, metadata, settings, consentSettings } = destination
  const active = (list: string): readonly JsonObject[] =>
    (parts.get(list) ?? []).filter(({ enabled }) => enabled !== false)
  const type = isJsonObject(metadata) ? metadata['id'] : undefined
  // What names none may be about any of them.
  const isFor = (own: JsonValue | undefined, named: JsonValue | undefined): boolean =>
    own === undefined || named === undefined || named === null || own === named
  const filters = [...active('destinationFilters'), ...active('filters')]
  const consent = consentSettings ?? (isJsonObject(settings) ? settings['consentSettings'] : undefined)
  return [
    ...(filters.some(({ destinationId }) => isFor(id, destinationId))
      ? ['a filter drops or changes its events; write a transformation that does it, then enable it']
      : []),
    ...(active('insertFunctionInstances').some(({ integrationId }) => isFor(id, integrationId))
      ? ['an insert function changes or drops its events; write it as its transformation, then enable it']
      : []),
    ...(active('transformations').some(
      (each) => isFor(sourceId, each['sourceId']) && isFor(type, each['destinationMetadataId']),
    )
      ? ['a transformation changes its events; write it as its transformation, then enable it']
      : []),
    ...(isJsonObject(consent) && Object.keys(consent).length > 0
      ? ['it needs the consent of users; write consentManagement into its settings, then enable it']
      : []),
  ]
}

/** Returns whether the schema settings of a source block events, or leave out parts of them. */
export function blocksEvents(source: JsonObject, parts: SegmentParts): boolean {
  const links = (parts.get('sourceTrackingPlanConnections') ?? []).filter(({ sourceId }) => sourceId === source['id'])
  return [source, ...links].some(({ schemaSettings }) => {
    if (!isJsonObject(schemaSettings)) return false
    return [schemaSettings, ...Object.values(schemaSettings).filter(isJsonObject)].some((rules) =>
      Object.entries(rules).some(
        ([name, value]) => /^(BLOCK|OMIT)/.test(String(value)) || (name.startsWith('allow') && value === false),
      ),
    )
  })
}
