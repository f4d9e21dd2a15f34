import { Type } from 'typebox'
import { eventFilterSettings } from '../../kit/event-filter/event-filter-settings.ts'

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
    description: "Sends events to Google's validation server, which says what is wrong with them and keeps none.",
  }),
  typesOfClient: Type.Enum(['gtag', 'firebase'], {
    default: 'gtag',
    description: 'Whether the data stream is of a web site or of an app.',
  }),
  measurementId: identifier('Id of a web data stream, with gtag.'),
  firebaseAppId: identifier('Id of a Firebase app, with firebase.'),
  whitelistedEvents: eventFilterSettings.whitelistedEvents,
  blacklistedEvents: eventFilterSettings.blacklistedEvents,
  eventFilteringOption: eventFilterSettings.eventFilteringOption,
  piiPropertiesToIgnore: Type.Array(Type.Object({ piiProperty: Type.String({ description: 'Name of a trait.' }) }), {
    default: [],
    description: 'Traits that are not told as user properties.',
    allowed: 'a list of objects with piiProperty, the name of a trait',
  }),
  sdkBaseUrl: Type.Optional(Type.String({ description: "For SDKs in browsers: where Google's script is from." })),
  serverContainerUrl: Type.Optional(Type.String({ description: 'For SDKs in browsers: a tagging server.' })),
})
