import type { JsonObject, JsonValue } from '@sluice/core'
import { Type } from 'typebox'
import { sha256 } from '../convert/hash.ts'
import { text } from '../convert/text.ts'
import { bearer } from '../define/account/bearer.ts'
import type { MappingContext } from '../define/define-destination.ts'
import { instrumentationError, isMappingError, type MappingError } from '../map/mapping-error.ts'
import { isBlank } from '../rules/is-blank.ts'
import type { Converter } from '../rules/rule.ts'
import * as field from '../settings/declare/field.ts'
import { oauthAccount, oauthSettings } from '../settings/declare/oauth-settings.ts'
import { isHashed } from './hashed.ts'

const id = (title: string, description: string, required: boolean) => {
  const words = { title, description, allowed: 'an id of digits, with or without hyphens' }
  const schema = Type.Union([Type.String(required ? { minLength: 1 } : {}), Type.Number()], words)
  return required ? schema : Type.Optional(schema)
}

/** Settings that the destinations of Google Ads have in common. */
export const googleAdsSettings = {
  rudderAccountId: field.text({
    title: 'RudderStack account',
    description: 'Id of the account at RudderStack. Not used.',
  }),
  customerId: id('Customer id', 'Id of the Google Ads account that gets the data.', true),
  subAccount: field.flag({
    title: 'Managed account',
    description: 'Set when the account is reached through a manager account.',
  }),
  loginCustomerId: id('Login customer id', 'Id of the manager account.', false),
  developerToken: field.text({
    title: 'Developer token',
    description: "Token of the Google Ads API, from the API center of a manager account. Google's API requires it.",
    group: 'Account',
    isUnlisted: true,
  }),
  ...oauthSettings('Google'),
}

/** Settings that destinations of Google Ads keep secret. */
export const googleAdsSecrets = ['clientSecret', 'refreshToken', 'developerToken']

/** The account of the destinations of Google Ads. */
export const googleAdsAccount = oauthAccount('https://oauth2.googleapis.com/token')

/** Returns the id of an account without hyphens: `123-456-7890` becomes `1234567890`. */
export function googleAdsCustomer(value: JsonValue | undefined): string {
  return text(value ?? '').replace(/[-\s]/g, '')
}

/** Returns the headers of requests to Google Ads: content type, authorization, and the manager account if there is one. */
export function googleAdsHeaders(
  settings: JsonObject,
  context: Pick<MappingContext, 'tokens'>,
): Readonly<Record<string, string>> | MappingError {
  const authorization = bearer(context)
  if (isMappingError(authorization)) return authorization
  const { developerToken } = settings
  const manager = settings['subAccount'] === true ? googleAdsCustomer(settings['loginCustomerId']) : ''
  return {
    ...authorization,
    'Content-Type': 'application/json',
    ...(typeof developerToken === 'string' && developerToken !== '' ? { 'developer-token': developerToken } : {}),
    ...(manager === '' ? {} : { 'login-customer-id': manager }),
  }
}

/**
 * Returns a value normalised and hashed, or unchanged if the settings say that it is hashed already; an error if the
 * value and the settings disagree, because Google would match no user, without an error. undefined for blank and invalid values.
 */
export function consistentlyHashed(
  name: string,
  value: JsonValue | undefined,
  isHashing: boolean,
  normal: Converter,
): string | MappingError | undefined {
  if (isBlank(value) || value === false) return undefined
  if (isHashing === isHashed(value)) {
    return instrumentationError(
      isHashing ? `${name} is hashed already, but the settings say that it is not` : `${name} is not hashed`,
    )
  }
  if (!isHashing) return text(value)
  const normalised = normal(value)
  return normalised === undefined ? undefined : sha256(normalised)
}

const consents: ReadonlySet<unknown> = new Set(['UNSPECIFIED', 'UNKNOWN', 'GRANTED', 'DENIED'])

/** Returns a consent in the words of Google: UNSPECIFIED without a value, UNKNOWN for other values. */
export function googleConsent(value: JsonValue | undefined): string {
  if (isBlank(value)) return 'UNSPECIFIED'
  return typeof value === 'string' && consents.has(value) ? value : 'UNKNOWN'
}
