import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { utf8Length } from '@sluice/core/bytes'
import { defined } from '@sluice/core/defined'
import { hmacText } from '@sluice/core/hash'
import type { Static } from 'typebox'
import {
  type BatchEntry,
  configurationError,
  convert,
  type DeliveryRequest,
  defineDestination,
  eachAlone,
  instrumentationError,
  isMappingError,
  jointRequest,
  json,
  type MappingContext,
  type MappingError,
  objectOrEmpty,
  objectsIn,
  pack,
  respondLikeMeta,
  type TypedEvent,
  valueAt,
  withoutUser,
} from '../../kit/index.ts'
import { type RowSettings, rowOf } from './audience-row.ts'
import { fbCustomAudienceExamples } from './fb-custom-audience-examples.ts'
import { fbCustomAudienceSettings } from './fb-custom-audience-settings.ts'

type Settings = Static<typeof fbCustomAudienceSettings>

const rowsMax = 10_000 // rows per request; source: Meta docs, custom audiences, users
const bytesMax = 60_000 // bytes per request; larger ones time out at Meta

/**
 * Adds people to custom audiences of Meta, and removes them.
 *
 * Source: RudderStack docs, Facebook Custom Audience; Meta docs, custom audiences, users; recorded behaviour of
 * RudderStack's fb_custom_audience destination.
 */
export const fbCustomAudience = defineDestination({
  type: 'FB_CUSTOM_AUDIENCE',
  displayName: 'Facebook Custom Audience',
  supports: ['audiencelist', 'record'],
  settings: fbCustomAudienceSettings,
  secrets: ['accessToken', 'appSecret'],
  requests(event, settings, context) {
    return event.type === 'record' ? recordRequest(event, settings, context) : listRequests(event, settings, context)
  },
  limits: [
    'People without any valid field fail their event.',
    `A request has at most ${rowsMax} people and ${bytesMax} bytes.`,
  ],
  batch: (entries, settings, limits) => {
    const isRecord = ({ event }: BatchEntry): boolean => String(event['type']).toLowerCase() === 'record'
    const lists = entries.filter((entry) => !isRecord(entry)).map(withoutUserId)
    return [...eachAlone(lists), ...packRecords(entries.filter(isRecord), settings, limits)]
  },
  respond: respondLikeMeta,
  examples: fbCustomAudienceExamples,
})

const packRecords = pack({
  key: ({ event, request: { method, endpoint, params, body } }) => {
    const { data: _, ...shared } = payloadOf(body.JSON)
    return JSON.stringify([event['action'], method, endpoint, params, shared])
  },
  itemsMax: rowsMax,
  bytesMax,
  merge(items) {
    const [{ request }] = items
    const data = items.flatMap((item) => rowsIn(payloadOf(item.request.body.JSON)['data']))
    const payload = { ...payloadOf(request.body.JSON), data }
    return jointRequest(request, { payload })
  },
})

const methods: Readonly<Record<string, 'POST' | 'DELETE'>> = { insert: 'POST', update: 'POST', delete: 'DELETE' }

function recordRequest(event: TypedEvent, settings: Settings, context: MappingContext): DeliveryRequest | MappingError {
  const { action, identifiers, fields } = event
  const method = typeof action === 'string' && Object.hasOwn(methods, action) ? methods[action] : undefined
  if (method === undefined) return instrumentationError('the action of a record must be insert, update or delete')
  const ofConnection = valueAt(context.connection, ['config', 'destination'])
  const isNew = isJsonObject(ofConnection) && isJsonObject(identifiers)
  const person = isNew ? identifiers : (fields ?? identifiers)
  if (!isJsonObject(person)) return instrumentationError('a record needs identifiers or fields')
  const mapped = mappedAudience(event)
  const schema = isNew ? Object.keys(person) : (mapped?.schema ?? schemaOf(settings.userSchema))
  const all: JsonObject = isNew ? { ...settings, ...ofConnection } : settings
  const audience = { ...all, audienceId: mapped?.id ?? all['audienceId'] }
  const requests = audienceRequests(method, [person], schema, audience, context.now)
  return isMappingError(requests) ? requests : (requests[0] as DeliveryRequest)
}

function listRequests(event: TypedEvent, settings: Settings, { now }: MappingContext) {
  const listData = valueAt(event, ['properties', 'listData'])
  if (!isJsonObject(listData)) return instrumentationError('the properties need listData')
  const schema = schemaOf(settings.userSchema)
  const requests: DeliveryRequest[] = []
  for (const [name, method] of [
    ['remove', 'DELETE'],
    ['add', 'POST'],
  ] as const) {
    const people = objectsIn(listData[name])
    if (people.length === 0) continue
    const made = audienceRequests(method, people, schema, settings, now)
    if (isMappingError(made)) return made
    requests.push(...made)
  }
  return requests.length > 0 ? requests : instrumentationError('listData has no users to add or remove')
}

function audienceRequests(
  method: 'POST' | 'DELETE',
  people: readonly JsonObject[],
  schema: readonly string[],
  settings: JsonObject,
  now: number,
): readonly DeliveryRequest[] | MappingError {
  const { audienceId, isRaw } = settings
  if (!audienceId) return configurationError('the setting audienceId is missing')
  const isValueBased = settings['isValueBasedAudience'] === true
  if (isValueBased && !schema.includes('LOOKALIKE_VALUE')) {
    return configurationError('value-based audiences need the field LOOKALIKE_VALUE')
  }
  const isHashRequired = settings['isHashRequired'] !== false
  const disableFormat = settings['disableFormat'] === true
  const rows = rowsOf(people, schema, { isHashRequired, disableFormat, isValueBased })
  if (isMappingError(rows)) return rows
  const source = sourceOf(settings)
  return chunked(rows).map((data) =>
    json({
      method,
      endpoint: `https://graph.facebook.com/v25.0/${convert.text(audienceId)}/users`,
      endpointPath: 'users',
      params: credentials(settings, now),
      body: { payload: { ...(isRaw === true ? { is_raw: true } : {}), ...source, schema, data } },
    }),
  )
}

function rowsOf(people: readonly JsonObject[], schema: readonly string[], settings: RowSettings) {
  const rows: (readonly JsonValue[])[] = []
  for (const person of people) {
    const row = rowOf(person, schema, settings)
    if (isMappingError(row)) return row
    if (row.every((value) => value === ''))
      return instrumentationError(`a person has no valid field of ${schema.join(', ')}`)
    rows.push(row)
  }
  return rows
}

function sourceOf({ type, subType }: JsonObject): JsonObject {
  const source = defined({
    type: isGiven(type) ? type : undefined,
    sub_type: isGiven(subType) ? subType : undefined,
  })
  return Object.keys(source).length > 0 ? { data_source: source } : {}
}

function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'NA'
}

/** Returns the token, and the proof that the request is from the app. Source: Meta docs, securing graph API requests. */
function credentials({ accessToken, appSecret }: JsonObject, now: number): JsonObject {
  if (typeof appSecret !== 'string' || appSecret === '') return { access_token: accessToken }
  const time = Math.floor(now / 1000)
  const proof = hmacText('sha256', appSecret, `${String(accessToken)}|${time}`)
  return { access_token: accessToken, appsecret_time: time, appsecret_proof: proof }
}

/** Splits rows so that each part is within the limits of a request. */
function chunked(rows: readonly (readonly JsonValue[])[]): readonly (readonly (readonly JsonValue[])[])[] {
  const chunks: (readonly JsonValue[])[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const size = utf8Length(JSON.stringify(row))
    const last = chunks.at(-1)
    if (last === undefined || last.length >= rowsMax || bytes + size > bytesMax) {
      chunks.push([row])
      bytes = size
    } else {
      last.push(row)
      bytes += size
    }
  }
  return chunks
}

const externalType = 'FB_CUSTOM_AUDIENCE-'

/** Returns the audience and fields that a row of a warehouse is mapped to. */
function mappedAudience(event: JsonObject): { readonly id?: string; readonly schema: readonly string[] } | undefined {
  const { mappedToDestination, destinationFields, externalId } = objectOrEmpty(event['context'])
  if (!mappedToDestination) return undefined
  const types = Array.isArray(externalId) ? externalId.filter(isJsonObject).map(({ type }) => String(type)) : []
  const id = types.find((type) => type.startsWith(externalType))?.slice(externalType.length)
  return defined({ id, schema: schemaOf(destinationFields) })
}

function schemaOf(fields: JsonValue | undefined): readonly string[] {
  const list = Array.isArray(fields) ? fields : String(fields ?? '').split(',')
  return list.map((name) => convert.trim(name)).filter(Boolean)
}

function payloadOf({ payload }: JsonObject): JsonObject {
  return objectOrEmpty(payload)
}

function rowsIn(data: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(data) ? data : []
}

/** Requests of batches have no user, as in RudderStack. */
function withoutUserId(entry: BatchEntry): BatchEntry {
  return { ...entry, requests: entry.requests.map(withoutUser) }
}
