import { type Static, Type } from 'typebox'
import { field } from '../../kit/index.ts'

/** The settings of the OneSignal destination. Source: RudderStack docs, OneSignal destination. */
export const oneSignalSettings = Type.Object({
  appId: field.requiredText({ title: 'App id', description: 'Id of the OneSignal app.' }),
  version: field.choice(
    { V1: 'Device model (deprecated)', V2: 'User model' },
    { title: 'Event version', description: 'API of OneSignal to use; the device model when absent.' },
  ),
  emailDeviceType: field.flag({
    title: 'Add a device or subscription for the email',
    description: 'Registers the email of identified users.',
  }),
  smsDeviceType: field.flag({
    title: 'Add a device or subscription for the phone number',
    description: 'Registers the phone number of identified users.',
  }),
  eventAsTags: field.flag({
    title: 'Concatenate event names with properties',
    description: 'Prefixes the tags of properties with the name of their event: add_to_cart_brand.',
  }),
  allowedProperties: field.names('propertyName', {
    title: 'Allowed properties',
    description: 'Properties of events and traits of groups that are sent as tags.',
  }),
})

export type OneSignalSettings = Static<typeof oneSignalSettings>
