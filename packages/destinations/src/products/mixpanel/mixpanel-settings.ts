import { type Static, Type } from 'typebox'
import { eventFilterSettings } from '../../kit/event-filter/event-filter-settings.ts'

const flag = (description: string) => Type.Boolean({ default: false, description })

const text = (description: string) => Type.Optional(Type.String({ description }))

const named = (name: string, description: string) =>
  Type.Array(Type.Object({ [name]: text('Name of one of them.') }), {
    default: [],
    description,
    allowed: `a list of objects with ${name}`,
  })

const traits = (description: string) => named('property', description)

const inBrowsers = (description: string) => `${description} Only Mixpanel's library in browsers reads it.`

/**
 * The settings of the Mixpanel destination. What only Mixpanel's own library in browsers reads is kept, not used.
 *
 * Source: RudderStack docs, Mixpanel destination.
 */
export const mixpanelSettings = Type.Object({
  token: Type.String({ minLength: 1, description: 'Token of the Mixpanel project.', allowed: 'a project token' }),
  groupKeySettings: named('groupKey', 'Traits of group events that Mixpanel keeps groups under.'),
  dataResidency: Type.Enum(['us', 'eu', 'in'], {
    default: 'us',
    description: 'Where the data of the project resides.',
  }),
  people: flag(inBrowsers('Keeps profiles of users.')),
  setAllTraitsByDefault: flag(inBrowsers('Makes every trait a property of profile and events.')),
  superProperties: traits(inBrowsers('Traits that go with every event.')),
  setOnceProperties: traits('Traits that are set on a profile once and never overwritten; paths (address.city) too.'),
  peopleProperties: traits(inBrowsers('Traits that are set on profiles.')),
  eventIncrements: traits(inBrowsers('Events that are counted on profiles.')),
  propIncrements: traits('Properties of track events whose values are added up on the profile.'),
  consolidatedPageCalls: flag(inBrowsers('Gives all pages one event name.')),
  trackCategorizedPages: flag(inBrowsers('Tells pages that have a category.')),
  trackNamedPages: flag(inBrowsers('Tells pages that have a name.')),
  sourceName: text(inBrowsers('Name of the source.')),
  crossSubdomainCookie: flag(inBrowsers('Shares cookies between subdomains.')),
  persistence: text(inBrowsers('What is kept in the browser.')),
  persistenceType: text(inBrowsers('Where it is kept.')),
  persistenceName: text(inBrowsers('Under what name it is kept.')),
  secureCookie: flag(inBrowsers('Keeps cookies to https.')),
  ...eventFilterSettings,
  useNewMapping: flag('Names the traits firstName and lastName $first_name and $last_name, as Mixpanel does.'),
  serviceAccountUserName: text('Name of a service account that imports events; with its secret and the project id.'),
  serviceAccountSecret: text('Secret of the service account.'),
  projectId: text('Id of the Mixpanel project, with a service account.'),
  identityMergeApi: Type.Enum(['original', 'simplified'], {
    default: 'original',
    description: 'How the project merges identities: by merge events, or by events that carry both ids.',
  }),
  userDeletionApi: Type.Enum(['engage', 'task'], {
    default: 'engage',
    description: 'Deletes profiles only, or has Mixpanel delete everything of a user under the GDPR.',
  }),
  gdprApiToken: text('OAuth token for deletion tasks.'),
  strictMode: flag('Has Mixpanel validate events and say which of a batch it refused.'),
  ignoreDnt: flag(inBrowsers('Ignores the wish not to be tracked.')),
  useUserDefinedPageEventName: flag('Names page events by userDefinedPageEventTemplate.'),
  userDefinedPageEventTemplate: text('Name of page events, with {{ paths }} of the event: Viewed {{ name }} page.'),
  useUserDefinedScreenEventName: flag('Names screen events by userDefinedScreenEventTemplate.'),
  userDefinedScreenEventTemplate: text('Name of screen events, with {{ paths }} of the event.'),
  dropTraitsInTrackEvent: flag('Keeps the traits of the user out of track events.'),
  unionProperties: traits('Traits that are lists, whose new values are added to those of the profile.'),
  appendProperties: traits('Traits whose values are appended to the list on the profile.'),
})

export type MixpanelSettings = Static<typeof mixpanelSettings>
