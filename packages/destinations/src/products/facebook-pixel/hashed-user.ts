import { formPairs, type JsonObject, type JsonValue, parseUrl } from '@sluice/core'
import {
  type Condition,
  type Converter,
  convert,
  firstAt,
  generic,
  mapping,
  personalData,
  personEmail,
  type Rule,
  to,
  valueAt,
} from '../../kit/index.ts'

const { meta } = personalData

/**
 * Rules for the user of an event. Names of the field `name` count before first and last names, as in RudderStack.
 *
 * @param hash what happens to personal data after it is normalised.
 */
function userRules(hash: Converter): readonly Rule[] {
  return [
    to('external_id')
      .from(generic.userId)
      .as(meta.externalId, hash)
      .required()
      .when((_, { removeExternalId }) => removeExternalId !== true),
    to('em').compute(personEmail).as(meta.email, hash),
    to('ph').from(generic.phone).as(meta.phone, hash),
    to('ge').from(generic.gender).as(meta.gender, hash),
    to('db').from(generic.birthday).as(meta.birthday, hash),
    to('ln').from(generic.lastName).as(meta.lastName, hash),
    to('fn').from(generic.firstName).as(meta.firstName, hash),
    to('ct').from(generic.city, 'traits.city', 'context.traits.city').as(meta.city, hash),
    to('st').from('traits.address.state', 'context.traits.address.state', generic.state).as(meta.state, hash),
    to('zp').from(generic.zipcode).as(meta.zip, hash),
    to('country')
      .from('traits.address.country', 'context.traits.address.country', generic.country)
      .as(meta.country, hash),
    to('client_ip_address').from('context.ip', 'request_ip'),
    to('client_user_agent').from('context.userAgent'),
    to('fbc').from('context.fbc', 'properties.fbc'),
    to('fbc')
      .compute(clickId)
      .when((event) => clickOf(event) === undefined),
    to('fbp').from('context.fbp', 'properties.fbp'),
    ...['lead_id', 'subscription_id', 'fb_login_id'].map((name) => to(name).from(`context.${name}`)),
    to('fn').compute(nameWord(0)).as(hash).when(hasName(0)),
    to('ln').compute(nameWord(1)).as(hash).when(hasName(1)),
  ]
}

/** User of an event with hashed personal data. */
export const hashedUser = mapping(userRules(convert.sha256))

/** User of an event whose sender has hashed the personal data. */
export const user = mapping(userRules(convert.text))

const clickOf = firstAt(['context.fbc', 'properties.fbc'])
const nameOf = firstAt(generic.name)
const timeOf = firstAt(generic.timestamp)

function nameWord(index: number): (event: JsonObject) => string | undefined {
  return (event) => {
    const name = nameOf(event)
    return typeof name === 'string' ? name.trim().split(/\s+/)[index] : undefined
  }
}

function hasName(index: number): Condition {
  const word = nameWord(index)
  return (event) => Boolean(word(event))
}

/** Builds a click id from the address of the page. Source: Meta docs, Conversions API, fbp and fbc parameters. */
function clickId(event: JsonObject): JsonValue | undefined {
  const url = valueAt(event, ['context', 'page', 'url'])
  const clicked = typeof url === 'string' && url.includes('fbclid=') ? parseUrl(url) : undefined
  const [, id] = formPairs(clicked?.search ?? '').find(([name]) => name === 'fbclid') ?? []
  return id ? `fb.1.${convert.milliseconds(timeOf(event) ?? null)}.${id}` : undefined
}
