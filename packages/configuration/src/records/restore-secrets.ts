import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type DestinationDefinition, maskedText, maskSentSettings } from '@sluice/destinations/kit'
import type { Problem } from '../definition/problems/problem.ts'

interface RestoredSettings {
  readonly settings: JsonObject
  /** Masks for which there is no stored secret. */
  readonly problems: readonly Problem[]
}

/**
 * Puts stored secrets back where settings have the mask of an answer, so that a client that changes something else need
 * not know them. Elements of a list are matched by what is visible of them: a header that is renamed, or that belongs
 * to another one, needs its secret again.
 */
export function restoreSecrets(
  definition: DestinationDefinition,
  given: JsonObject,
  stored: JsonObject | undefined,
): RestoredSettings {
  const shown = stored && maskSentSettings(definition, stored)
  const settings = restore(given, stored, shown) as JsonObject
  return { settings, problems: masksIn(settings, '') }
}

function restore(
  given: JsonValue | undefined,
  stored: JsonValue | undefined,
  shown: JsonValue | undefined,
): JsonValue | undefined {
  if (given === maskedText) return shown === maskedText && stored !== undefined ? stored : given
  if (Array.isArray(given)) {
    const free = new Set(Array.isArray(stored) && Array.isArray(shown) ? stored.keys() : [])
    const storedList = Array.isArray(stored) ? stored : []
    const shownList = Array.isArray(shown) ? shown : []
    return given.map((element: JsonValue, index) => {
      const isSame = (at: number): boolean => isEqual(element, shownList[at])
      const found = free.has(index) && isSame(index) ? index : [...free].find(isSame)
      if (found === undefined) return element
      free.delete(found)
      return restore(element, storedList[found], shownList[found]) ?? null
    })
  }
  if (!isJsonObject(given)) return given
  const storedMembers = isJsonObject(stored) ? stored : {}
  const shownMembers = isJsonObject(shown) ? shown : {}
  return Object.fromEntries(
    Object.entries(given).map(([key, member]) => [
      key,
      restore(member, own(storedMembers, key), own(shownMembers, key)),
    ]),
  )
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function isEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((element: JsonValue, index) => isEqual(element, b[index]))
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
}

function masksIn(value: JsonValue | undefined, path: string): readonly Problem[] {
  if (value === maskedText)
    return [{ path, value: 'the mask of a secret', allowed: 'the secret itself: none is stored for this place' }]
  if (Array.isArray(value)) return value.flatMap((element: JsonValue, index) => masksIn(element, `${path}[${index}]`))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => masksIn(member, path === '' ? key : `${path}.${key}`))
}
