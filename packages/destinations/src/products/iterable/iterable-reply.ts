import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type DeliveryRequest, objectsIn, type RefusedItem, respondPerItem } from '../../kit/index.ts'

/**
 * Reads which users or events of a bulk request Iterable refused. It lists their emails, userIds or event names under
 * the reason, such as `invalidEmails`.
 *
 * Source: Iterable docs, bulk update and bulk track; recorded behaviour of RudderStack's iterable destination.
 */
export const iterableReply = respondPerItem({
  itemsIn: (request) => itemsOf(request).length,
  refused({ status, body }, request) {
    if (status < 200 || status >= 300 || !isJsonObject(body)) return undefined
    const items = itemsOf(request)
    if (items.length === 0) return undefined
    const lists = [...listsIn(body), ...listsIn(body['failedUpdates'])]
    return items.flatMap((item, index): readonly RefusedItem[] => {
      const reasons = lists.filter(({ field, values }) => item[field] !== undefined && values.has(item[field]))
      return reasons.length === 0 ? [] : [{ index, message: reasons.map(({ reason }) => reason).join(', ') }]
    })
  },
})

function itemsOf({ body: { JSON: body } }: DeliveryRequest): readonly JsonObject[] {
  const items = body['users'] ?? body['events']
  return objectsIn(items)
}

interface RefusedValues {
  readonly reason: string
  readonly field: string
  readonly values: ReadonlySet<JsonValue | undefined>
}

/** Fields of items, by the end of the name of a list. Lists without an effect, such as `noOpEmails`, are no refusals. */
const fields: readonly (readonly [RegExp, string])[] = [
  [/^(?!noOp).*Emails$/, 'email'],
  [/^(?!noOp).*UserIds$/, 'userId'],
  [/^disallowedEventNames$/, 'eventName'],
]

function listsIn(value: JsonValue | undefined): readonly RefusedValues[] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([reason, list]) => {
    const field = fields.find(([pattern]) => pattern.test(reason))?.[1]
    return field === undefined || !Array.isArray(list) ? [] : [{ reason, field, values: new Set(list) }]
  })
}
