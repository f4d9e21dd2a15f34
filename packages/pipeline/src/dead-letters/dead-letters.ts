import type { Clock } from '@sluice/core'
import type {
  DeadLetter,
  DeadLetterFilter,
  DeadLetterGroup,
  DeadLetterLimits,
  DeadLetterQuery,
  DeadLetterSlot,
  DeadLetterSlots,
  DeadLetterStore,
  DeadLetterUsage,
} from '../ports/stores/dead-letter-store.ts'
import type { AskedEngine } from '../reports/asked-engine.ts'
import type { EventMasks } from '../reports/event-masks.ts'
import { maskedLetter } from '../reports/masked-letter.ts'

/** The share of a limit that raises the alarm. */
const alarmShare = 0.8
/** How often usage is looked at, and old letters are forgotten. */
const lookEveryMs = 60_000
/** Letters replayed or removed in one transaction. */
const lettersAtOnce = 200
/** Groups that are shown; a person reads a few. */
const groupsMax = 500

/** What is done with dead letters by people. */
export interface DeadLetters {
  readonly limits: DeadLetterLimits
  /** In the order in which they came, or the reverse. */
  list(workspaceId: string, query: DeadLetterQuery): Promise<readonly DeadLetter[]>
  find(workspaceId: string, id: string): Promise<DeadLetter | undefined>
  /** Returns letters as people may see them: personal data masked, those of suppressed users left out. */
  masked(workspaceId: string, letters: readonly DeadLetter[]): Promise<readonly DeadLetter[]>
  /** The largest groups first, at most 500. Those of suppressed users are counted until they are replayed or removed. */
  groups(workspaceId: string): Promise<readonly DeadLetterGroup[]>
  /** Counts the letters of groups by slots of time: see `DeadLetterStore.slots`. */
  slots(workspaceId: string, slots: DeadLetterSlots): Promise<readonly DeadLetterSlot[]>
  /** Returns the ids of the chosen letters. */
  ids(workspaceId: string, which: DeadLetterChoice): Promise<readonly string[]>
  /**
   * Replays dead letters: those with the given ids, or all that match the filter now. Suppression is checked
   * again; an event that fails again becomes a dead letter again.
   * @returns how many are on their way: letters that are gone, or whose destination is, are left out.
   */
  replay(workspaceId: string, which: DeadLetterChoice): Promise<number>
  /**
   * The same for those of a destination that failed within a time, some at a time.
   * @param query.after the id of the last letter that was looked at.
   */
  replaySince(workspaceId: string, query: DeadLetterReplayQuery): Promise<DeadLetterReplayStep>
  /** @returns how many there were to be removed. */
  remove(workspaceId: string, which: DeadLetterChoice): Promise<number>
  /** Of one workspace or, without one, of all. */
  usage(workspaceId?: string): Promise<DeadLetterUsage>
  /** Stops looking at the limits. */
  close(): Promise<void>
}

/** Letters by id, or all that match a filter. */
export type DeadLetterChoice = { readonly ids: readonly string[] } | DeadLetterFilter

export interface DeadLetterReplayQuery {
  readonly destinationId: string
  /** When they failed, in milliseconds since the epoch: from `since` on, and before `until`. */
  readonly since: number
  readonly until: number
  readonly after?: string
  /** Counts only. */
  readonly dryRun: boolean
}

export interface DeadLetterReplayStep {
  readonly matched: number
  /** Where the next step begins; left out, it is over. */
  readonly next?: string
}

interface DeadLettersOptions {
  readonly store: DeadLetterStore
  readonly engine: Pick<AskedEngine, 'reports'> & {
    /** Runs work in the turn of a workspace. */
    inTurn<T>(of: { readonly workspaceId: string }, work: () => T): Promise<T>
    /** Sends letters again. @returns how many are on their way. */
    readonly replays: { letters(workspaceId: string, ids: readonly string[]): Promise<number> }
  }
  readonly masks: EventMasks
  readonly clock: Clock
  /** Called once when the letters reach 80 % of a limit, and again after they were below. */
  onFull(usage: DeadLetterUsage): void
  onError(error: unknown): void
}

/** Starts looking after the dead letters. */
export function createDeadLetters({ store, engine, masks, clock, onFull, onError }: DeadLettersOptions): DeadLetters {
  const stopping = new AbortController()
  let isTold = false

  async function look(): Promise<void> {
    await store.forgetOld()
    const usage = await store.usage()
    const isFull = usage.share >= alarmShare
    if (isFull && !isTold) onFull(usage)
    isTold = isFull
  }
  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch(onError)
      await clock.sleep(lookEveryMs, stopping.signal)
    }
  }
  const watching = watch()

  /** Does something for the chosen letters, some at a time. Letters that come meanwhile are not among them. */
  async function forEach(
    workspaceId: string,
    which: DeadLetterChoice,
    each: (ids: readonly string[]) => Promise<number>,
  ): Promise<number> {
    const ids = await idsOf(workspaceId, which)
    let done = 0
    for (let start = 0; start < ids.length; start += lettersAtOnce)
      done += await each(ids.slice(start, start + lettersAtOnce))
    return done
  }

  async function idsOf(workspaceId: string, which: DeadLetterChoice): Promise<readonly string[]> {
    return 'ids' in which ? which.ids : store.ids(workspaceId, which, store.limits.lettersMax)
  }

  return {
    limits: store.limits,
    list: (workspaceId, query) => store.list(workspaceId, query),
    find: (workspaceId, id) => store.find(workspaceId, id),
    masked: async (workspaceId, letters) => {
      const masked: DeadLetter[] = []
      for (const letter of await engine.reports.unsuppressed(workspaceId, letters)) {
        const mask = masks(workspaceId, letter.source.sourceId)
        // One in a turn: masking a large letter takes milliseconds.
        masked.push(await engine.inTurn({ workspaceId }, () => maskedLetter(letter, mask)))
      }
      return masked
    },
    groups: (workspaceId) => store.groups(workspaceId, groupsMax),
    slots: (workspaceId, slots) => store.slots(workspaceId, slots),
    ids: idsOf,
    replay: (workspaceId, which) => forEach(workspaceId, which, (ids) => engine.replays.letters(workspaceId, ids)),
    replaySince: async (workspaceId, { destinationId, since, until, after, dryRun }) => {
      const query = { destinationId, limit: lettersAtOnce, after }
      const page = await store.list(workspaceId, query)
      const ids = page.flatMap(({ id, at }) => (at >= since && at < until ? id : []))
      const matched = dryRun ? ids.length : await engine.replays.letters(workspaceId, ids)
      const last = page.at(-1)
      return { matched, next: last && page.length === lettersAtOnce ? last.id : undefined }
    },
    remove: (workspaceId, which) => forEach(workspaceId, which, (ids) => store.remove(workspaceId, ids)),
    usage: (workspaceId) => store.usage(workspaceId),
    close: async () => {
      stopping.abort()
      await watching
    },
  }
}
