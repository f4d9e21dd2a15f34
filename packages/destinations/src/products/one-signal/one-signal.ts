import { defineDestination } from '../../kit/index.ts'
import { deviceFields, deviceModel } from './device-model.ts'
import { oneSignalExamples } from './one-signal-examples.ts'
import { oneSignalSettings } from './one-signal-settings.ts'
import { userFields, userModel } from './user-model.ts'

/**
 * Sends users to OneSignal, and their events and groups as tags.
 *
 * Source: RudderStack docs, OneSignal destination; recorded behaviour of RudderStack's one_signal destination.
 */
export const oneSignal = defineDestination({
  type: 'ONE_SIGNAL',
  displayName: 'OneSignal',
  otherNames: [],
  supports: ['identify', 'track', 'group'],
  settings: oneSignalSettings,
  secrets: ['appId'],
  mappings: { deviceFields, userFields },
  requests: (event, settings) => (settings.version === 'V2' ? userModel : deviceModel)(event, settings),
  limits: [
    'Only texts become tags; other values of traits and properties are not sent.',
    'The locale is sent as language, and as laguage, which RudderStack sends and OneSignal does not read.',
    'The device of an identified user is known for the channels web (anonymousId) and mobile (context.device.token).',
  ],
  examples: oneSignalExamples,
})
