import {
  bearer,
  chosenFor,
  configurationError,
  convert,
  defineDestination,
  firstAt,
  generic,
  instrumentationError,
  isMappingError,
  json,
  oauthAccount,
  packLists,
  sameTarget,
} from '../../kit/index.ts'
import { conversion } from './conversion.ts'
import { linkedinAdsExamples } from './linkedin-ads-examples.ts'
import { linkedinAdsSettings } from './linkedin-ads-settings.ts'
import { respondToLinkedin } from './respond-to-linkedin.ts'

const ageMsMax = 90 * 24 * 60 * 60_000
const batchMax = 5000 // conversions; source: LinkedIn docs, Conversions API, batches

/**
 * Sends track events as conversions to LinkedIn.
 *
 * Source: RudderStack docs, LinkedIn Ads; LinkedIn docs, Conversions API; recorded behaviour of RudderStack's
 * linkedin_ads destination.
 */
export const linkedinAds = defineDestination({
  type: 'LINKEDIN_ADS',
  displayName: 'Linkedin Ads',
  supports: ['track'],
  settings: linkedinAdsSettings,
  secrets: ['clientSecret', 'refreshToken'],
  account: oauthAccount('https://www.linkedin.com/oauth/v2/accessToken'),
  mappings: { conversion },
  requests(event, settings, context) {
    const { event: name } = event
    if (typeof name !== 'string' || name === '') return instrumentationError('the name of an event must be a text')
    const time = convert.milliseconds(timeOf(event) ?? null)
    if (time !== undefined && context.now - time > ageMsMax) {
      return instrumentationError('events must be at most 90 days old')
    }
    const mapped = conversion(event, settings)
    if (isMappingError(mapped)) return mapped
    const rules = chosenFor(name, settings.conversionMapping)
    if (rules.length === 0) return configurationError(`the settings have no conversion rule for the event ${name}`)
    const authorization = bearer(context)
    if (isMappingError(authorization)) return authorization
    return json({
      method: 'POST',
      endpoint: 'https://api.linkedin.com/rest/conversionEvents',
      headers: {
        'Content-Type': 'application/json',
        'X-RestLi-Method': 'BATCH_CREATE',
        'X-Restli-Protocol-Version': '2.0.0',
        'LinkedIn-Version': '202511',
        ...authorization,
      },
      body: { elements: rules.map((rule) => ({ ...mapped, conversion: `urn:lla:llaPartnerConversion:${rule}` })) },
    })
  },
  limits: [
    'LinkedIn accepts events that are at most 90 days old.',
    'Events need an e-mail address, or an external id of LinkedIn, Acxiom or Oracle Moat.',
    `A batch has at most ${batchMax} conversions.`,
  ],
  batch: packLists({ key: sameTarget, listsMax: { elements: batchMax } }),
  respond: respondToLinkedin,
  examples: linkedinAdsExamples,
})

const timeOf = firstAt(generic.timestamp)
