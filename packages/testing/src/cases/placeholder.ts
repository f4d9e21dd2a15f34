import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/

/** Placeholders for varying values in an expectation file, such as `{"$any": "uuid"}`. */
export const placeholderKinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  value: () => true,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: isJsonObject,
  list: Array.isArray,
  uuid: (value) => typeof value === 'string' && uuid.test(value),
  timestamp: (value) => typeof value === 'string' && timestamp.test(value),
}

/** An object with `$any` as its only member, of a known kind or not. */
interface Placeholder extends JsonObject {
  readonly $any: JsonValue
}

export function isPlaceholder(value: unknown): value is Placeholder {
  return isJsonObject(value) && '$any' in value && Object.keys(value).length === 1
}

/** Returns the first placeholder of an unknown kind. */
export function unknownPlaceholder(value: JsonValue | undefined): Placeholder | undefined {
  if (isPlaceholder(value))
    return typeof value.$any === 'string' && Object.hasOwn(placeholderKinds, value.$any) ? undefined : value
  if (typeof value !== 'object' || value === null) return undefined
  for (const member of Object.values(value)) {
    const found = unknownPlaceholder(member)
    if (found) return found
  }
  return undefined
}
