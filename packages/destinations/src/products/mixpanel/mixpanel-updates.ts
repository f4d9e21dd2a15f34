import type { JsonObject } from '@sluice/core'
import {
  configurationError,
  convert,
  type DeliveryRequest,
  firstAt,
  generic,
  instrumentationError,
  isMappingError,
  type MappingError,
  objectOrEmpty,
  valueAt,
} from '../../kit/index.ts'
import { onceProperties, profileProperties, profileSource } from './mixpanel-profile.ts'
import { distinctIdOf, importTime, mixpanelRequest, noUser } from './mixpanel-request.ts'
import type { MixpanelSettings } from './mixpanel-settings.ts'
import { nested, takeTraits } from './taken-traits.ts'

type Updates = readonly DeliveryRequest[]

/** Returns the profile updates for an identified user: first traits with special operations, then all others. */
export function profileUpdates(event: JsonObject, settings: MixpanelSettings): Updates | MappingError {
  const source = profileSource(event)
  const once = takeTraits(source.traits, namesIn(settings.setOnceProperties))
  const union = takeTraits(once.others, namesIn(settings.unionProperties))
  const append = takeTraits(union.others, namesIn(settings.appendProperties))
  const setOnce = onceProperties({ traits: nested(once.taken) }, settings)
  const $set = profileProperties({ ...source, traits: append.others }, settings)
  if (isMappingError(setOnce)) return setOnce
  if (isMappingError($set)) return $set
  const lists = Object.fromEntries(union.taken.map(([name, value]) => [name, convert.list(value)]))
  // When the user was not active, Mixpanel must not change the time of the last visit.
  const $ignore_time = valueAt(event, ['context', 'active']) === false || undefined
  const visit = { $ip: addressOf(event), $time: importTime(event) ?? null, $ignore_time }
  return [
    ...operation(event, settings, '$set_once', setOnce),
    ...operation(event, settings, '$union', lists),
    ...operation(event, settings, '$append', Object.fromEntries(append.taken)),
    mixpanelRequest('engage', event, settings, { $set, ...userOf(event, settings), ...visit }),
  ]
}

/** Returns the profile updates of a track event: its revenue, and its properties that increment values. */
export function trackUpdates(event: JsonObject, settings: MixpanelSettings): Updates {
  const properties = objectOrEmpty(event['properties'])
  const $amount = convert.number(properties['revenue'] ?? null)
  const $time = convert.isoDate(importTime(event) ?? null)
  const names = namesIn(settings.propIncrements).filter((name) => Object.hasOwn(properties, name) && properties[name])
  return [
    ...operation(event, settings, '$append', $amount ? { $transactions: { $time, $amount } } : {}),
    ...operation(event, settings, '$add', Object.fromEntries(names.map((name) => [name, properties[name]]))),
  ]
}

/** Returns requests that add the user of an event to its groups and update the groups. */
export function groupUpdates(event: JsonObject, settings: MixpanelSettings): Updates | MappingError {
  const keys = settings.groupKeySettings.flatMap(({ groupKey }) => groupKey || [])
  if (keys.length === 0) return configurationError('groupKeySettings must name the traits that identify groups')
  if (distinctIdOf(event, settings) === undefined) return noUser
  const requests = keys.flatMap((key) => updatesOfGroups(event, settings, key))
  if (requests.length > 0) return requests
  return instrumentationError(`the event has none of the group keys of the settings (${keys.join(', ')})`)
}

function updatesOfGroups(event: JsonObject, settings: MixpanelSettings, key: string): Updates {
  const paths = key === 'groupId' ? generic.groupId : [`traits.${key}`, `context.traits.${key}`]
  const value = paths.map((path) => valueAt(event, path.split('.'))).find((found) => found || found === 0)
  if (value === undefined) return []
  const groups = Array.isArray(value) ? value : [value]
  const user = { ...userOf(event, settings), $set: { [key]: groups }, $ip: addressOf(event) }
  const $set = objectOrEmpty(event['traits'])
  const about = { $token: settings.token, $group_key: key }
  return [
    mixpanelRequest('engage', event, settings, user),
    ...groups.map(($group_id) => mixpanelRequest('groups', event, settings, { ...about, $group_id, $set })),
  ]
}

/** Returns an update of the profile of a user; none without members. Source: Mixpanel's API, User Profiles. */
function operation(event: JsonObject, settings: MixpanelSettings, name: string, members: JsonObject): Updates {
  if (Object.keys(members).length === 0) return []
  return [mixpanelRequest('engage', event, settings, { [name]: members, ...userOf(event, settings) })]
}

function userOf(event: JsonObject, settings: MixpanelSettings): JsonObject {
  return { $token: settings.token, $distinct_id: distinctIdOf(event, settings) }
}

/** Mixpanel derives the location of the user from the IP address. */
const addressOf = firstAt(['context.ip', 'request_ip'])

/** Returns the names in a list of settings. */
function namesIn(properties: MixpanelSettings['setOnceProperties']): readonly string[] {
  return properties.flatMap(({ property }) => property || [])
}
