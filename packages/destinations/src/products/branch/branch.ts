import { isJsonObject, type JsonObject } from '@sluice/core'
import { Type } from 'typebox'
import {
  convert,
  defineDestination,
  deviceIds,
  eventFilterSettings,
  field,
  firstAt,
  generic,
  instrumentationError,
  isMappingError,
  json,
  limitedAdvertisingIds,
  mapping,
  to,
  valueAt,
} from '../../kit/index.ts'
import { branchExamples } from './branch-examples.ts'
import { branchName } from './branch-name.ts'
import { eventDetails } from './event-details.ts'

const userData = mapping([
  to('os').from('context.os.name'),
  to('os_version').from('context.os.version'),
  to('app_version').from('context.app.version'),
  to('model').from('context.device.model'),
  to('screen_dpi').from('context.screen.density'),
  to('screen_height').from('context.screen.height'),
  to('screen_width').from('context.screen.width'),
  to('developer_identity').from(generic.userId).as(convert.id),
  to('user_agent').from('context.userAgent'),
  ...deviceIds('context.os.name', {
    apple: { advertisingId: 'idfa', id: 'idfv' },
    android: { advertisingId: 'aaid', id: 'android_id' },
  }),
  to('limit_ad_tracking').compute(limitsTracking),
])

const userIdOf = firstAt(generic.userId)
const traitsOf = firstAt(generic.traits, isJsonObject)

/**
 * Sends events and users to Branch. A user is a custom event that is named after the user.
 *
 * Source: RudderStack docs, Branch destination; Branch docs, Event Logging API v2; recorded behaviour of RudderStack's
 * branch destination.
 */
export const branch = defineDestination({
  type: 'BRANCH',
  displayName: 'Branch Metrics',
  supports: ['identify', 'track'],
  matchesTypesExactly: true,
  settings: Type.Object({
    branchKey: field.requiredText({ title: 'Branch key', description: 'Key of the Branch app.' }),
    eventsMapping: field.pairs({
      title: 'Event names',
      description: 'Names of events in Branch, such as PURCHASE. They replace the names that events otherwise get.',
      from: 'Name of the event.',
      to: 'Name of the event in Branch.',
    }),
    ...limitedAdvertisingIds,
    ...eventFilterSettings,
  }),
  secrets: ['branchKey'],
  mappings: { userData },
  requests(event, settings) {
    const isTrack = event.type === 'track'
    const given = isTrack ? event['event'] : userIdOf(event)
    if ((typeof given !== 'string' && typeof given !== 'number') || given === '') {
      return instrumentationError(isTrack ? 'the event needs a name' : 'the event needs a userId or anonymousId')
    }
    const { name, isStandard } = isTrack
      ? branchName(String(given), settings.eventsMapping)
      : { name: given, isStandard: false }
    const user_data = userData(event, settings)
    if (isMappingError(user_data)) return user_data
    const properties = isTrack ? event['properties'] : traitsOf(event)
    return json({
      method: 'POST',
      endpoint: `https://api2.branch.io/v2/event/${isStandard ? 'standard' : 'custom'}`,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: {
        ...(isJsonObject(properties) && eventDetails(properties, isStandard)),
        user_data,
        name,
        branch_key: settings.branchKey,
      },
      userId: convert.text(event['anonymousId'] ?? ''),
    })
  },
  limits: [
    'Ids of devices are sent when context.os.name is Android or a mobile platform of Apple.',
    'limit_ad_tracking is false when context.device.attTrackingStatus is 3 (authorized); adTrackingEnabled is not read.',
    'Order Completed becomes ADD_PAYMENT_INFO unless eventsMapping maps it to PURCHASE.',
  ],
  examples: branchExamples,
})

const authorized = 3 // source: Apple docs, ATTrackingManager.AuthorizationStatus

/** Returns whether the user refused or did not give consent to tracking; undefined when the device reports nothing. */
function limitsTracking(event: JsonObject): boolean | undefined {
  const status = valueAt(event, ['context', 'device', 'attTrackingStatus'])
  return status === undefined || status === null ? undefined : status !== authorized
}
