import type { JsonObject, JsonValue } from '@sluice/core'
import { text } from '../convert/text.ts'
import { fillTemplate } from '../map/request/fill-template.ts'

type Pairs = readonly { readonly from?: string; readonly to?: string }[]

/**
 * Returns the topic that a table names for an event: that of its name, otherwise of its type, otherwise of `*`. Names and
 * types match in any case.
 * @example
 * ```ts
 * import { topicInTable } from '@sluice/destinations/kit'
 *
 * console.log(topicInTable({ type: 'track', event: 'Seen' }, [{ from: 'track', to: 'actions' }])) // actions
 * ```
 */
export function topicInTable(event: JsonObject, table: Pairs): string | undefined {
  const names = [event['type'] === 'track' ? event['event'] : undefined, event['type'], '*']
  for (const name of names) {
    const found = typeof name === 'string' ? entryFor(name, table) : undefined
    if (found) return found
  }
  return undefined
}

/** Returns the value of a table for a name, in any case. */
export function entryFor(name: string, table: Pairs): string | undefined {
  const wanted = name.trim().toLowerCase()
  if (wanted === '') return undefined
  return table.find(({ from = '', to = '' }) => to !== '' && from.trim().toLowerCase() === wanted)?.to?.trim()
}

/**
 * Returns a topic for an event: that of the table, otherwise the template with its `{{ paths }}` filled in. Characters
 * that separate or match topics become underscores in values, so that senders cannot choose where events go.
 *
 * @param special characters with a meaning in the topics of the product.
 */
export function topicOf(event: JsonObject, template: string, table: Pairs, special: RegExp): string {
  const write = (value: JsonValue): string => text(value).replace(special, '_').slice(0, valueLengthMax)
  return topicInTable(event, table) ?? fillTemplate(template, event, write)
}

const valueLengthMax = 200 // characters of a value in a topic
