import { Type } from 'typebox'
import { eventFilterSettings } from '../../kit/index.ts'

const flag = (description: string) => Type.Boolean({ default: false, description })

const text = (description: string) => Type.Optional(Type.String({ description }))

/** The settings of the Braze destination. Source: RudderStack docs, Braze destination. */
export const brazeSettings = Type.Object({
  appKey: text('Identifier of the app in Braze, for its SDKs.'),
  dataCenter: text('Braze instance of the workspace, such as US-03 or EU-01.'),
  restApiKey: text('Key for the REST API of Braze. To delete users, it needs the permission users.delete.'),
  enableSubscriptionGroupInGroupCall: flag('Treats group events as subscriptions to subscription groups.'),
  enableNestedArrayOperations: flag('Treats traits that are lists of objects as operations on such lists.'),
  supportDedup: flag('Leaves out traits that Braze already has.'),
  sendPurchaseEventWithExtraProperties: flag('Sends purchases with all their properties.'),
  ...eventFilterSettings,
  usePlatformSpecificApiKeys: flag('For SDKs: uses the key of the platform instead of appKey.'),
  androidApiKey: text('For SDKs on Android: identifier of the app.'),
  iOSApiKey: text('For SDKs on iOS: identifier of the app.'),
  webApiKey: text('For browser SDKs: identifier of the app.'),
})
