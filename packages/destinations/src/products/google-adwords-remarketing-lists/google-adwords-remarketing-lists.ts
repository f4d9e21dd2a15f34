import { isJsonObject, type JsonObject } from '@sluice/core'
import type { Static } from 'typebox'
import {
  type DeliveryRequest,
  defineDestination,
  googleAdsAccount,
  googleAdsHeaders,
  googleAdsSecrets,
  instrumentationError,
  isMappingError,
  type MappingContext,
  type MappingError,
  nextGoogleAdsCall,
  objectsIn,
  packLists,
  respondLikeGoogleAds,
  type TypedEvent,
} from '../../kit/index.ts'
import { dataManagerRequest } from './data-manager.ts'
import { googleAdsJob } from './google-ads-job.ts'
import { googleAdwordsRemarketingListsExamples } from './google-adwords-remarketing-lists-examples.ts'
import { googleAdwordsRemarketingListsSettings } from './google-adwords-remarketing-lists-settings.ts'
import { type ListChange, listOf } from './list-change.ts'
import { type Person, personOf } from './person.ts'

type Settings = Static<typeof googleAdwordsRemarketingListsSettings>

const batchMax = 10_000 // people; source: Google Ads docs, customer match

/**
 * Adds people to lists of Google Ads (customer match), and removes them.
 *
 * Source: RudderStack docs, Google Ads Remarketing Lists; Google Ads docs, customer match; Data Manager docs, audience
 * members; recorded behaviour of RudderStack's google_adwords_remarketing_lists destination.
 */
export const googleAdwordsRemarketingLists = defineDestination({
  type: 'GOOGLE_ADWORDS_REMARKETING_LISTS',
  displayName: 'Google Ads Remarketing Lists (Customer Match)',
  supports: ['audiencelist', 'record'],
  settings: googleAdwordsRemarketingListsSettings,
  secrets: googleAdsSecrets,
  account: googleAdsAccount,
  requests(event, settings, context) {
    return event.type === 'record' ? recordRequest(event, settings, context) : listRequests(event, settings, context)
  },
  limits: [
    'An event without valid identifiers fails.',
    `A batch has at most ${batchMax} people, who are all added, updated or removed.`,
  ],
  batch: packLists({
    key: ({ event, request: { endpoint, headers, params, body } }) => {
      const { operations: _, audienceMembers: __, ...shared } = body.JSON
      return JSON.stringify([event['action'], kindIn(body.JSON), endpoint, headers, params, shared])
    },
    listsMax: { operations: batchMax, audienceMembers: batchMax },
  }),
  nextCall: nextGoogleAdsCall,
  respond: respondLikeGoogleAds,
  examples: googleAdwordsRemarketingListsExamples,
})

const kinds: Readonly<Record<string, ListChange['kind']>> = { insert: 'add', update: 'add', delete: 'remove' }

function recordRequest(event: TypedEvent, settings: Settings, context: MappingContext): DeliveryRequest | MappingError {
  const { action, identifiers, fields } = event
  const kind = typeof action === 'string' && Object.hasOwn(kinds, action) ? kinds[action] : undefined
  if (kind === undefined) return instrumentationError('the action of a record must be insert, update or delete')
  const record = context.connection !== undefined && isJsonObject(identifiers) ? identifiers : (fields ?? identifiers)
  if (!isJsonObject(record)) return instrumentationError('a record needs identifiers or fields')
  const request = requestFor(kind, [record], event, settings, context)
  return request ?? instrumentationError('the event has no valid identifiers')
}

function listRequests(event: TypedEvent, settings: Settings, context: MappingContext) {
  const { properties } = event
  const listData = isJsonObject(properties) ? properties['listData'] : undefined
  if (!isJsonObject(listData)) return instrumentationError('the properties need listData')
  const order = settings.api === 'dataManager' ? ['add', 'remove'] : Object.keys(listData)
  const requests: DeliveryRequest[] = []
  for (const kind of order) {
    if (kind !== 'add' && kind !== 'remove') continue
    const request = requestFor(kind, objectsIn(listData[kind]), event, settings, context)
    if (isMappingError(request)) return request
    if (request) requests.push(request)
  }
  if (requests.length > 0) return requests
  const list = listOf(event, settings, context.connection)
  return isMappingError(list)
    ? list
    : instrumentationError('listData has no users with valid identifiers to add or remove')
}

function requestFor(
  kind: ListChange['kind'],
  records: readonly JsonObject[],
  event: TypedEvent,
  settings: Settings,
  context: MappingContext,
): DeliveryRequest | MappingError | undefined {
  const list = listOf(event, settings, context.connection)
  if (isMappingError(list)) return list
  const people: Person[] = []
  for (const record of records) {
    const person = personOf(record, list)
    if (isMappingError(person)) return person
    people.push(person)
  }
  const headers = googleAdsHeaders(settings, context)
  if (isMappingError(headers)) return headers
  return (settings.api === 'dataManager' ? dataManagerRequest : googleAdsJob)({ kind, people, list, headers })
}

/** Returns whether the operations of a job create or remove; a job may only do one. */
function kindIn({ operations }: JsonObject): string {
  return Object.keys(objectsIn(operations)[0] ?? {}).join()
}
