import { Type } from 'typebox'
import { eventFilterSettings } from '../../kit/index.ts'

const identifier = (description: string) => Type.Optional(Type.Union([Type.String(), Type.Null()], { description }))

/** The settings of the Google Analytics 4 destination. Source: RudderStack docs, GA4 destination. */
export const ga4Settings = Type.Object({
  apiSecret: Type.String({
    minLength: 1,
    description: 'Secret of the data stream for the Measurement Protocol.',
    allowed: 'an API secret',
  }),
  debugMode: Type.Boolean({
    default: false,
    description: "Sends events to Google's validation server, which reports problems and stores nothing.",
  }),
  typesOfClient: Type.Enum(['gtag', 'firebase'], {
    choices: { gtag: 'Web (gtag.js)', firebase: 'App (Firebase)' },
    default: 'gtag',
    description: 'Kind of data stream: gtag for a web site, firebase for an app.',
  }),
  measurementId: identifier('Id of the web data stream, with gtag.'),
  firebaseAppId: identifier('Id of the Firebase app, with firebase.'),
  whitelistedEvents: eventFilterSettings.whitelistedEvents,
  blacklistedEvents: eventFilterSettings.blacklistedEvents,
  eventFilteringOption: eventFilterSettings.eventFilteringOption,
  piiPropertiesToIgnore: Type.Array(Type.Object({ piiProperty: Type.String({ description: 'Name of a trait.' }) }), {
    default: [],
    description: 'Traits that are not sent as user properties.',
    allowed: 'a list of objects with piiProperty, the name of a trait',
  }),
  parameterLimits: Type.Enum(['none', 'standard', 'analytics360'], {
    choices: { none: 'None', standard: 'Standard: 25 parameters', analytics360: 'Analytics 360: 100 parameters' },
    default: 'standard',
    description:
      'Limits of the property: what exceeds them is left out. With none, everything is sent, as RudderStack does, and Google ignores the rest without a word.',
    isUnlisted: true,
  }),
  sdkBaseUrl: Type.Optional(Type.String({ description: "For browser SDKs: address of Google's script." })),
  serverContainerUrl: Type.Optional(Type.String({ description: 'For browser SDKs: address of a tagging server.' })),
})
