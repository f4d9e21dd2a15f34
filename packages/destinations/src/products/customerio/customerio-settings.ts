import { type Static, Type } from 'typebox'
import { eventFilterSettings } from '../../kit/index.ts'

/** The settings of the Customer.io destination. Source: RudderStack docs, Customer.io destination. */
export const customerioSettings = Type.Object({
  apiKey: Type.String({ minLength: 1, description: 'Key of the Track API.', allowed: 'an API key' }),
  siteID: Type.String({ minLength: 1, description: 'Site id for the key.', allowed: 'a site id' }),
  datacenter: Type.Enum(['US', 'EU'], {
    choices: { US: 'United States', EU: 'Europe' },
    default: 'US',
    description: 'Region of the workspace.',
  }),
  deviceTokenEventName: Type.Optional(
    Type.String({ description: 'Track event that registers a device, besides those of the app lifecycle.' }),
  ),
  ...eventFilterSettings,
  apiVersion: Type.Enum(['v1', 'v2'], {
    choices: { v1: 'Track API v1', v2: 'Track API v2 (batches)' },
    default: 'v1',
    description: 'v2 sends everything in batches; v1 batches only groups and records.',
    isUnlisted: true,
  }),
})

export type CustomerioSettings = Static<typeof customerioSettings>
