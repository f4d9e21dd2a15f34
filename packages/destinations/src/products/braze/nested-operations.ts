import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { defined, withoutMembers } from '../../kit/index.ts'

/**
 * Returns the operations on a list of objects that a trait describes: `{ add: [{ … }], update: [{ identifier: 'id', id:
 * 1, … }], remove: [{ identifier: 'id', id: 2 }] }`. Returns undefined for other traits, including operations on lists
 * of plain values, which Braze accepts as they are.
 *
 * Source: Braze docs, Array of objects; RudderStack docs, Braze, nested custom attributes.
 */
export function nestedOperations(trait: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(trait)) return undefined
  const [updated, removed, added] = [objectsIn(trait['update']), objectsIn(trait['remove']), objectsIn(trait['add'])]
  if (!updated && !removed && !added) return undefined
  return defined({
    $update: updated?.map(changed),
    $remove: removed?.map(found),
    $add: added,
  })
}

function objectsIn(list: JsonValue | undefined): readonly JsonObject[] | undefined {
  return Array.isArray(list) && list.length > 0 && list.every(isJsonObject) ? list : undefined
}

function found(item: JsonObject): JsonObject {
  const key = String(item['identifier'] ?? '')
  return { $identifier_key: item['identifier'], $identifier_value: Object.hasOwn(item, key) ? item[key] : undefined }
}

function changed(item: JsonObject): JsonObject {
  const named = new Set(['identifier', String(item['identifier'] ?? '')])
  return { ...found(item), $new_object: withoutMembers(item, named) }
}
