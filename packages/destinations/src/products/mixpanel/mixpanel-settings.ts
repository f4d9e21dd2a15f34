import { type Static, Type } from 'typebox'
import { compressionSetting, eventFilterSettings } from '../../kit/index.ts'

const flag = (description: string) => Type.Boolean({ default: false, description })

const text = (description: string) => Type.Optional(Type.String({ description }))

const named = (name: string, description: string) =>
  Type.Array(Type.Object({ [name]: text('Name of the trait, property or event.') }), {
    default: [],
    description,
    allowed: `a list of objects with ${name}`,
  })

const traits = (description: string) => named('property', description)

const inBrowsers = (description: string) => `${description} Only used by Mixpanel's browser library.`

/**
 * The settings of the Mixpanel destination. Settings for Mixpanel's browser library are stored but not used.
 *
 * Source: RudderStack docs, Mixpanel destination.
 */
export const mixpanelSettings = Type.Object({
  token: Type.String({ minLength: 1, description: 'Token of the Mixpanel project.', allowed: 'a project token' }),
  groupKeySettings: named('groupKey', 'Traits of group events that identify groups.'),
  dataResidency: Type.Enum(['us', 'eu', 'in'], {
    choices: { us: 'United States', eu: 'Europe', in: 'India' },
    default: 'us',
    description: 'Region of the project.',
  }),
  people: flag(inBrowsers('Creates profiles of users.')),
  setAllTraitsByDefault: flag(inBrowsers('Sets every trait as a property of profile and events.')),
  superProperties: traits(inBrowsers('Traits that are sent with every event.')),
  setOnceProperties: traits('Traits that are set on a profile once and never overwritten; paths (address.city) too.'),
  peopleProperties: traits(inBrowsers('Traits that are set on profiles.')),
  eventIncrements: traits(inBrowsers('Events that are counted on profiles.')),
  propIncrements: traits('Properties of track events that increment values on the profile.'),
  consolidatedPageCalls: flag(inBrowsers('Uses one event name for all pages.')),
  trackCategorizedPages: flag(inBrowsers('Sends pages that have a category.')),
  trackNamedPages: flag(inBrowsers('Sends pages that have a name.')),
  sourceName: text(inBrowsers('Name of the source.')),
  crossSubdomainCookie: flag(inBrowsers('Shares cookies between subdomains.')),
  persistence: text(inBrowsers('Data that is stored in the browser.')),
  persistenceType: text(inBrowsers('Kind of storage in the browser.')),
  persistenceName: text(inBrowsers('Name of the stored data.')),
  secureCookie: flag(inBrowsers('Restricts cookies to https.')),
  ...eventFilterSettings,
  useNewMapping: flag('Maps the traits firstName and lastName to $first_name and $last_name.'),
  serviceAccountUserName: text('Name of a service account. Not used: imports use the token.'),
  serviceAccountSecret: text('Secret of the service account. Not used.'),
  projectId: text('Id of the Mixpanel project. Not used.'),
  identityMergeApi: Type.Enum(['original', 'simplified'], {
    choices: { original: 'Original', simplified: 'Simplified' },
    default: 'original',
    description: 'How the project merges identities: original by merge events, simplified by events with both ids.',
  }),
  userDeletionApi: Type.Enum(['engage', 'task'], {
    choices: { engage: 'Profile only', task: 'All data (GDPR task)' },
    default: 'engage',
    description: 'How users are deleted: engage deletes profiles, task deletes all data of a user (GDPR API).',
  }),
  gdprApiToken: text('OAuth token for deletion tasks.'),
  strictMode: flag('Makes Mixpanel validate events and report which of a batch it refused.'),
  ignoreDnt: flag(inBrowsers('Ignores the Do Not Track setting of browsers.')),
  useUserDefinedPageEventName: flag('Names page events by userDefinedPageEventTemplate.'),
  userDefinedPageEventTemplate: text('Name of page events, with {{ paths }} of the event: Viewed {{ name }} page.'),
  useUserDefinedScreenEventName: flag('Names screen events by userDefinedScreenEventTemplate.'),
  userDefinedScreenEventTemplate: text('Name of screen events, with {{ paths }} of the event.'),
  dropTraitsInTrackEvent: flag('Does not send traits of the user with track events.'),
  unionProperties: traits('List traits whose new values are added to those of the profile.'),
  appendProperties: traits('Traits whose values are appended to the list on the profile.'),
  ...compressionSetting,
})

export type MixpanelSettings = Static<typeof mixpanelSettings>
