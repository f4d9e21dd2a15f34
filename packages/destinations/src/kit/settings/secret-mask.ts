import { isJsonObject, type JsonObject, type JsonValue, withoutTrailing } from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'
import type { DeliveryRequest } from '../map/delivery-request.ts'
import { maskedText } from './mask-settings.ts'
import { fallbackOf } from './resolve-settings.ts'
import { createTextMask } from './text-mask.ts'

/** Shorter secrets are not looked for: they would be found where they are none. */
const secretLengthMin = 4

/** Headers that hold nothing but a credential, whatever it was made from. */
const secretHeaders = /^(?:proxy-)?authorization$|^x-api-key$|^api-key$|^cookie$/i

/** Takes the secrets of settings out of what was made with them. */
export interface SecretMask {
  /** A request as anyone may see it. Headers that are credentials are masked whatever they were made from. */
  request(request: DeliveryRequest): DeliveryRequest
  /** A value, such as a reply that repeats what it was sent. */
  value(value: JsonValue): JsonValue
}

/**
 * Masks every text that holds a secret of the settings, as it is or as JSON and HTTP write it (escaped, percent-encoded,
 * Base64), and numbers that are one. Takes time in proportion to the secrets and to what is masked.
 */
export function createSecretMask(definition: DestinationDefinition, settings: JsonObject): SecretMask {
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
  return {
    value: walk,
    request: (request) => ({
      ...request,
      endpoint: mask(request.endpoint),
      headers: Object.fromEntries(
        // Plain JavaScript of somebody's own destination may leave one undefined.
        Object.entries(request.headers).map(([name, value = '']) => [
          name,
          secretHeaders.test(name) ? maskedText : mask(value),
        ]),
      ),
      params: members(request.params),
      body: {
        JSON: members(request.body.JSON),
        JSON_ARRAY: members(request.body.JSON_ARRAY) as DeliveryRequest['body']['JSON_ARRAY'],
        XML: members(request.body.XML) as DeliveryRequest['body']['XML'],
        FORM: members(request.body.FORM),
      },
      files: members(request.files),
    }),
  }
}

/** Texts and numbers below the secret paths of a definition, as texts. */
export function secretTextsOf(
  { secrets }: Pick<DestinationDefinition, 'secrets'>,
  settings: JsonObject,
): readonly string[] {
  return secrets.flatMap((path) => textsAt(settings, path.split('.')))
}

/**
 * The texts at a path; a list counts as its elements, an object as its members. Of a setting that events may decide it is
 * what stands in when they do not: the setting itself is in no request.
 */
function textsAt(value: JsonValue | undefined, path: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsAt(item, path))
  const [key, ...rest] = path
  if (isJsonObject(value))
    return key === undefined ? Object.values(value).flatMap((member) => textsAt(member, [])) : textsAt(value[key], rest)
  if (key !== undefined) return []
  return typeof value === 'string' ? [fallbackOf(value) ?? value] : typeof value === 'number' ? [String(value)] : []
}

/** Texts that settings of paths and defaults (`$.a || 'text'`) send, without their quotes. */
function literalsOf(secret: string): readonly string[] {
  return secret.split('||').flatMap((part) => {
    const text = part.trim()
    const quote = text.charAt(0)
    if (text.length > 2 && (quote === "'" || quote === '"') && text.endsWith(quote)) return [text.slice(1, -1)]
    return text.startsWith('$') ? [] : [text]
  })
}

/** As it stands inside a JSON text: a reply may repeat one. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Half characters have no encoding, as where addresses are made. */
const percentEncoded = (text: string): string => encodeURIComponent(text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD'))

const base64 = (text: string): string => withoutTrailing(Buffer.from(text).toString('base64'), '=')
