import type { JsonObject, JsonValue } from '@sluice/core'
import { convert, type DeliveryRequest, isMappingError, type MappingError, valueAt } from '../../kit/index.ts'
import { importTime } from './import-time.ts'
import { onceProperties, profileProperties, profileSource } from './mixpanel-profile.ts'
import { distinctIdOf, profileRequest } from './mixpanel-request.ts'
import type { MixpanelSettings } from './mixpanel-settings.ts'
import { nested, takeTraits } from './taken-traits.ts'

/** Returns the profile updates for an identified user: first traits with special operations, then all others. */
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
    ...changed('$union', Object.fromEntries(union.taken.map(([name, value]) => [name, convert.list(value)]))),
    ...changed('$append', Object.fromEntries(append.taken)),
    profileRequest('engage', event, settings, {
      $set: set,
      ...about(event, settings),
      ...(ip !== undefined && { $ip: ip }),
      $time: importTime(event) ?? null,
      // The user was not active, so Mixpanel must not change the time of the last visit.
      ...(isInactive && { $ignore_time: true }),
    }),
  ]

  function changed(operation: string, members: JsonObject): readonly DeliveryRequest[] {
    return Object.keys(members).length === 0 ? [] : [operationRequest(event, settings, operation, members)]
  }
}

/** Returns a request that adds the revenue of a track event to the profile of its user. */
export function transaction(event: JsonObject, settings: MixpanelSettings, amount: number): DeliveryRequest {
  const time = convert.isoDate(importTime(event) ?? null)
  return operationRequest(event, settings, '$append', { $transactions: { $time: time, $amount: amount } })
}

/** Returns one update of the profile of the user of an event. Source: Mixpanel's API, User Profiles. */
export function operationRequest(
  event: JsonObject,
  settings: MixpanelSettings,
  operation: string,
  members: JsonObject,
): DeliveryRequest {
  return profileRequest('engage', event, settings, { [operation]: members, ...about(event, settings) })
}

/** Returns the IP address of the user, from which Mixpanel derives the location. */
export function ipOf(event: JsonObject): JsonValue | undefined {
  return valueAt(event, ['context', 'ip']) || event['request_ip'] || undefined
}

/** Returns the names in a list of settings. */
export function namesIn(properties: MixpanelSettings['setOnceProperties']): readonly string[] {
  return properties.flatMap(({ property }) => (typeof property === 'string' && property !== '' ? [property] : []))
}

function about(event: JsonObject, settings: MixpanelSettings): JsonObject {
  return { $token: settings.token, $distinct_id: distinctIdOf(event, settings) }
}
