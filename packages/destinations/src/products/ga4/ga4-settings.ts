import { Type } from 'typebox'
import { eventFilterSettings, field } from '../../kit/index.ts'

const identifier = (title: string, description: string) => field.textOrNull({ title, description })

/** The settings of the Google Analytics 4 destination. Source: RudderStack docs, GA4 destination. */
export const ga4Settings = Type.Object({
  apiSecret: field.requiredText({
    title: 'API secret',
    description: 'Secret of the data stream for the Measurement Protocol.',
    allowed: 'an API secret',
  }),
  debugMode: field.flag({
    title: 'Debug mode',
    description: "Sends events to Google's validation server, which reports problems and stores nothing.",
  }),
  typesOfClient: field.choiceOf(
    { gtag: 'Web (gtag.js)', firebase: 'App (Firebase)' },
    {
      title: 'Kind of data stream',
      default: 'gtag',
      description: 'Kind of data stream: gtag for a web site, firebase for an app.',
    },
  ),
  measurementId: identifier('Measurement id', 'Id of the web data stream, with gtag.'),
  firebaseAppId: identifier('Firebase app id', 'Id of the Firebase app, with firebase.'),
  whitelistedEvents: eventFilterSettings.whitelistedEvents,
  blacklistedEvents: eventFilterSettings.blacklistedEvents,
  eventFilteringOption: eventFilterSettings.eventFilteringOption,
  piiPropertiesToIgnore: field.list(Type.Object({ piiProperty: Type.String({ description: 'Name of a trait.' }) }), {
    title: 'Traits to leave out',
    description: 'Traits that are not sent as user properties.',
    allowed: 'a list of objects with piiProperty, the name of a trait',
  }),
  parameterLimits: field.choiceOf(
    { none: 'None', standard: 'Standard: 25 parameters', analytics360: 'Analytics 360: 100 parameters' },
    {
      title: 'Limits',
      default: 'standard',
      description:
        'Limits of the property: what exceeds them is left out. With none, everything is sent, as RudderStack does, and Google ignores the rest without a word.',
      isUnlisted: true,
    },
  ),
  sdkBaseUrl: field.text({
    title: 'Address of the script',
    description: "For browser SDKs: address of Google's script.",
  }),
  serverContainerUrl: field.text({
    title: 'Address of the tagging server',
    description: 'For browser SDKs: address of a tagging server.',
  }),
})
