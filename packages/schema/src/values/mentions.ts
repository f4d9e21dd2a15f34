import { createTextSearch, identifierText } from '@sluice/core'
import type { CountedValue } from '../shapes/counted-value.ts'
import { noOwnedValues, type OwnedValues } from './owned-values.ts'
import { userDigest } from './user-digest.ts'

/** Finds identifiers of users, such as user ids, e-mail addresses and phone numbers. */
export interface Mentions {
  /** Returns whether a value equals or contains one of the identifiers, in any case. */
  isIn(value: CountedValue): boolean
  /** Returns whether one of the digests of an event is that of one of the identifiers; see `digestsOf`. */
  isOf(digests: string): boolean
  /**
   * Returns whether a value of a path that was seen so often is of these users alone: their events had it as often.
   */
  isOnlyTheirs(path: string, value: CountedValue, seen: number): boolean
}

/**
 * Shorter identifiers count only where no letter or digit is beside them: `7` is in `user 7`, but not in `1975`.
 * Otherwise the deletion of such a user would remove nearly every number.
 */
const anywhereLengthMin = 4

const letterOrDigit = /[\p{L}\p{N}]/u

/**
 * @param identifiers in any notation; blank ones are ignored.
 * @param valueLengthMax length at which values were cut: the beginning of an identifier at the end of such a value counts.
 * @param owned what the events of the users had.
 */
export function createMentions(
  identifiers: readonly string[],
  valueLengthMax: number = Number.POSITIVE_INFINITY,
  owned: OwnedValues = noOwnedValues,
): Mentions {
  const wanted = [...new Set(identifiers.map(comparable))].filter((text) => text !== '')
  const search = createTextSearch(wanted)
  const digests = new Set(identifiers.map(userDigest).filter((digest) => digest !== ''))
  return {
    isOf: (digest) => digest.split(' ').some((each) => digests.has(each)),
    isOnlyTheirs: (path, value, seen) => (owned.get(path)?.get(String(value)) ?? 0) >= seen,
    isIn: (value) => {
      const text = comparable(value)
      const isWhole = (start: number, end: number): boolean =>
        end - start >= anywhereLengthMin ||
        !(letterOrDigit.test(text.charAt(start - 1)) || letterOrDigit.test(text.charAt(end)))
      if (search.isIn(text, isWhole)) return true
      return String(value).length >= valueLengthMax && search.begunAtEndOf(text) >= anywhereLengthMin
    },
  }
}

/** Upper and lower case of an e-mail address are the same. */
function comparable(value: CountedValue): string {
  return identifierText(value).toLowerCase()
}
