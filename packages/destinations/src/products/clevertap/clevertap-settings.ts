import { type Static, Type } from 'typebox'
import { eventFilterSettings, field } from '../../kit/index.ts'

/** The settings of the CleverTap destination. Source: RudderStack docs, CleverTap destination. */
export const clevertapSettings = Type.Object({
  accountId: field.text({ title: 'Account id', description: 'Id of the CleverTap project.' }),
  accountToken: field.text({ title: 'Account token', description: 'For SDKs: token of the project.' }),
  passcode: field.text({ title: 'Passcode', description: 'Passcode of the project.' }),
  region: field.text({
    title: 'Region',
    description: 'Region of the project, such as in1 or us1; Europe when none or absent.',
    placeholder: 'in1',
    pattern: '^[a-z0-9]*$',
    allowed: 'a region of CleverTap, such as in1',
  }),
  trackAnonymous: field.flag({
    title: 'Track anonymous users',
    description: 'Accepts events of users without a userId.',
  }),
  enableObjectIdMapping: field.flag({
    title: 'Use the CleverTap object id',
    description: 'Sends the anonymousId as the CleverTap id of the device, and uploads push tokens of devices.',
  }),
  ...eventFilterSettings,
})

export type ClevertapSettings = Static<typeof clevertapSettings>
