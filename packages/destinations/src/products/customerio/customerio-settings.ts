import { type Static, Type } from 'typebox'
import { eventFilterSettings } from '../../kit/event-filter/event-filter-settings.ts'

/** The settings of the Customer.io destination. Source: RudderStack docs, Customer.io destination. */
export const customerioSettings = Type.Object({
  apiKey: Type.String({ minLength: 1, description: 'Key of the Track API.', allowed: 'an API key' }),
  siteID: Type.String({ minLength: 1, description: 'Site id that goes with the key.', allowed: 'a site id' }),
  datacenter: Type.Enum(['US', 'EU'], { default: 'US', description: 'Where the workspace is.' }),
  deviceTokenEventName: Type.Optional(
    Type.String({ description: 'Track event that tells a new device token, besides those of the life of an app.' }),
  ),
  ...eventFilterSettings,
  apiVersion: Type.Enum(['v1', 'v2'], {
    default: 'v1',
    description: 'v2 sends everything in batches; v1 sends all but groups and records by itself.',
    isUnlisted: true,
  }),
})

export type CustomerioSettings = Static<typeof customerioSettings>
