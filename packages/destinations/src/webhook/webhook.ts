import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { Type } from 'typebox'
import { defineDestination } from '../define-destination.ts'
import { json, query } from '../delivery-request.ts'
import { flatten } from '../flatten.ts'
import { configurationError, instrumentationError, type MappingError } from '../mapping-error.ts'
import { everyType, type TypedEvent } from '../message-type.ts'
import { webhookExamples } from './webhook-examples.ts'

/** Header values that are not text are sent as their JSON text. Source: public docs of the webhook destination. */
const headerValue = Type.Unsafe<JsonValue>({ description: 'Value of the header.', allowed: 'a value' })

/**
 * Sends each event to an address of the user's own.
 *
 * POST, PUT and PATCH carry the event as JSON; GET and DELETE carry its `properties`, flattened, as parameters. An event
 * may steer its request (usually a user transformation sets this): `fullPath` replaces the address, `appendPath` is
 * appended to it, `header` adds headers and wins over those of the settings. These three are not part of what is sent.
 *
 * Source: webhook conformance rows; destination facts 3. `userId` of the request is the anonymousId, as in the rows.
 */
export const webhook = defineDestination({
  type: 'WEBHOOK',
  displayName: 'Webhook',
  supports: everyType,
  settings: Type.Object({
    webhookUrl: Type.String({
      format: 'uri',
      pattern: '^https?://',
      description: 'Address that receives each event.',
      allowed: 'an http or https address',
    }),
    webhookMethod: Type.Enum(['POST', 'PUT', 'PATCH', 'GET', 'DELETE'], {
      default: 'POST',
      description: 'HTTP method of each request.',
    }),
    headers: Type.Array(
      Type.Object({ from: Type.String({ description: 'Name of the header; none when empty.' }), to: headerValue }),
      {
        default: [],
        maxItems: 100, // servers commonly refuse requests with more
        description: 'Headers added to every request.',
        allowed: 'a list of at most 100 objects with from and to',
      },
    ),
  }),
  secrets: ['headers.to'],
  requests(event, settings) {
    const endpoint = endpointOf(event, settings.webhookUrl)
    if (typeof endpoint !== 'string') return endpoint
    const method = settings.webhookMethod
    const anonymousId = event['anonymousId']
    const parts = { method, endpoint, userId: typeof anonymousId === 'string' ? anonymousId : '' }
    const headers = headersOf(event, settings.headers)
    if (method === 'GET' || method === 'DELETE') {
      const properties = event['properties']
      return query({ ...parts, headers, params: isJsonObject(properties) ? flatten(properties) : {} })
    }
    return json({ ...parts, headers: { 'content-type': 'application/json', ...headers }, body: payloadOf(event) })
  },
  examples: webhookExamples,
})

function endpointOf(event: TypedEvent, webhookUrl: string): string | MappingError {
  const { fullPath, appendPath } = event
  const replaced = typeof fullPath === 'string' && fullPath !== ''
  const base = replaced ? fullPath : webhookUrl
  const endpoint = typeof appendPath === 'string' ? base + appendPath : base
  if (isHttpUrl(endpoint)) return endpoint
  return replaced || isHttpUrl(webhookUrl)
    ? instrumentationError('Invalid URL: check fullPath and appendPath of the event')
    : configurationError('Invalid URL in destination config')
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** Lower-cased, so that a header of the settings overrides the default and one of the event overrides both. */
function headersOf(
  event: TypedEvent,
  pairs: readonly { readonly from: string; readonly to: JsonValue }[],
): Record<string, string> {
  const dynamic = isJsonObject(event['header']) ? Object.entries(event['header']) : []
  const all = [...pairs.map(({ from, to }) => [from, to] as const), ...dynamic]
  return Object.fromEntries(
    all.flatMap(([name, value]) => {
      const key = name.trim().toLowerCase()
      return key === '' || value === undefined ? [] : [[key, headerText(value)]]
    }),
  )
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
  return { ...payload, context: { ...(isJsonObject(context) ? context : {}), ip } }
}

function withoutSteering(event: TypedEvent): JsonObject {
  // Nearly every event steers nothing and need not be copied.
  if (!('fullPath' in event || 'appendPath' in event || 'header' in event)) return event
  const { fullPath: _fullPath, appendPath: _appendPath, header: _header, ...payload } = event
  return payload
}
