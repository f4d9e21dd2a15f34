import { isJsonObject, type JsonValue } from '@sluice/core'
import { kindOf } from './text-arguments.ts'

/**
 * Returns an option whose value must be one of `words`; the first is the default.
 * @throws TypeError that lists the words, so that a misspelt option is not silently ignored.
 */
export function wordOption<const Word extends string>(
  what: string,
  options: JsonValue | undefined,
  key: string,
  words: readonly [Word, ...Word[]],
): Word {
  const value = isJsonObject(options) ? options[key] : undefined
  if (value === undefined || value === null) return words[0]
  const word = words.find((known) => known === value)
  if (word === undefined) throw new TypeError(`${what}: ${key} must be one of ${words.join(', ')}`)
  return word
}

/** @throws TypeError when options are given but are not an object, or have an unknown key. */
export function checkOptions(what: string, options: JsonValue | undefined, known: readonly string[]): void {
  if (options === undefined || options === null) return
  if (!isJsonObject(options)) throw new TypeError(`${what} takes options as an object, not ${kindOf(options)}`)
  const unknown = Object.keys(options).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw new TypeError(`${what} knows no option ${unknown.slice(0, 100)}; there are ${known.join(', ')}`)
}
