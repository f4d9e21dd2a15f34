import { identifierText, type JsonValue } from '@sluice/core'
import { userDigest } from './user-digest.ts'

/** A sampled event. Keeping the events with the lowest ranks yields a uniform sample, also when samples are merged. */
export interface Sample {
  /** Random number in [0, 1). */
  readonly rank: number
  /** JSON text of the event, with personal data masked. */
  readonly text: string
  /**
   * Digest of the user's id, so that samples can be removed without storing the id; see `userDigest`. '' without a
   * userId.
   */
  readonly user: string
}

/** Returns the samples with the lowest ranks: a uniform sample of everything they were drawn from. */
export function mergeSamples(samples: readonly Sample[], max: number): readonly Sample[] {
  if (samples.length < 2) return samples.slice(0, max)
  return samples.toSorted((a, b) => a.rank - b.rank || (a.text < b.text ? -1 : 1)).slice(0, max)
}

/**
 * Returns whether a sample belongs to a user or mentions the user's id anywhere, for example as `previousId` or in
 * traits.
 */
export function isSampleOf({ text, user }: Sample, userId: string): boolean {
  const wanted = identifierText(userId)
  if (wanted === '') return false
  return user === userDigest(userId) || names(JSON.parse(text), wanted)
}

/** Removes the samples of a user from a list. */
export function forgetSamples(samples: Sample[], userId: string): void {
  const kept = samples.filter((sample) => !isSampleOf(sample, userId))
  samples.splice(0, samples.length, ...kept)
}

/** Recursion is safe because samples are limited in depth: see `createPersonalDataMask`. */
function names(value: JsonValue, wanted: string): boolean {
  if (typeof value !== 'object' || value === null) return identifierText(value) === wanted
  return Object.values(value).some((member) => names(member ?? null, wanted))
}
