interface SharedPaceOptions {
  /** Milliseconds between two turns of one workspace while few work. */
  readonly msMin: number
  /** The same while very many work. */
  readonly msMax: number
  /** Turns of all workspaces together in a second, as long as none waits for more than `msMax`. */
  readonly perSecondMax: number
}

/**
 * How often workspaces do work that costs about the same however much it is for, such as a commit. The more of them have
 * some to do, the longer each gathers it: so the same number of events costs the same, whether they are of one workspace or
 * of a hundred.
 */
export class SharedPace {
  readonly #options: SharedPaceOptions
  #gathering = 0

  constructor(options: SharedPaceOptions) {
    this.#options = options
  }

  /** Milliseconds for which a workspace gathers work before it does it. */
  get ms(): number {
    const { msMin, msMax, perSecondMax } = this.#options
    return Math.min(msMax, Math.max(msMin, (this.#gathering / perSecondMax) * 1_000))
  }

  /** Returns a workspace's part in it. */
  share(): PaceShare {
    let isGathering = false
    const change = (now: boolean): void => {
      if (now !== isGathering) this.#gathering += now ? 1 : -1
      isGathering = now
    }
    return { gathers: () => change(true), done: () => change(false) }
  }
}

/** What a workspace reports to the pace it shares with others. */
export interface PaceShare {
  /** It has work to do. To be called as often as it gets some. */
  gathers(): void
  /** It has done its work, or given it up. */
  done(): void
}
