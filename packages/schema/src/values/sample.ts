import type { JsonValue } from '@sluice/core'
import type { Mentions } from './mentions.ts'

/** A sampled event. Keeping the events with the lowest ranks yields a uniform sample, also when samples are merged. */
export interface Sample {
  /** Random number in [0, 1). */
  readonly rank: number
  /** JSON text of the event, with personal data masked. */
  readonly text: string
  /**
   * Digest of the user's id, so that samples can be removed without storing the id, or those of a guest: see `digestsOf`.
   */
  readonly user: string
}

/** Returns the samples with the lowest ranks: a uniform sample of everything they were drawn from. */
export function mergeSamples(samples: readonly Sample[], max: number): readonly Sample[] {
  if (samples.length < 2) return samples.slice(0, max)
  return samples.toSorted((a, b) => a.rank - b.rank || (a.text < b.text ? -1 : 1)).slice(0, max)
}

/**
 * Returns whether a sample belongs to a user or mentions one in any value, for example as `previousId`, in traits, or in
 * a text.
 */
export function isSampleOf({ text, user }: Sample, mentions: Mentions): boolean {
  return mentions.isOf(user) || isMentionedIn(JSON.parse(text), mentions)
}

/** Removes the samples of users from a list. */
export function forgetSamples(samples: Sample[], mentions: Mentions): void {
  const kept = samples.filter((sample) => !isSampleOf(sample, mentions))
  samples.splice(0, samples.length, ...kept)
}

/** Recursion is safe because samples are limited in depth: see `createPersonalDataMask`. */
function isMentionedIn(value: JsonValue, mentions: Mentions): boolean {
  if (value === null) return false
  if (typeof value !== 'object') return mentions.isIn(value)
  return Object.values(value).some((member) => isMentionedIn(member ?? null, mentions))
}
