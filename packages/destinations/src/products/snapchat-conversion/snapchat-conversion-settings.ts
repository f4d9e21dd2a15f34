import { Type } from 'typebox'
import { field } from '../../kit/index.ts'

/** The settings of the Snapchat Conversion destination. Source: RudderStack docs, Snapchat Conversion. */
export const snapchatConversionSettings = Type.Object({
  apiKey: field.requiredText({ title: 'API key', description: 'Token of the Conversions API.' }),
  pixelId: field.textOrNull({
    title: 'Pixel id',
    description: 'Id of the Snap Pixel, which receives events of web sites and offline events.',
  }),
  snapAppId: field.text({ title: 'Snap app id', description: 'Id of the app at Snapchat, for events of apps.' }),
  appId: field.text({ title: 'App id', description: 'Id of the app in the app store, for events of apps.' }),
  rudderEventsToSnapEvents: field.pairs({
    title: 'Names of events',
    description: 'Events of Snapchat for your events.',
    from: 'Name of your event.',
    to: 'Event of Snapchat, such as sign_up.',
  }),
  enableDeduplication: field.flag({
    title: 'Deduplication',
    description: 'Sends an id by which Snapchat recognises an event that it has already.',
  }),
  deduplicationKey: field.text({
    title: 'Deduplication key',
    description: 'Path of the id. Default: messageId.',
    placeholder: 'messageId',
    shownWhen: { enableDeduplication: true },
  }),
  apiVersion: field.choiceOf(
    { legacyApi: 'Version 2', newApi: 'Version 3' },
    { default: 'legacyApi', title: 'Version', description: 'Version of the Conversions API.' },
  ),
})
