import { identifierText, type JsonValue } from '@sluice/core'
import { userDigest } from './user-digest.ts'

/** A sampled event. Those with the lowest ranks are kept, which makes a uniform sample of any union of what was seen. */
export interface Sample {
  /** Drawn at random from [0, 1). */
  readonly rank: number
  /** JSON text of the event, personal data masked. */
  readonly text: string
  /** Of the user, so that samples can be forgotten without naming anybody: see `userDigest`. '' for nobody. */
  readonly user: string
}

/** The lowest ranks of several samples: the sample of all that they were drawn from. */
export function mergeSamples(samples: readonly Sample[], max: number): readonly Sample[] {
  if (samples.length < 2) return samples.slice(0, max)
  return samples.toSorted((a, b) => a.rank - b.rank || (a.text < b.text ? -1 : 1)).slice(0, max)
}

/** Whether a sample is of a user or names one: as `previousId` of an alias call, among traits, anywhere. */
export function isSampleOf({ text, user }: Sample, userId: string): boolean {
  const wanted = identifierText(userId)
  if (wanted === '') return false
  return user === userDigest(userId) || names(JSON.parse(text), wanted)
}

/** Takes the samples of a user out of a list. */
export function forgetSamples(samples: Sample[], userId: string): void {
  const kept = samples.filter((sample) => !isSampleOf(sample, userId))
  samples.splice(0, samples.length, ...kept)
}

/** Samples are not deeper than the stack: see `createPersonalDataMask`. */
function names(value: JsonValue, wanted: string): boolean {
  if (typeof value !== 'object' || value === null) return identifierText(value) === wanted
  return Object.values(value).some((member) => names(member ?? null, wanted))
}
