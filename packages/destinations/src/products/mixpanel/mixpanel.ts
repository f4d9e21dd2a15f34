import {
  defineDestination,
  everyType,
  instrumentationError,
  isMappingError,
  type Mapped,
  type Mapping,
  type TypedEvent,
  valueAt,
} from '../../kit/index.ts'
import { eventNameOf } from './event-name.ts'
import { bytesMax, groupsMax, itemsMax, mixpanelBatch } from './mixpanel-batch.ts'
import { mixpanelDeletion, profilesMax, taskUsersMax } from './mixpanel-deletion.ts'
import {
  aliasProperties,
  eventProperties,
  insertIdLengthMax,
  mergeProperties,
  otherCampaign,
} from './mixpanel-event.ts'
import { mixpanelExamples } from './mixpanel-examples.ts'
import { onceProperties, profileProperties } from './mixpanel-profile.ts'
import { distinctIdOf, importTime, mixpanelRequest, noUser } from './mixpanel-request.ts'
import { type MixpanelSettings, mixpanelSettings } from './mixpanel-settings.ts'
import { groupUpdates, profileUpdates, trackUpdates } from './mixpanel-updates.ts'
import { respondToMixpanel } from './respond-to-mixpanel.ts'

const ageMaxYears = 5 // Mixpanel imports nothing older

/**
 * Sends events (import), user profiles (engage) and groups (groups) to Mixpanel.
 *
 * Source: recorded behaviour of RudderStack's mp destination; Mixpanel's ingestion API; RudderStack docs, Mixpanel
 * destination.
 */
export const mixpanel = defineDestination({
  type: 'MP',
  displayName: 'Mixpanel',
  supports: everyType,
  matchesTypesExactly: true,
  settings: mixpanelSettings,
  secrets: ['serviceAccountSecret', 'gdprApiToken'],
  mappings: { eventProperties, profileProperties, onceProperties, mergeProperties, aliasProperties },
  requests(event, settings, { now }) {
    if (event.type === 'identify') return identified(event, settings)
    if (event.type === 'group') return groupUpdates(event, settings)
    if (isTooOld(event, now)) return tooOld
    return event.type === 'alias' ? aliasRequest(event, settings) : eventRequests(event, settings)
  },
  limits: [
    'An event needs a valid timestamp or originalTimestamp; without a user, it updates no profile.',
    'Traits and properties that are a text are ignored; RudderStack sends each of their characters.',
    'As in RudderStack, campaign_id is the name of the campaign, and $brand the brand of the product.',
    `A batch has at most ${itemsMax} events or profiles, or ${groupsMax} groups, and ${bytesMax} bytes.`,
    `Events older than ${ageMaxYears} years fail.`,
    `Only the last ${insertIdLengthMax} characters of a messageId are used.`,
    `A deletion has at most ${profilesMax} profiles, or ${taskUsersMax} users with userDeletionApi task.`,
  ],
  batch: mixpanelBatch,
  respond: respondToMixpanel,
  deletion: mixpanelDeletion,
  examples: mixpanelExamples,
})

const noTime = instrumentationError('neither timestamp nor originalTimestamp of the event is a valid date')
const tooOld = instrumentationError(`the event is older than ${ageMaxYears} years, which Mixpanel does not import`)

function identified(event: TypedEvent, settings: MixpanelSettings): Mapped {
  if (distinctIdOf(event, settings) === undefined) return noUser
  const geoSource = valueAt(event, ['context', 'location', 'geoSource'])
  if (geoSource && geoSource !== 'reverse_geocoding') {
    return instrumentationError("context.location.geoSource must be null or 'reverse_geocoding'")
  }
  const updates = profileUpdates(event, settings)
  const isMerge = settings.identityMergeApi !== 'simplified' && event['userId'] && event['anonymousId']
  if (isMappingError(updates) || !isMerge) return updates
  const merge = imported(event, settings, '$merge', mergeProperties)
  return isMappingError(merge) ? merge : [...updates, merge]
}

/**
 * Maps a track event. It may also update the profile of its user, by revenue and increments. Mixpanel accepts events
 * without a user, but no profiles.
 */
function eventRequests(event: TypedEvent, settings: MixpanelSettings): Mapped {
  if (importTime(event) === undefined) return noTime
  const name = eventNameOf(event, settings)
  if (isMappingError(name)) return name
  const request = imported(event, settings, name, eventProperties)
  if (isMappingError(request)) return request
  const isOfSomeone = distinctIdOf(event, settings) !== undefined
  return event.type === 'track' && isOfSomeone ? [...trackUpdates(event, settings), request] : [request]
}

function aliasRequest(event: TypedEvent, settings: MixpanelSettings): Mapped {
  if (settings.identityMergeApi === 'simplified') {
    return instrumentationError('projects with simplified identity merge do not accept alias events')
  }
  const properties = aliasProperties(event, settings)
  if (isMappingError(properties)) return properties
  const { distinct_id: id, alias } = properties
  if (id === alias) return instrumentationError(`the user ${id} is an alias of itself`)
  return mixpanelRequest('import', event, settings, { event: '$create_alias', properties })
}

function imported(event: TypedEvent, settings: MixpanelSettings, name: string, mapping: Mapping) {
  const properties = mapping(event, settings)
  if (isMappingError(properties)) return properties
  return mixpanelRequest('import', event, settings, {
    event: name,
    properties: mapping === eventProperties ? { ...otherCampaign(event), ...properties } : properties,
  })
}

function isTooOld(event: TypedEvent, now: number): boolean {
  const oldest = new Date(now)
  return Number(importTime(event)) < oldest.setUTCFullYear(oldest.getUTCFullYear() - ageMaxYears)
}
