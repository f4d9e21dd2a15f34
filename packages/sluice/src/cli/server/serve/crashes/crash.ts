/** A destination to which something may be under way: a request or a load. */
export interface SendingPlace {
  readonly workspaceId: string
  readonly destinationId: string
}

/** One end of a process that did not stop in order. */
export interface Crash {
  /** Milliseconds since the epoch, of the start that found it. */
  readonly at: number
  /** What the process said at its end. Absent when it said nothing: it was killed, or ended by native code. */
  readonly reason?: string
  /** Destinations that were under way, and have not ended a call since. */
  readonly underWay: readonly SendingPlace[]
}

/** A destination that is to be paused, and why. */
export interface Suspect extends SendingPlace {
  readonly reason: string
}

/** Crashes that are remembered. */
const crashesMax = 10
/** A crash that said why it happened counts as two that did not: those may be kills, which no destination caused. */
const weights = { said: 2, silent: 1 }
/** Two crashes that said why, or four that did not. */
const weightMax = 4

/** Returns the crashes with one more. */
export function withCrash(crashes: readonly Crash[], crash: Crash): readonly Crash[] {
  return [...crashes, crash].slice(-crashesMax)
}

/** Returns the crashes without a destination, because a call to it has ended, or it is paused. */
export function withoutPlace(crashes: readonly Crash[], place: SendingPlace): readonly Crash[] {
  const key = keyOf(place)
  return crashes.map((crash) => ({ ...crash, underWay: crash.underWay.filter((each) => keyOf(each) !== key) }))
}

/** Returns destinations that were under way at too many crashes, without a call that ended in between. */
export function suspectsOf(crashes: readonly Crash[]): readonly Suspect[] {
  const found = new Map<string, { readonly place: SendingPlace; weight: number; count: number; reason: string }>()
  for (const { reason, underWay } of crashes)
    for (const place of underWay) {
      const known = found.get(keyOf(place)) ?? { place, weight: 0, count: 0, reason: '' }
      known.weight += reason === undefined ? weights.silent : weights.said
      known.count += 1
      known.reason = reason ?? known.reason
      found.set(keyOf(place), known)
    }
  return [...found.values()]
    .filter(({ weight }) => weight >= weightMax)
    .map(({ place, count, reason }) => ({
      ...place,
      reason: `The process ended ${count} times while something was sent to this destination${reason ? `: ${reason}` : ''}.`,
    }))
}

export function keyOf({ workspaceId, destinationId }: SendingPlace): string {
  return JSON.stringify([workspaceId, destinationId])
}
