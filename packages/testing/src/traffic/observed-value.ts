import type { JsonObject, JsonValue } from '@sluice/core'

/** What was seen at one place of events: how often, with what types, and how large. No personal value is in it. */
export interface ObservedValue {
  nulls: number
  trues: number
  falses: number
  numbers: { count: number; min: number; max: number; areWhole: boolean; isPersonal: boolean } | undefined
  texts: ObservedTexts | undefined
  lists: { count: number; lengthMax: number; item: ObservedValue } | undefined
  objects: { count: number; readonly members: Map<string, ObservedValue> } | undefined
}

interface ObservedTexts {
  count: number
  lengthMax: number
  /** Values that are no personal data, with how often each was seen; undefined when there were too many. */
  values: Map<string, number> | undefined
  /** Whether a value was personal data, or its place is marked as such: then values are made up. */
  isPersonal: boolean
}

/** Whether the value at a path, such as `context.traits.email`, is personal data. */
export type IsPersonal = (path: string, value: string) => boolean

/** Members of one object, and levels of nesting, that are learnt; further ones are left out. */
const membersMax = 500
const depthMax = 12
/** Different texts of one place that are remembered, and their length. */
const valuesMax = 20
const valueLengthMax = 100

/** Returns an observation of nothing. */
export function noValue(): ObservedValue {
  const nothing = { numbers: undefined, texts: undefined, lists: undefined, objects: undefined }
  return { nulls: 0, trues: 0, falses: 0, ...nothing }
}

/** Adds a value of an event. @param path of its place, '' for the event itself. */
export function observeValue(
  seen: ObservedValue,
  value: JsonValue,
  isPersonal: IsPersonal,
  path = '',
  depth = 0,
): void {
  if (value === null || depth > depthMax) seen.nulls += 1
  else if (value === true) seen.trues += 1
  else if (value === false) seen.falses += 1
  else if (typeof value === 'number') observeNumber(seen, value, isPersonal(path, String(value)))
  else if (typeof value === 'string') observeText(seen, value, isPersonal(path, value))
  else if (Array.isArray(value)) {
    seen.lists ??= { count: 0, lengthMax: 0, item: noValue() }
    seen.lists.count += 1
    seen.lists.lengthMax = Math.max(seen.lists.lengthMax, value.length)
    for (const item of value as readonly JsonValue[]) observeValue(seen.lists.item, item, isPersonal, path, depth + 1)
  } else {
    seen.objects ??= { count: 0, members: new Map() }
    seen.objects.count += 1
    for (const [key, member] of Object.entries(value as JsonObject)) {
      const { members } = seen.objects
      if (member === undefined || (members.size >= membersMax && !members.has(key))) continue
      // A key may be an address itself.
      if (isPersonal('', key)) continue
      const known = members.get(key) ?? noValue()
      members.set(key, known)
      observeValue(known, member, isPersonal, path === '' ? key : `${path}.${key}`, depth + 1)
    }
  }
}

function observeNumber(seen: ObservedValue, value: number, isPersonal: boolean): void {
  seen.numbers ??= { count: 0, min: value, max: value, areWhole: true, isPersonal }
  seen.numbers.isPersonal ||= isPersonal
  seen.numbers.count += 1
  seen.numbers.min = Math.min(seen.numbers.min, value)
  seen.numbers.max = Math.max(seen.numbers.max, value)
  seen.numbers.areWhole &&= Number.isSafeInteger(value)
}

function observeText(seen: ObservedValue, value: string, isPersonal: boolean): void {
  seen.texts ??= { count: 0, lengthMax: 0, values: new Map(), isPersonal: false }
  const { texts } = seen
  texts.count += 1
  texts.lengthMax = Math.max(texts.lengthMax, Math.min(value.length, valueLengthMax))
  texts.isPersonal ||= isPersonal
  // One personal value makes the whole place suspect.
  if (texts.isPersonal || value.length > valueLengthMax) texts.values = undefined
  if (texts.values === undefined) return
  texts.values.set(value, (texts.values.get(value) ?? 0) + 1)
  if (texts.values.size > valuesMax) texts.values = undefined
}

/** Returns how often a place was seen. */
export function timesSeen({ nulls, trues, falses, numbers, texts, lists, objects }: ObservedValue): number {
  const others = [numbers, texts, lists, objects].reduce((sum, each) => sum + (each?.count ?? 0), 0)
  return nulls + trues + falses + others
}
