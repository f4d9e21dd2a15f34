import type { JsonObject } from '@sluice/core'

/**
 * Returns the text that an SDK has split into its characters, as `{0: "a", 1: "b"}`, counted from 0 or 1; undefined for
 * other objects. RudderStack joins such traits of the context.
 */
export function splitText(object: JsonObject): string | undefined {
  const keys = Object.keys(object)
  const first = keys[0]
  if (first !== '0' && first !== '1') return undefined
  let text = ''
  for (const [at, key] of keys.entries()) {
    const value = object[key]
    if (key !== String(Number(first) + at) || typeof value !== 'string' || [...value].length !== 1) return undefined
    text += value
  }
  return text
}
