import type { JsonValue } from '@sluice/core'

/** Most characters of all texts in one call. It allows any event without keeping the host busy for too long. */
export const callCharsMax = 4 * 1024 * 1024
/** Most texts in one call: enough for every string of a batch. */
const callTextsMax = 20_000

/**
 * Applies `answer` to a text, or to each text of a list, so that one host call can process many values.
 * @param what the name of the function, for error messages.
 * @throws TypeError when the value is neither text nor a list of texts; RangeError when it exceeds the limits above.
 */
export function forTexts(what: string, value: JsonValue | undefined, answer: (text: string) => JsonValue): JsonValue {
  if (typeof value === 'string') {
    checkLength(what, value.length)
    return answer(value)
  }
  if (!Array.isArray(value)) throw new TypeError(`${what} takes text or a list of texts, not ${kindOf(value)}`)
  if (value.length > callTextsMax) throw new RangeError(`${what} takes at most ${callTextsMax} texts in one call`)
  let length = 0
  const texts = value.map((text: JsonValue, index) => {
    if (typeof text !== 'string') throw new TypeError(`${what} takes texts; item ${index} is ${kindOf(text)}`)
    length += text.length
    return text
  })
  checkLength(what, length)
  return texts.map(answer)
}

/** Returns a value that must be a text. @throws TypeError when it is not, RangeError when it is too long. */
export function textArgument(what: string, value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError(`${what} takes text, not ${kindOf(value)}`)
  checkLength(what, value.length)
  return value
}

/** Describes the kind of a value for error messages. */
export function kindOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}

function checkLength(what: string, length: number): void {
  if (length > callCharsMax) throw new RangeError(`${what} takes at most ${callCharsMax} characters in one call`)
}
