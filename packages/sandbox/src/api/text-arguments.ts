import type { JsonValue } from '@sluice/core'

/** Characters of all texts of one call: what one event may hold; more would keep the host busy for too long. */
export const callCharsMax = 4 * 1024 * 1024
/** Texts in one call: enough for every string of a batch, and few enough for one answer. */
export const callTextsMax = 20_000

/**
 * Applies `answer` to a text, or to each text of a list, so that one host call can serve many values.
 * @param what names the function in error messages.
 * @throws TypeError when the value is neither text nor a list of texts; RangeError when it is beyond the limits above.
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

/** The text itself. @throws TypeError when it is none, RangeError when it is too long. */
export function oneText(what: string, value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError(`${what} takes text, not ${kindOf(value)}`)
  checkLength(what, value.length)
  return value
}

/** What a value is, in a word, for error messages. */
export function kindOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}

function checkLength(what: string, length: number): void {
  if (length > callCharsMax) throw new RangeError(`${what} takes at most ${callCharsMax} characters in one call`)
}
