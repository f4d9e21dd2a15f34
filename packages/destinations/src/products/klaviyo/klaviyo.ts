import type { JsonObject } from '@sluice/core'
import {
  ask,
  defineDestination,
  defined,
  externalId,
  isKnown,
  isMappingError,
  type Mapped,
  type MappingContext,
  mappingError,
  type TypedEvent,
  valueAt,
} from '../../kit/index.ts'
import { klaviyoBatch, profilesMax } from './klaviyo-batch.ts'
import { klaviyoDeletion } from './klaviyo-deletion.ts'
import { eventMapping, eventRequest } from './klaviyo-event.ts'
import { klaviyoExamples } from './klaviyo-examples.ts'
import { type KlaviyoProfile, oldProfileMapping, profileMapping, profileOf } from './klaviyo-profile.ts'
import { klaviyoRequest } from './klaviyo-request.ts'
import { type KlaviyoSettings, klaviyoSettings } from './klaviyo-settings.ts'
import { groupRequest, subscriptionOf } from './klaviyo-subscription.ts'
import { oldPropertiesOf } from './old-event.ts'

/**
 * Sends profiles, events and subscriptions to lists to Klaviyo.
 *
 * Source: RudderStack docs, Klaviyo cloud mode (old and new API); Klaviyo docs, API reference; recorded behaviour of
 * RudderStack's klaviyo destination.
 */
export const klaviyo = defineDestination({
  type: 'KLAVIYO',
  displayName: 'Klaviyo',
  otherNames: [],
  supports: ['group', 'identify', 'screen', 'track'],
  settings: klaviyoSettings,
  secrets: ['privateApiKey'],
  mappings: { profile: profileMapping, oldProfile: oldProfileMapping, event: eventMapping, ...oldPropertiesOf },
  requests(event, settings, context) {
    const profile = profileOf(event, settings)
    if (isMappingError(profile)) return profile
    if (event.type === 'group') return groupRequest(event, profile.attributes, settings)
    if (event.type !== 'identify') return eventRequest(event, profile, settings)
    return identified(event, profile, settings, context)
  },
  limits: [
    `A subscription job has at most ${profilesMax} profiles.`,
    'Phone numbers must be in the format E.164, except in the old revision.',
    'The old revision first creates a profile to learn its id, and cannot unsubscribe.',
    'Users are deleted by their email, because Klaviyo cannot find them by userId for this.',
  ],
  batch: klaviyoBatch,
  deletion: klaviyoDeletion,
  examples: klaviyoExamples,
})

/** Returns the id of the profile at Klaviyo, if the sender knows it. */
const klaviyoIdOf = externalId('klaviyo-profileId')

function identified(
  event: TypedEvent,
  profile: KlaviyoProfile,
  settings: KlaviyoSettings,
  context: MappingContext,
): Mapped {
  const { attributes } = profile
  const request =
    settings.apiVersion === 'v1'
      ? oldProfileRequest(attributes, settings, context)
      : profileRequest(event, profile, settings)
  if (!isKnown(request)) return request
  const subscription = subscriptionOf(event, attributes, settings)
  return subscription ? [request, subscription] : [request]
}

function profileRequest(event: TypedEvent, { attributes, patch }: KlaviyoProfile, settings: KlaviyoSettings) {
  const id = klaviyoIdOf(event)
  const data = { type: 'profile', ...defined({ id }), attributes, meta: { patch_properties: patch } }
  return klaviyoRequest({ path: '/api/profile-import', data }, settings)
}

/** The old revision changes profiles by their id, which Klaviyo returns when a profile is created. */
function oldProfileRequest(attributes: JsonObject, settings: KlaviyoSettings, context: MappingContext) {
  const path = '/api/profiles'
  const data = { type: 'profile', attributes }
  const id = ask(context, {
    key: `profile ${JSON.stringify(attributes)}`,
    request: klaviyoRequest({ path, data }, settings),
    // Klaviyo refuses a profile that exists already, and names it.
    accepts: [409],
    read: ({ body }) =>
      valueAt(body, ['data', 'id']) ??
      valueAt(body, ['errors', '0', 'meta', 'duplicate_profile_id']) ??
      mappingError('instrumentation', 'Klaviyo returned no id of the profile'),
    ttlMs: 0,
    changesData: true,
  })
  if (!isKnown(id)) return id
  return klaviyoRequest({ path, data: { ...data, id }, method: 'PATCH', id: String(id) }, settings)
}
