import { type Static, Type } from 'typebox'
import { eventFilterSettings, field } from '../../kit/index.ts'

const access = 'Access'
const ofEvents = 'Has no effect by itself: it is a member of hubspotEvents, which RudderStack lists as a setting.'
const member = (title: string) => field.text({ title, description: ofEvents })
const properties = (title: string, description: string) =>
  field.pairs({ title, description, from: 'Property of the track event.', to: 'Property of the event in HubSpot.' })
const text = (description: string) => Type.Optional(Type.String({ description }))

/** The settings of the HubSpot destination. Source: RudderStack docs, Setting up HubSpot. */
export const hubspotSettings = Type.Object({
  authorizationType: field.choiceOf(
    { legacyApiKey: 'API key', newPrivateAppApi: 'Private app' },
    { title: 'Authorization', description: 'HubSpot has retired API keys.', default: 'legacyApiKey', group: access },
  ),
  hubID: field.text({
    title: 'Hub id',
    description: 'Id of the account. The old API needs it for events.',
    group: access,
  }),
  apiKey: field.text({
    title: 'API key',
    description: 'Key of the account.',
    group: access,
    shownWhen: { authorizationType: 'legacyApiKey' },
  }),
  accessToken: field.text({
    title: 'Access token',
    description: 'Token of the private app.',
    group: access,
    shownWhen: { authorizationType: 'newPrivateAppApi' },
  }),
  apiVersion: field.choiceOf(
    { legacyApi: 'Old (v1)', newApi: 'New (v3)' },
    { title: 'API version', description: 'Version of the HubSpot API.', default: 'legacyApi' },
  ),
  lookupField: field.text({
    title: 'Lookup field',
    description: 'Property of contacts by which a contact is found; email if the traits do not have it.',
    placeholder: 'email',
    shownWhen: { apiVersion: 'newApi' },
  }),
  hubspotEvents: field.list(
    Type.Object({
      rsEventName: text('Name of the track event.'),
      hubspotEventName: text('Internal name of the custom event in HubSpot, such as pe22315509_rs_hub_test.'),
      eventProperties: properties('Properties', 'Properties to send.'),
    }),
    {
      title: 'Events',
      description: 'Track events to send with the new API, and their custom events in HubSpot.',
      allowed: 'a list of events with rsEventName, hubspotEventName and eventProperties',
    },
  ),
  rsEventName: member('Track event'),
  hubspotEventName: member('Custom event'),
  eventProperties: properties('Properties of the event', ofEvents),
  ...eventFilterSettings,
  doAssociation: field.flag({
    title: 'Associations',
    description: 'Not used: rows of a warehouse cannot associate objects with each other.',
  }),
})

export type HubspotSettings = Static<typeof hubspotSettings>
