import type { JsonObject, JsonValue } from '@sluice/core'
import { list } from '../../kit/convert/choose.ts'
import { isoDate, milliseconds } from '../../kit/convert/time.ts'
import type { DeliveryRequest } from '../../kit/map/delivery-request.ts'
import { isMappingError, type MappingError } from '../../kit/map/mapping-error.ts'
import { generic } from '../../kit/rules/generic-fields.ts'
import { valueAt } from '../../kit/rules/key-path.ts'
import { onceProperties, profileProperties, profileSource } from './mixpanel-profile.ts'
import { distinctIdOf, profileRequest } from './mixpanel-request.ts'
import type { MixpanelSettings } from './mixpanel-settings.ts'
import { nested, takeTraits } from './taken-traits.ts'

/** What changes on the profile of an identified user: first the traits with operations of their own, then all others. */
export function profileUpdates(
  event: JsonObject,
  settings: MixpanelSettings,
): readonly DeliveryRequest[] | MappingError {
  const source = profileSource(event)
  const once = takeTraits(source.traits, namesIn(settings.setOnceProperties))
  const union = takeTraits(once.others, namesIn(settings.unionProperties))
  const append = takeTraits(union.others, namesIn(settings.appendProperties))
  const setOnce = onceProperties({ traits: nested(once.taken) }, settings)
  const set = profileProperties({ ...source, traits: append.others }, settings)
  if (isMappingError(setOnce)) return setOnce
  if (isMappingError(set)) return set
  const ip = ipOf(event)
  const isInactive = valueAt(event, ['context', 'active']) === false
  return [
    ...changed('$set_once', setOnce),
    ...changed('$union', Object.fromEntries(union.taken.map(([name, value]) => [name, list(value)]))),
    ...changed('$append', Object.fromEntries(append.taken)),
    profileRequest('engage', event, settings, {
      $set: set,
      ...about(event, settings),
      ...(ip !== undefined && { $ip: ip }),
      $time: milliseconds(timestampOf(event)) ?? null,
      // The user was not there when this was learnt: Mixpanel is not to take it for their last visit.
      ...(isInactive && { $ignore_time: true }),
    }),
  ]

  function changed(operation: string, members: JsonObject): readonly DeliveryRequest[] {
    return Object.keys(members).length === 0 ? [] : [operationRequest(event, settings, operation, members)]
  }
}

/** Tells what the user of a track event spent. */
export function transaction(event: JsonObject, settings: MixpanelSettings, amount: number): DeliveryRequest {
  const time = isoDate(timestampOf(event))
  return operationRequest(event, settings, '$append', { $transactions: { $time: time, $amount: amount } })
}

/** One change of the profile of the user of an event. Source: Mixpanel's API, User Profiles. */
export function operationRequest(
  event: JsonObject,
  settings: MixpanelSettings,
  operation: string,
  members: JsonObject,
): DeliveryRequest {
  return profileRequest('engage', event, settings, { [operation]: members, ...about(event, settings) })
}

/** Where the user was: Mixpanel tells the place by it. */
export function ipOf(event: JsonObject): JsonValue | undefined {
  return valueAt(event, ['context', 'ip']) || event['request_ip'] || undefined
}

/** The names that a list of settings gives. */
export function namesIn(properties: MixpanelSettings['setOnceProperties']): readonly string[] {
  return properties.flatMap(({ property }) => (typeof property === 'string' && property !== '' ? [property] : []))
}

function about(event: JsonObject, settings: MixpanelSettings): JsonObject {
  return { $token: settings.token, $distinct_id: distinctIdOf(event, settings) }
}

function timestampOf(event: JsonObject): JsonValue {
  return generic.timestamp.map((path) => event[path]).find(Boolean) ?? null
}
