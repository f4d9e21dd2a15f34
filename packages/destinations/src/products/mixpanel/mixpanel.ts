import {
  convert,
  type DeliveryRequest,
  defineDestination,
  everyType,
  instrumentationError,
  isMappingError,
  type Mapping,
  type MappingError,
  type TypedEvent,
  valueAt,
} from '../../kit/index.ts'
import { eventNameOf } from './event-name.ts'
import { importTime } from './import-time.ts'
import { bytesMax, groupsMax, itemsMax, mixpanelBatch } from './mixpanel-batch.ts'
import { mixpanelDeletion, profilesMax, taskUsersMax } from './mixpanel-deletion.ts'
import { aliasProperties, eventProperties, incrementsOf, insertIdLengthMax, mergeProperties } from './mixpanel-event.ts'
import { mixpanelExamples } from './mixpanel-examples.ts'
import { groupUpdates } from './mixpanel-group.ts'
import { onceProperties, profileProperties } from './mixpanel-profile.ts'
import { distinctIdOf, importRequest } from './mixpanel-request.ts'
import { type MixpanelSettings, mixpanelSettings } from './mixpanel-settings.ts'
import { namesIn, operationRequest, profileUpdates, transaction } from './mixpanel-updates.ts'
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
    switch (event.type) {
      case 'identify':
        return identified(event, settings)
      case 'group':
        return grouped(event, settings)
      case 'alias':
        return isTooOld(event, now) ? tooOld : aliasRequest(event, settings)
      default:
        return isTooOld(event, now) ? tooOld : eventRequests(event, settings)
    }
  },
  limits: [
    'An event needs a valid timestamp or originalTimestamp; without a user, it updates no profile.',
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

const noUser = instrumentationError('the event has neither userId nor anonymousId')
const noTime = instrumentationError('neither timestamp nor originalTimestamp of the event is a valid date')
const tooOld = instrumentationError(`the event is older than ${ageMaxYears} years, which Mixpanel does not import`)

function identified(event: TypedEvent, settings: MixpanelSettings): readonly DeliveryRequest[] | MappingError {
  if (!isOfSomeone(event, settings)) return noUser
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

function grouped(event: TypedEvent, settings: MixpanelSettings): readonly DeliveryRequest[] | MappingError {
  const updates = groupUpdates(event, settings)
  return isMappingError(updates) || isOfSomeone(event, settings) ? updates : noUser
}

/**
 * Maps a track event. It may also update the profile of its user, by revenue and increments. Mixpanel accepts events
 * without a user, but no profiles.
 */
function eventRequests(event: TypedEvent, settings: MixpanelSettings): readonly DeliveryRequest[] | MappingError {
  if (importTime(event) === undefined) return noTime
  const name = eventNameOf(event, settings)
  if (isMappingError(name)) return name
  const importRequest = imported(event, settings, name, eventProperties)
  if (isMappingError(importRequest)) return importRequest
  if (event.type !== 'track' || !isOfSomeone(event, settings)) return [importRequest]
  const revenue = convert.number(valueAt(event, ['properties', 'revenue']) ?? null)
  const increments = incrementsOf(event, namesIn(settings.propIncrements))
  return [
    ...(revenue ? [transaction(event, settings, revenue)] : []),
    ...(Object.keys(increments).length > 0 ? [operationRequest(event, settings, '$add', increments)] : []),
    importRequest,
  ]
}

function aliasRequest(event: TypedEvent, settings: MixpanelSettings): DeliveryRequest | MappingError {
  if (settings.identityMergeApi === 'simplified') {
    return instrumentationError('projects with simplified identity merge do not accept alias events')
  }
  const { userId, previousId, anonymousId } = event
  if (!userId) return instrumentationError('an alias event needs a userId')
  const other = previousId || anonymousId
  if (!other) return instrumentationError('an alias event needs a previousId or an anonymousId')
  if (convert.text(other) === convert.text(userId))
    return instrumentationError(`the user ${convert.text(userId)} is an alias of itself`)
  return imported(event, settings, '$create_alias', aliasProperties)
}

function imported(
  event: TypedEvent,
  settings: MixpanelSettings,
  name: string,
  mapping: Mapping,
): DeliveryRequest | MappingError {
  const properties = mapping(event, settings)
  return isMappingError(properties) ? properties : importRequest(event, settings, { event: name, properties })
}

function isOfSomeone(event: TypedEvent, settings: MixpanelSettings): boolean {
  return distinctIdOf(event, settings) !== undefined
}

function isTooOld({ timestamp }: TypedEvent, now: number): boolean {
  const at = timestamp ? convert.milliseconds(timestamp) : undefined
  if (at === undefined) return false
  const oldest = new Date(now)
  oldest.setUTCFullYear(oldest.getUTCFullYear() - ageMaxYears)
  return at < oldest.getTime()
}
