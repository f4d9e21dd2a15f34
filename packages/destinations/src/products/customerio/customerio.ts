import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  type DeliveryRequest,
  defineDestination,
  everyType,
  instrumentationError,
  isJsonLarger,
  isMappingError,
  type MappingError,
  respondPerItem,
  type TypedEvent,
} from '../../kit/index.ts'
import { batchItem } from './batch-items.ts'
import { attributesOf } from './customerio-attributes.ts'
import { batchKind, bytesMax, customerioBatch, itemsMax, itemsOf } from './customerio-batch.ts'
import { customerioExamples } from './customerio-examples.ts'
import { customerioRequest } from './customerio-request.ts'
import { type CustomerioSettings, customerioSettings } from './customerio-settings.ts'
import { nameLengthMax } from './event-name.ts'
import { singleCall } from './single-calls.ts'

const itemBytesMax = 32_000 // Customer.io refuses items above 32 KB

/**
 * Sends people, events, devices and objects to Customer.io. Only version 2 of its API supports groups and records.
 *
 * Source: RudderStack docs, Customer.io (names of screens); recorded behaviour of RudderStack's customerio destination;
 * Customer.io's Track API v1 and v2.
 */
export const customerio = defineDestination({
  type: 'CUSTOMERIO',
  displayName: 'Customer IO',
  supports: [...everyType, 'record'],
  settings: customerioSettings,
  secrets: ['apiKey'],
  mappings: attributesOf,
  requests: (event, settings, { connection }) =>
    settings.apiVersion === 'v2' || event.type === 'group' || event.type === 'record'
      ? batchCall(event, settings, connection)
      : singleCall(event, settings),
  limits: [
    `A batch has at most ${itemsMax} items and ${bytesMax} bytes. Version v1 batches only groups and records.`,
    `An item of a batch has at most ${itemBytesMax} bytes; an event with a larger item fails.`,
    `Names of track events are cut at ${nameLengthMax} characters, names of events of anonymous people at ${nameLengthMax} bytes.`,
    'Pages need a name or the property url, screens a name, which RudderStack documents but does not read.',
    'A createdAt below 100,000,000,000 counts as seconds, other numbers as milliseconds.',
  ],
  batch: customerioBatch,
  respond: respondPerItem({
    itemsIn: (request) => itemsOf(request).length,
    refused({ status, body }, { endpointPath }) {
      if (endpointPath !== batchKind || status !== 207 || !isJsonObject(body)) return undefined
      const { errors } = body
      return Array.isArray(errors) ? errors.filter(isJsonObject).map(refusal) : undefined
    },
  }),
  examples: customerioExamples,
})

function batchCall(
  event: TypedEvent,
  settings: CustomerioSettings,
  connection: JsonObject | undefined,
): DeliveryRequest | MappingError {
  const item = batchItem(event, settings, connection)
  if (isMappingError(item)) return item
  if (isJsonLarger(item, itemBytesMax)) {
    return instrumentationError(`the event has more than ${itemBytesMax} bytes, which Customer.io refuses`)
  }
  // As in RudderStack, a group is sent without a list until it is batched.
  const body = settings.apiVersion === 'v1' && event.type === 'group' ? item : { batch: [item] }
  return customerioRequest(event, settings, { method: 'POST', path: batchKind, kind: batchKind }, body)
}

function refusal({ batch_index, reason, field, message }: { readonly [key: string]: unknown }) {
  const parts = [reason, field, message].filter((part) => typeof part === 'string' && part !== '').join(': ')
  return { index: typeof batch_index === 'number' ? batch_index : undefined, message: parts || 'refused' }
}
