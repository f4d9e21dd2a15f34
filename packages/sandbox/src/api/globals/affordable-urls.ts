import { convertedHostLength, convertedHostLengthMax, type JsonValue } from '@sluice/core'
import { callCharsMax } from '../text-arguments.ts'

/** Most of the sum of the squared lengths of converted hosts in one call: some 0.3 s. */
const squaresMax = 2 ** 24

/**
 * Checks that a list of URLs, all resolved against the same base, can be parsed in a time that is short enough for one
 * host call. The base is parsed for each URL. Values that are no texts are checked elsewhere.
 *
 * @throws RangeError when the base is too long for so many URLs, or too many of them have long hosts to convert.
 */
export function requireAffordableUrls(value: JsonValue | undefined, base: JsonValue | undefined): void {
  if (!Array.isArray(value)) return
  const against = typeof base === 'string' ? base : ''
  if (against.length * value.length > callCharsMax)
    throw new RangeError(
      `parse takes at most ${callCharsMax} characters in one call, with the base counted for each URL`,
    )
  const baseSquare = squareOf(against)
  const squares = value.reduce(
    (sum: number, url) => sum + baseSquare + (typeof url === 'string' ? squareOf(url) : 0),
    0,
  )
  if (squares > squaresMax)
    throw new RangeError('parse got too many long hosts that are not plain ASCII in one call; pass fewer URLs')
}

/** Longer hosts are refused without being converted. */
function squareOf(url: string): number {
  const length = convertedHostLength(url)
  return length > convertedHostLengthMax ? 0 : length ** 2
}
