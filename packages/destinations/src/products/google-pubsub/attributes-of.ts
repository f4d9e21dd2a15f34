import type { JsonObject } from '@sluice/core'
import { convert, entryFor, valueAt } from '../../kit/index.ts'

type Pairs = readonly { readonly from?: string; readonly to?: string }[]

/**
 * Returns the attributes of a message. All entries for the name of the event count, or else those for its type, or else
 * those for `*`. A path is looked up in the event, then in its properties and traits.
 */
export function attributesOf(event: JsonObject, table: Pairs): Readonly<Record<string, string>> {
  const attributes: Record<string, string> = {}
  for (const path of pathsFor(event, table)) {
    const keys = path.split('.').map((key) => key.trim())
    const value = [event, event['properties'], event['traits']].map((part) => valueAt(part, keys)).find(isGiven)
    const name = keys.at(-1) ?? ''
    if (isGiven(value) && name !== '' && name !== '__proto__') attributes[name] = convert.text(value)
  }
  return attributes
}

function isGiven<Value>(value: Value | undefined | null): value is Value {
  return value !== undefined && value !== null && value !== ''
}

function pathsFor(event: JsonObject, table: Pairs): readonly string[] {
  for (const name of [event['type'] === 'track' ? event['event'] : undefined, event['type'], '*']) {
    if (typeof name !== 'string') continue
    const found = table.flatMap((entry) => entryFor(name, [entry]) ?? [])
    if (found.length > 0) return found
  }
  return []
}
