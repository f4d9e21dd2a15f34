import type { Event, JsonObject, JsonValue } from '@sluice/core'
import type * as FastCheck from 'fast-check'
import { type ObservedValue, timesSeen } from './observed-value.ts'

/** The functions of fast-check, which the caller loads. */
export type Fc = Omit<typeof FastCheck, 'default'>

/** Every made-up personal value contains it, so that it can be found again. */
const madeUp = 'madeup'
/** Made-up personal numbers have so many digits that no other number has them by accident. */
const firstMadeUpNumber = 900_000_000_000_000

/** Returns the made-up personal values in a text. */
export function madeUpIn(text: string): readonly string[] {
  return text.match(/madeup[0-9a-z]{8}|\b9\d{14}\b/g) ?? []
}

/**
 * Returns events like those that were seen: the same keys as often, of the same types, with values that were seen where they
 * are few and no personal data. Personal values are made up.
 */
export function eventArbitrary(fc: Fc, { objects }: ObservedValue): FastCheck.Arbitrary<Event> {
  if (objects === undefined) return fc.constant({})
  // Type and name stay, because they decide which events these are.
  const fixed = new Set(['type', 'event'])
  return objectArbitrary(fc, objects, '', fixed) as FastCheck.Arbitrary<Event>
}

function valueArbitrary(fc: Fc, seen: ObservedValue, path: string): FastCheck.Arbitrary<JsonValue> {
  const { nulls, trues, falses, numbers, texts, lists, objects } = seen
  const options: FastCheck.WeightedArbitrary<JsonValue>[] = []
  const add = (weight: number, arbitrary: FastCheck.Arbitrary<JsonValue>): void => {
    if (weight > 0) options.push({ weight, arbitrary })
  }
  add(nulls, fc.constant(null))
  add(trues, fc.constant(true))
  add(falses, fc.constant(false))
  if (numbers) add(numbers.count, numberArbitrary(fc, numbers))
  if (texts) add(texts.count, textArbitrary(fc, texts, path))
  if (lists)
    add(lists.count, fc.array(valueArbitrary(fc, lists.item, path), { maxLength: Math.min(lists.lengthMax + 1, 20) }))
  if (objects) add(objects.count, objectArbitrary(fc, objects, path, new Set()))
  return options.length === 0 ? fc.constant(null) : fc.oneof(...options)
}

function numberArbitrary(
  fc: Fc,
  { min, max, areWhole, isPersonal }: NonNullable<ObservedValue['numbers']>,
): FastCheck.Arbitrary<number> {
  if (isPersonal) return fc.maxSafeInteger().map((number) => firstMadeUpNumber + (Math.abs(number) % 10 ** 14))
  return areWhole ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true })
}

function objectArbitrary(
  fc: Fc,
  { count, members }: NonNullable<ObservedValue['objects']>,
  path: string,
  fixed: ReadonlySet<string>,
): FastCheck.Arbitrary<JsonObject> {
  const parts = [...members].map(([key, member]): FastCheck.Arbitrary<readonly [string, JsonValue] | undefined> => {
    const entry = valueArbitrary(fc, member, path === '' ? key : `${path}.${key}`).map((value) => [key, value] as const)
    const missing = count - timesSeen(member)
    if (fixed.has(key) || missing <= 0) return entry
    return fc.oneof(
      { weight: Math.max(1, count - missing), arbitrary: entry },
      { weight: missing, arbitrary: fc.constant(undefined) },
    )
  })
  return fc.tuple(...parts).map((entries) => Object.fromEntries(entries.filter((entry) => entry !== undefined)))
}

function textArbitrary(
  fc: Fc,
  { values, lengthMax, isPersonal }: NonNullable<ObservedValue['texts']>,
  path: string,
): FastCheck.Arbitrary<string> {
  if (isPersonal) return personalArbitrary(fc, path)
  if (values !== undefined && values.size > 0) return fc.constantFrom(...values.keys())
  return fc.string({ maxLength: Math.max(1, lengthMax) })
}

/** Returns made-up values of the kind that the last key of a path names. */
function personalArbitrary(fc: Fc, path: string): FastCheck.Arbitrary<string> {
  const mark = fc
    .integer({ min: 0, max: 36 ** 6 - 1 })
    .map((number) => `${madeUp}${number.toString(36).padStart(8, '0')}`)
  const key = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return key.includes('email') ? mark.map((text) => `${text}@mail.example`) : mark
}
