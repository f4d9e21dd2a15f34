import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { Type } from 'typebox'
import { type KeyPath, toKeyPath, valueAt } from './key-path.ts'
import { isSettable } from './rule.ts'

/** One field that a user maps in the settings. */
interface Override {
  readonly mapping: string | undefined
  readonly to: KeyPath
  readonly from: readonly KeyPath[]
}

const overridesMax = 100 // fields; each is set for every event
const path = '^(?!(.*\\.)?__proto__(\\.|$))[^.]+(\\.[^.]+)*$'
const allowedPath = 'a key path, such as properties.plan'

/**
 * Returns the schema of the setting `overrides`, which every destination with named mappings has.
 *
 * @param names names of the mappings.
 */
export function overridesSetting(names: readonly string[]) {
  const Path = Type.String({ pattern: path, maxLength: 500, allowed: allowedPath })
  return Type.Optional(
    Type.Array(
      Type.Object({
        to: Type.String({
          pattern: path,
          maxLength: 500,
          allowed: allowedPath,
          title: 'Field of the destination',
          description: 'Key path in what the mapping creates.',
        }),
        from: Type.Union([Path, Type.Array(Path, { minItems: 1, maxItems: 20 })], {
          allowed: 'a key path, or a list of them',
          title: 'Field of the event',
          description:
            'Key path in what the mapping reads, usually the event. Of several, the first with a value counts.',
        }),
        mapping: Type.Optional(
          Type.Enum([...names], {
            title: 'Mapping',
            description: 'Mapping that is changed; all of them when absent.',
          }),
        ),
      }),
      {
        maxItems: overridesMax,
        isUnlisted: true,
        title: 'Fields of your own',
        description: 'Fields that replace or add to those of the mapping. Fields without a value change nothing.',
        allowed: `a list of at most ${overridesMax} objects with to and from`,
        group: 'Mapping',
      },
    ),
  )
}

const namesOfMappings = new WeakMap<object, string>()

/** Notes under which name a definition declares a mapping, so that overrides can choose it. */
export function nameMapping(mapping: object, name: string): void {
  namesOfMappings.set(mapping, name)
}

// The list stays the same object for all events with the same settings.
const parsedOverrides = new WeakMap<object, readonly Override[]>()

/** Returns what a mapping created with the overrides of the settings. Changes neither of its inputs. */
export function withOverrides(mapping: object, mapped: JsonObject, source: JsonObject, overrides: unknown): JsonObject {
  if (!Array.isArray(overrides)) return mapped
  let parsed = parsedOverrides.get(overrides)
  if (parsed === undefined) {
    parsed = overrides.filter(isJsonObject).flatMap(parseOverride)
    parsedOverrides.set(overrides, parsed)
  }
  const name = namesOfMappings.get(mapping)
  let changed = mapped
  for (const override of parsed) {
    if (override.mapping !== undefined && override.mapping !== name) continue
    for (const from of override.from) {
      const value = valueAt(source, from)
      if (!isSettable(value)) continue
      changed = withValue(changed, override.to, value)
      break
    }
  }
  return changed
}

/** The settings were checked before; what does not fit the schema is left out all the same. */
function parseOverride({ to, from, mapping }: JsonObject): readonly Override[] {
  const paths = [from].flat().filter((each) => typeof each === 'string')
  if (typeof to !== 'string' || paths.length === 0) return []
  const name = typeof mapping === 'string' ? mapping : undefined
  return [{ mapping: name, to: toKeyPath(to), from: paths.map(toKeyPath) }]
}

/** Copies the objects along the path: they may be shared with the event. */
function withValue(object: JsonObject, [key = '', ...rest]: KeyPath, value: JsonValue): JsonObject {
  if (rest.length === 0) return { ...object, [key]: value }
  const inner = object[key]
  if (Array.isArray(inner)) return { ...object, [key]: withElement(inner, rest, value) }
  return { ...object, [key]: withValue(isJsonObject(inner) ? inner : {}, rest, value) }
}

/** Sets a value in an element of a list; a key that is no index of the list changes nothing. */
function withElement(list: readonly JsonValue[], [key = '', ...rest]: KeyPath, value: JsonValue): readonly JsonValue[] {
  const index = /^\d{1,9}$/.test(key) ? Number(key) : list.length
  if (index >= list.length) return list
  return list.map((element, at) => {
    if (at !== index) return element
    return rest.length === 0 ? value : withValue(isJsonObject(element) ? element : {}, rest, value)
  })
}
