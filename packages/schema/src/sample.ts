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
