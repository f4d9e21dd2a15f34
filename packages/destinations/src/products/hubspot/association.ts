import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  convert,
  type DeliveryRequest,
  firstAt,
  instrumentationError,
  isSegment,
  json,
  type MappingError,
  valueAt,
} from '../../kit/index.ts'
import { hubspotCall } from './hubspot-call.ts'
import type { HubspotSettings } from './hubspot-settings.ts'

const firstExternalId = firstAt(['context.externalId.0'], isJsonObject)

/** Whether a row of a warehouse associates two objects with each other, instead of changing one. */
export function isAssociation(event: JsonObject): boolean {
  return String(firstExternalId(event)?.['type']).toLowerCase() === 'hs-association'
}

/**
 * Returns the association of a row: its external id names the types of both objects and of the association, its traits `from` and `to`
 * their ids. Source: RudderStack docs, HubSpot, Reverse ETL, associations; HubSpot docs, CRM API v3, associations.
 */
export function association(event: JsonObject, settings: HubspotSettings): DeliveryRequest | MappingError {
  const { fromObjectType: from, toObjectType: to, associationTypeId: type } = firstExternalId(event) ?? {}
  const types = [from, to].filter((each): each is string => typeof each === 'string' && isSegment(each))
  if (types.length < 2 || !type)
    return instrumentationError('the external id needs a fromObjectType, a toObjectType and an associationTypeId')
  const [fromId, toId] = ['from', 'to'].map((side) => valueAt(event, ['traits', side, 'id']))
  if (!fromId || !toId) return instrumentationError('the traits of an association need from.id and to.id')
  const input = { from: { id: convert.text(fromId) }, to: { id: convert.text(toId) }, type: convert.text(type) }
  const path = `/crm/v3/associations/${types.join('/')}/batch/create`
  return json({ ...hubspotCall(path, settings), body: { inputs: [input] } })
}
