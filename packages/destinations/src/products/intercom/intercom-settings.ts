import { type Static, Type } from 'typebox'
import { eventFilterSettings, field, regionHosts } from '../../kit/index.ts'

/** The regions of Intercom. Source: Intercom docs, Using the Intercom API. */
export const intercomRegions = regionHosts(
  {
    standard: ['United States', 'https://api.intercom.io'],
    eu: ['Europe', 'https://api.eu.intercom.io'],
    au: ['Australia', 'https://api.au.intercom.io'],
  },
  { title: 'Region', description: 'Region of the workspace.', default: 'standard' },
)

/** The settings of the Intercom destination. Source: RudderStack docs, Intercom destination. */
export const intercomSettings = Type.Object({
  appId: field.text({ title: 'App id', description: 'For SDKs: id of the Intercom workspace.' }),
  apiKey: field.textOrNull({
    title: 'Access token',
    description: 'Access token of an Intercom app.',
  }),
  apiServer: intercomRegions.setting,
  apiVersion: field.choiceOf(
    { v1: '1.4', v2: '2.10' },
    { title: 'API version', description: 'Version of the Intercom API. Intercom has retired v1.', default: 'v2' },
  ),
  sendAnonymousId: field.flag({
    title: 'Send the anonymousId',
    description: 'Uses the anonymousId when there is no userId.',
  }),
  blacklistedEvents: eventFilterSettings.blacklistedEvents,
  whitelistedEvents: eventFilterSettings.whitelistedEvents,
  updateLastRequestAt: field.flag({
    title: 'Update the last request',
    description: 'Version v1 only: updates the time when the user was last seen.',
    default: true,
  }),
  eventFilteringOption: eventFilterSettings.eventFilteringOption,
})

export type IntercomSettings = Static<typeof intercomSettings>
