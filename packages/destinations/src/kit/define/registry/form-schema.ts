import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { TSchema } from 'typebox'
import { titleOf } from '../../settings/declare/title-of.ts'
import type { SettingsNode } from '../define-destination.ts'

/**
 * Returns a schema of settings with all words that a form needs: each setting has a `title`, and each setting with fixed
 * values has `choices`, the words for each value. Those that a definition does not give are made from the names.
 */
export function formSchema(schema: TSchema): JsonObject {
  const { properties, ...others }: SettingsNode = schema
  const settings = Object.entries(properties ?? {}).map(([name, setting]) => [name, titledSetting(name, setting)])
  return { ...withWords(plain(others)), ...(properties ? { properties: Object.fromEntries(settings) } : {}) }
}

// Hundreds of types have the same gates: their words are made and kept once.
const titledSettings = new WeakMap<SettingsNode, JsonObject>()

function titledSetting(name: string, setting: SettingsNode): JsonObject {
  const known = titledSettings.get(setting) ?? withWords(plain(setting))
  titledSettings.set(setting, known)
  return 'title' in known ? known : { title: titleOf(name), ...known }
}

/** Through JSON, which removes the internal properties of the schema library. */
function plain(schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema))
}

function withWords(schema: JsonObject): JsonObject {
  const { properties, items } = schema
  const values = schema['enum']
  return {
    ...schema,
    ...(isJsonObject(properties) ? { properties: titled(properties) } : {}),
    ...(isJsonObject(items) ? { items: withWords(items) } : {}),
    ...(Array.isArray(values) ? { choices: { ...wordsFor(values), ...Object(schema['choices']) } } : {}),
  }
}

function titled(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties).map(([name, setting]) => [
    name,
    isJsonObject(setting) ? { title: titleOf(name), ...withWords(setting) } : setting,
  ])
  return Object.fromEntries(entries)
}

/** Values in capitals, such as POST, are names already. */
function wordsFor(values: readonly JsonValue[]): JsonObject {
  return Object.fromEntries(
    values.map((value) => {
      const text = String(value)
      return [text, text === text.toUpperCase() ? text : titleOf(text)]
    }),
  )
}
