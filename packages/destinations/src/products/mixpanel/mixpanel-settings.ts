import { type Static, Type } from 'typebox'
import { compressionSetting, eventFilterSettings, field } from '../../kit/index.ts'

const flag = (title: string, description: string) => field.flag({ title, description })

const text = (title: string, description: string) => field.text({ title, description })

const named = (title: string, name: string, description: string) =>
  field.list(
    Type.Object({ [name]: Type.Optional(Type.String({ description: 'Name of the trait, property or event.' })) }),
    {
      title,
      description,
      allowed: `a list of objects with ${name}`,
    },
  )

const traits = (title: string, description: string) => named(title, 'property', description)

const inBrowsers = (description: string) => `${description} Only used by Mixpanel's browser library.`

/**
 * The settings of the Mixpanel destination. Settings for Mixpanel's browser library are stored but not used.
 *
 * Source: RudderStack docs, Mixpanel destination.
 */
export const mixpanelSettings = Type.Object({
  token: field.requiredText({
    title: 'Project token',
    description: 'Token of the Mixpanel project.',
    allowed: 'a project token',
  }),
  groupKeySettings: named('Group keys', 'groupKey', 'Traits of group events that identify groups.'),
  dataResidency: field.choiceOf(
    { us: 'United States', eu: 'Europe', in: 'India' },
    { title: 'Region', default: 'us', description: 'Region of the project.' },
  ),
  people: flag('Profiles of users', inBrowsers('Creates profiles of users.')),
  setAllTraitsByDefault: flag('Set all traits', inBrowsers('Sets every trait as a property of profile and events.')),
  superProperties: traits('Super properties', inBrowsers('Traits that are sent with every event.')),
  setOnceProperties: traits(
    'Traits to set once',
    'Traits that are set on a profile once and never overwritten; paths (address.city) too.',
  ),
  peopleProperties: traits('Profile properties', inBrowsers('Traits that are set on profiles.')),
  eventIncrements: traits('Events to count', inBrowsers('Events that are counted on profiles.')),
  propIncrements: traits('Properties to increment', 'Properties of track events that increment values on the profile.'),
  consolidatedPageCalls: flag('One event name for pages', inBrowsers('Uses one event name for all pages.')),
  trackCategorizedPages: flag('Pages with a category', inBrowsers('Sends pages that have a category.')),
  trackNamedPages: flag('Pages with a name', inBrowsers('Sends pages that have a name.')),
  sourceName: text('Source name', inBrowsers('Name of the source.')),
  crossSubdomainCookie: flag('Cookies across subdomains', inBrowsers('Shares cookies between subdomains.')),
  persistence: text('Stored data', inBrowsers('Data that is stored in the browser.')),
  persistenceType: text('Kind of storage', inBrowsers('Kind of storage in the browser.')),
  persistenceName: text('Name of the stored data', inBrowsers('Name of the stored data.')),
  secureCookie: flag('Secure cookies', inBrowsers('Restricts cookies to https.')),
  ...eventFilterSettings,
  useNewMapping: flag('Map names of people', 'Maps the traits firstName and lastName to $first_name and $last_name.'),
  serviceAccountUserName: text('Service account', 'Name of a service account. Not used: imports use the token.'),
  serviceAccountSecret: text('Secret of the service account', 'Secret of the service account. Not used.'),
  projectId: text('Project id', 'Id of the Mixpanel project. Not used.'),
  identityMergeApi: field.choiceOf(
    { original: 'Original', simplified: 'Simplified' },
    {
      title: 'Identity merge',
      default: 'original',
      description: 'How the project merges identities: original by merge events, simplified by events with both ids.',
    },
  ),
  userDeletionApi: field.choiceOf(
    { engage: 'Profile only', task: 'All data (GDPR task)' },
    {
      title: 'Deletion of users',
      default: 'engage',
      description: 'How users are deleted: engage deletes profiles, task deletes all data of a user (GDPR API).',
    },
  ),
  gdprApiToken: text('Token for deletions', 'OAuth token for deletion tasks.'),
  strictMode: flag('Strict mode', 'Makes Mixpanel validate events and report which of a batch it refused.'),
  ignoreDnt: flag('Ignore Do Not Track', inBrowsers('Ignores the Do Not Track setting of browsers.')),
  useUserDefinedPageEventName: flag(
    'Use this name for page events',
    'Names page events by userDefinedPageEventTemplate.',
  ),
  userDefinedPageEventTemplate: text(
    'Name of page events',
    'Name of page events, with {{ paths }} of the event: Viewed {{ name }} page.',
  ),
  useUserDefinedScreenEventName: flag(
    'Use this name for screen events',
    'Names screen events by userDefinedScreenEventTemplate.',
  ),
  userDefinedScreenEventTemplate: text(
    'Name of screen events',
    'Name of screen events, with {{ paths }} of the event.',
  ),
  dropTraitsInTrackEvent: flag(
    'Leave traits out of track events',
    'Does not send traits of the user with track events.',
  ),
  unionProperties: traits('List traits to unite', 'List traits whose new values are added to those of the profile.'),
  appendProperties: traits('Traits to append', 'Traits whose values are appended to the list on the profile.'),
  ...compressionSetting,
})

export type MixpanelSettings = Static<typeof mixpanelSettings>
