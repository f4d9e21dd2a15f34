import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  configurationError,
  type DeliveryRequest,
  generic,
  instrumentationError,
  type MappingError,
  valueAt,
} from '../../kit/index.ts'
import { distinctIdOf, profileRequest } from './mixpanel-request.ts'
import type { MixpanelSettings } from './mixpanel-settings.ts'
import { ipOf } from './mixpanel-updates.ts'

/** Returns requests that add the user of an event to its groups and update the groups. */
export function groupUpdates(event: JsonObject, settings: MixpanelSettings): readonly DeliveryRequest[] | MappingError {
  const keys = settings.groupKeySettings.flatMap(({ groupKey }) =>
    typeof groupKey === 'string' && groupKey !== '' ? [groupKey] : [],
  )
  if (keys.length === 0) return configurationError('groupKeySettings must name the traits that identify groups')
  const requests = keys.flatMap((key) => updatesOf(event, settings, key))
  if (requests.length > 0) return requests
  return instrumentationError(`the event has none of the group keys of the settings (${keys.join(', ')})`)
}

function updatesOf(event: JsonObject, settings: MixpanelSettings, key: string): readonly DeliveryRequest[] {
  const value = groupsOf(event, key)
  if (!value && value !== 0) return []
  const groups = Array.isArray(value) ? value : [value]
  const ip = ipOf(event)
  const user = {
    $token: settings.token,
    $distinct_id: distinctIdOf(event, settings),
    $set: { [key]: groups },
    ...(ip !== undefined && { $ip: ip }),
  }
  const traits = isJsonObject(event['traits']) ? event['traits'] : {}
  return [
    profileRequest('engage', event, settings, user),
    ...groups.map((id) => {
      const group = { $token: settings.token, $group_key: key, $group_id: id, $set: traits }
      return profileRequest('groups', event, settings, group)
    }),
  ]
}

function groupsOf(event: JsonObject, key: string): JsonValue | undefined {
  const paths = key === 'groupId' ? generic.groupId : [`traits.${key}`, `context.traits.${key}`]
  return paths.map((path) => valueAt(event, path.split('.'))).find((value) => value || value === 0)
}
