import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Telemetry } from '@sluice/pipeline'
import { type Crash, keyOf, type SendingPlace, type Suspect, suspectsOf, withCrash, withoutPlace } from './crash.ts'

/** How long a process that follows a crash writes down what is under way. */
const carefulMs = 60_000
/** How long a destination is tried alone before the next may begin. */
const aloneMs = 2_000

interface Stored {
  readonly isRunning: boolean
  readonly crashes: readonly Crash[]
  /** What is under way; written by careful processes only. */
  readonly underWay: readonly SendingPlace[]
}

/**
 * Remembers in a file, across crashes, to which destinations something was being sent or loaded. A destination that was
 * under way at two crashes, without a call that ended in between, is paused at the next start, so that a restart survives.
 *
 * A process that stops in order, and sends, writes nothing but a mark at its start and its end. One that follows a crash is
 * careful for a minute: it writes down what is under way before it begins, and tries destinations alone, one after the
 * other, that were under way before.
 */
export class CrashRecord {
  /** Destinations to pause before anything is sent. They are forgotten here. */
  readonly suspects: readonly Suspect[]
  readonly #path: string
  #crashes: readonly Crash[]
  /** Number of calls under way. */
  readonly #underWay = new Map<string, { readonly place: SendingPlace; calls: number }>()
  #isCareful: boolean
  #turns: Promise<unknown> = Promise.resolve()

  /** Reads the file, and marks that a process runs. A file that cannot be read is begun again. @param now milliseconds since the epoch. */
  constructor(path: string, now: number) {
    this.#path = path
    const { isRunning, crashes, underWay } = read(path)
    const crashed = isRunning ? withCrash(crashes, { at: now, underWay }) : crashes
    this.suspects = suspectsOf(crashed)
    this.#crashes = this.suspects.reduce<readonly Crash[]>(withoutPlace, crashed)
    this.#isCareful = crashed.length > 0
    if (this.#isCareful)
      setTimeout(() => {
        this.#isCareful = false
        this.#write([])
      }, carefulMs).unref()
    this.#write([])
  }

  /** Hears of each call to a destination. */
  get telemetry(): Telemetry {
    return {
      around: (work, run) => {
        const { kind, workspaceId, destinationId, stage } = work
        const isSending = kind === 'load' || (kind === 'stage' && stage === 'deliver')
        if (!isSending || destinationId === undefined) return run()
        return this.#during({ workspaceId, destinationId }, run)
      },
      stageEnded() {},
      caughtUp() {},
    }
  }

  /** The destinations to which something is being sent. */
  get underWay(): readonly SendingPlace[] {
    return [...this.#underWay.values()].map(({ place }) => place)
  }

  /** The process is about to end for this reason. Writes at once. */
  crashed(reason: string, now: number): void {
    this.#crashes = withCrash(this.#crashes, { at: now, reason, underWay: this.underWay })
    this.#write([], false)
  }

  /** The process stops in order: nothing is blamed. */
  stopped(): void {
    this.#crashes = []
    this.#write([], false)
  }

  async #during<T>(place: SendingPlace, run: () => Promise<T>): Promise<T> {
    const key = keyOf(place)
    if (this.#isCareful && this.#isBlamed(key)) await this.#alone(key)
    const known = this.#underWay.get(key) ?? { place, calls: 0 }
    known.calls += 1
    this.#underWay.set(key, known)
    if (this.#isCareful && known.calls === 1) this.#write(this.underWay)
    try {
      return await run()
    } finally {
      known.calls -= 1
      if (known.calls === 0) this.#underWay.delete(key)
      this.#ended(place, key)
    }
  }

  #isBlamed(key: string): boolean {
    return this.#crashes.some(({ underWay }) => underWay.some((place) => keyOf(place) === key))
  }

  /** Waits until no other blamed destination is tried, or has been for long. */
  async #alone(key: string): Promise<void> {
    const before = this.#turns
    this.#turns = before.then(async () => {
      const until = performance.now() + aloneMs
      while (this.#isBlamed(key) && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 20).unref())
    })
    await before
  }

  /** A call that ended well or badly did not end the process. */
  #ended(place: SendingPlace, key: string): void {
    if (!this.#isCareful) return
    if (this.#isBlamed(key)) this.#crashes = withoutPlace(this.#crashes, place)
    this.#write(this.underWay)
  }

  /** Synchronous, because the process may end with the next line. Safe from its end, not from that of the machine. */
  #write(underWay: readonly SendingPlace[], isRunning = true): void {
    const stored: Stored = { isRunning, crashes: this.#crashes, underWay }
    try {
      writeFileSync(`${this.#path}.new`, JSON.stringify(stored), { mode: 0o600 })
      renameSync(`${this.#path}.new`, this.#path)
    } catch {
      // A full disk must not stop what it can do without.
    }
  }
}

function read(path: string): Stored {
  const none: Stored = { isRunning: false, crashes: [], underWay: [] }
  try {
    const { isRunning, crashes, underWay } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Stored>
    if (!Array.isArray(crashes) || !Array.isArray(underWay)) return none
    return { isRunning: isRunning === true, crashes, underWay }
  } catch {
    return none
  }
}
