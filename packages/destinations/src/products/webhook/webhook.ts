import { isJsonObject, type JsonObject, type JsonValue, parseUrl } from '@sluice/core'
import { Type } from 'typebox'
import {
  compressed,
  compressionSetting,
  configurationError,
  defineDestination,
  everyType,
  field,
  firstAt,
  flatten,
  generic,
  instrumentationError,
  isConnectionHeader,
  json,
  type MappingError,
  messageTypeOf,
  objectOrEmpty,
  originOf,
  query,
  type TypedEvent,
  webAddress,
} from '../../kit/index.ts'
import { withAppendedPath } from './appended-path.ts'
import { webhookExamples } from './webhook-examples.ts'

/** Header values that are not strings are sent as JSON. Source: RudderStack docs, Webhook destination. */
const headerValue = Type.Unsafe<JsonValue>({ description: 'Value of the header.', allowed: 'a value' })

/**
 * Sends each event to a custom address.
 *
 * POST, PUT and PATCH send the event as JSON. GET and DELETE send parameters: the flattened traits of identify events
 * (those of the context, if the event has none of its own), the flattened `properties` of all others. An event
 * can control its request, usually by a user transformation: `header` adds headers and overrides those of the settings;
 * with `allowEventAddress`, `fullPath` replaces the address, and `appendPath` extends it. These three members are not
 * sent. Headers of the settings are sent only to the origin of `webhookUrl` and to `trustedOrigins`.
 *
 * Source: RudderStack docs, Webhook destination; its recorded behaviour; packages/docs/behaviour/mapping.md#webhook. `userId`
 * of the request is the anonymousId, as in RudderStack.
 */
export const webhook = defineDestination({
  type: 'WEBHOOK',
  displayName: 'Webhook',
  supports: everyType,
  takesAnyType: true,
  settings: Type.Object({
    webhookUrl: field.requiredText({
      title: 'Address',
      format: 'uri',
      ...webAddress,
      description: 'Address that receives each event.',
    }),
    webhookMethod: field.choiceOf(
      { POST: 'POST', PUT: 'PUT', PATCH: 'PATCH', GET: 'GET', DELETE: 'DELETE' },
      { title: 'Method', default: 'POST', description: 'HTTP method of each request.' },
    ),
    headers: field.list(
      Type.Object({ from: Type.String({ description: 'Name of the header; none when empty.' }), to: headerValue }),
      {
        title: 'Headers',
        maxItems: 100, // headers; servers commonly refuse requests with more
        description: 'Headers added to every request.',
        allowed: 'a list of at most 100 objects with from and to',
      },
    ),
    allowEventAddress: field.flag({
      title: 'Events may choose the address',
      description:
        'Allows events to choose their address by fullPath and appendPath; without it, such events fail. Since write keys are public, anyone can then send requests to any public address. Headers of the settings are only sent to the origin of webhookUrl and to trustedOrigins.',
      isUnlisted: true,
      isFixed: true,
    }),
    trustedOrigins: field.list(
      Type.String({
        pattern: '^https?://[^/?#@\\s]+$',
        isFixed: true,
        allowed: 'scheme, host and port, like https://b.test',
      }),
      {
        title: 'Trusted origins',
        maxItems: 20, // origins; each event that chooses its address is compared with all of them
        description: 'Further origins that get the headers of the settings when events choose their address.',
        allowed: 'a list of at most 20 origins',
        isUnlisted: true,
      },
    ),
    ...compressionSetting,
  }),
  secrets: ['headers.to'],
  requests(event, settings) {
    const endpoint = endpointOf(event, settings)
    if (typeof endpoint !== 'string') return endpoint
    const isAway = endpoint !== settings.webhookUrl && !isTrusted(endpoint, settings)
    const method = settings.webhookMethod
    const anonymousId = event['anonymousId']
    const parts = { method, endpoint, userId: typeof anonymousId === 'string' ? anonymousId : '' }
    const headers = headersOf(event, isAway ? [] : settings.headers)
    const request = hasBody(method)
      ? compressed(
          json({ ...parts, headers: { 'content-type': 'application/json', ...headers }, body: payloadOf(event) }),
          settings,
        )
      : query({ ...parts, headers, params: paramsOf(event) })
    return isAway ? { ...request, withheld: Object.keys(headersOf({ type: event.type }, settings.headers)) } : request
  },
  limits: [
    'With GET and DELETE, identify events send only their traits, other events only their properties, as parameters.',
    'An address without http or https is refused when the settings are checked.',
  ],
  examples: webhookExamples,
})

interface WebhookAddresses {
  readonly webhookUrl: string
  readonly trustedOrigins: readonly string[]
  readonly allowEventAddress: boolean
}

function endpointOf(event: TypedEvent, { webhookUrl, allowEventAddress }: WebhookAddresses): string | MappingError {
  const fullPath = textAt(event, 'fullPath')
  const appendPath = textAt(event, 'appendPath')
  if (fullPath === '' && appendPath === '')
    return isHttpUrl(webhookUrl) ? webhookUrl : configurationError('Invalid URL in destination config')
  if (!allowEventAddress) {
    const name = fullPath === '' ? 'appendPath' : 'fullPath'
    return instrumentationError(`The event chooses its address by ${name}; set allowEventAddress to allow that`)
  }
  const base = fullPath || webhookUrl
  if (!isHttpUrl(base)) return instrumentationError('Invalid URL: check fullPath of the event')
  if (appendPath === '') return base
  const url = withAppendedPath(new URL(base), appendPath)
  return url instanceof URL ? url.href : url
}

function isTrusted(endpoint: string, { webhookUrl, trustedOrigins }: WebhookAddresses): boolean {
  const origin = originOf({ endpoint })
  return [webhookUrl, ...trustedOrigins].some((trusted) => originOf({ endpoint: trusted }) === origin)
}

function textAt(event: TypedEvent, key: string): string {
  const value = event[key]
  return typeof value === 'string' ? value : ''
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && parseUrl(text) !== undefined
}

/** Merges headers by lower-case names: the settings override the default, and the event overrides both. */
function headersOf(
  event: TypedEvent,
  pairs: readonly { readonly from: string; readonly to: JsonValue }[],
): Record<string, string> {
  const dynamic = isJsonObject(event['header']) ? Object.entries(event['header']) : []
  const all = [...pairs.map(({ from, to }) => [from, to] as const), ...dynamic]
  return Object.fromEntries(
    all.flatMap(([name, value]) => {
      const key = name.trim().toLowerCase()
      return key === '' || value === undefined || isConnectionHeader(key) ? [] : [[key, headerText(value)]]
    }),
  )
}

function hasBody(method: string): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

const traitsOf = firstAt(generic.traits)

function paramsOf(event: TypedEvent): JsonObject {
  const sent = messageTypeOf(event) === 'identify' ? traitsOf(event) : event['properties']
  return isJsonObject(sent) ? flatten(sent) : {}
}

function headerText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function payloadOf(event: TypedEvent): JsonObject {
  const payload = withoutSteering(event)
  const ip = payload['request_ip']
  const context = payload['context']
  const knowsIp = isJsonObject(context) && Boolean(context['ip'])
  if (typeof ip !== 'string' || ip === '' || knowsIp) return payload
  return { ...payload, context: { ...objectOrEmpty(context), ip } }
}

function withoutSteering(event: TypedEvent): JsonObject {
  // Nearly no event has control members, so most events need no copy.
  if (!('fullPath' in event || 'appendPath' in event || 'header' in event)) return event
  const { fullPath: _fullPath, appendPath: _appendPath, header: _header, ...payload } = event
  return payload
}
