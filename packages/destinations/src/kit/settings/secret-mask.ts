import { isJsonObject, type JsonObject, type JsonValue, withoutTrailing } from '@sluice/core'
import { bytesOf, textOf } from '@sluice/core/bytes'
import { defined } from '@sluice/core/defined'
import type { DestinationDefinition } from '../define/define-destination.ts'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'
import { maskedText } from './mask-settings.ts'
import { fallbackOf } from './resolve-settings.ts'
import { createTextMask } from './text-mask.ts'

/** Shortest secret that is masked. Shorter ones would match unrelated text. */
const secretLengthMin = 4

const secretHeaders = /^(?:proxy-)?authorization$|^x-api-key$|^api-key$|^cookie$/i

/** Returns whether a header contains nothing but a credential, in whatever form. */
export function isSecretHeader(name: string): boolean {
  return secretHeaders.test(name)
}

/** Masks the secrets of settings in values that were created with them. */
export interface SecretMask {
  /** Returns the request without secrets. Headers that are credentials are always masked. */
  request(request: DeliveryRequest): DeliveryRequest
  /** Returns a value without secrets, such as a reply that quotes the request. */
  value(value: JsonValue): JsonValue
}

/**
 * Creates a mask for the secrets of settings. It masks strings that contain a secret, plain or encoded (JSON escapes,
 * percent encoding, Base64), and numbers that equal one. The time is linear in the length of the secrets and of the
 * masked value.
 */
export function createSecretMask(definition: Pick<DestinationDefinition, 'secrets'>, settings: JsonObject): SecretMask {
  const secrets = secretTextsOf(definition, settings).flatMap((secret) => [secret, ...literalsOf(secret)])
  const forms = secrets.flatMap((secret) => [
    ...[secret, escaped(secret), percentEncoded(secret)],
    ...[base64(secret), base64(`${secret}:`)],
  ])
  const wanted = new Set(forms.filter(({ length }) => length >= secretLengthMin))
  const mask = createTextMask([...wanted], maskedText)
  const walk = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return mask(value)
    if (typeof value === 'number') return wanted.has(String(value)) ? maskedText : value
    if (Array.isArray(value)) return value.map(walk)
    return isJsonObject(value) ? members(value) : value
  }
  const members = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, value === undefined ? value : walk(value)]))
  /** Bytes are not shown: a secret in them would not be found. */
  const rawBody = (body: NonNullable<DeliveryRequest['body']['RAW']>): { readonly text: string } => ({
    text: 'text' in body ? mask(body.text) : `(${body.base64.length} characters of Base64)`,
  })
  return {
    value: walk,
    request: (request) => ({
      ...request,
      endpoint: mask(request.endpoint),
      headers: Object.fromEntries(
        // A destination in plain JavaScript may set a header to undefined.
        Object.entries(request.headers).map(([name, value = '']) => [
          name,
          isSecretHeader(name) ? maskedText : mask(value),
        ]),
      ),
      params: members(request.params),
      body: defined({
        JSON: members(request.body.JSON),
        JSON_ARRAY: members(request.body.JSON_ARRAY) as DeliveryRequest['body']['JSON_ARRAY'],
        XML: members(request.body.XML) as DeliveryRequest['body']['XML'],
        FORM: members(request.body.FORM),
        RAW: request.body.RAW ? rawBody(request.body.RAW) : undefined,
      }),
      files: members(request.files),
    }),
  }
}

/** Returns the strings and numbers at the secret paths of a definition, as strings. */
export function secretTextsOf(
  { secrets }: Pick<DestinationDefinition, 'secrets'>,
  settings: JsonObject,
): readonly string[] {
  return secrets.flatMap((path) => textsAt(settings, path.split('.')))
}

/**
 * Returns the strings at a path. A list counts as its elements, an object as its members. A template counts as its
 * default, because no request contains the template itself.
 */
function textsAt(value: JsonValue | undefined, path: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsAt(item, path))
  const [key, ...rest] = path
  if (isJsonObject(value))
    return key === undefined ? Object.values(value).flatMap((member) => textsAt(member, [])) : textsAt(value[key], rest)
  if (key !== undefined) return []
  return typeof value === 'string' ? [fallbackOf(value) ?? value] : typeof value === 'number' ? [String(value)] : []
}

/** Returns the literals of settings with paths and defaults (`$.a || 'text'`), without quotes. */
function literalsOf(secret: string): readonly string[] {
  return secret.split('||').flatMap((part) => {
    const text = part.trim()
    const quote = text.charAt(0)
    if (text.length > 2 && (quote === "'" || quote === '"') && text.endsWith(quote)) return [text.slice(1, -1)]
    return text.startsWith('$') ? [] : [text]
  })
}

/** Escapes a string as inside JSON, because a reply may quote it. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Lone surrogates have no encoding and become U+FFFD, as in addresses. */
const percentEncoded = (text: string): string => encodeURIComponent(text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD'))

const base64 = (text: string): string => withoutTrailing(textOf(bytesOf(text), 'base64'), '=')
