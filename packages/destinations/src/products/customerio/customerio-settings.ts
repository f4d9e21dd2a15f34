import { type Static, Type } from 'typebox'
import { eventFilterSettings, field } from '../../kit/index.ts'

/** The settings of the Customer.io destination. Source: RudderStack docs, Customer.io destination. */
export const customerioSettings = Type.Object({
  apiKey: field.requiredText({ title: 'API key', description: 'Key of the Track API.', allowed: 'an API key' }),
  siteID: field.requiredText({ title: 'Site id', description: 'Site id for the key.', allowed: 'a site id' }),
  datacenter: field.choiceOf(
    { US: 'United States', EU: 'Europe' },
    { title: 'Region', default: 'US', description: 'Region of the workspace.' },
  ),
  deviceTokenEventName: field.text({
    title: 'Device event',
    description: 'Track event that registers a device, besides those of the app lifecycle.',
  }),
  ...eventFilterSettings,
  apiVersion: field.choiceOf(
    { v1: 'Track API v1', v2: 'Track API v2 (batches)' },
    {
      title: 'API version',
      default: 'v1',
      description: 'v2 sends everything in batches; v1 batches only groups and records.',
      isUnlisted: true,
    },
  ),
})

export type CustomerioSettings = Static<typeof customerioSettings>
