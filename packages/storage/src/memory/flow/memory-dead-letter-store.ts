import { type Clock, fairLevel, identifierText } from '@sluice/core'
import type {
  DeadLetter,
  DeadLetterFilter,
  DeadLetterGroup,
  DeadLetterLimits,
  DeadLetterSlot,
  DeadLetterStore,
} from '@sluice/pipeline'
import { countFitting } from '../../count-fitting.ts'
import { type DeadLetterSum, deadLetterText, type ForgottenFor, roomLimits, usageOf } from '../../dead-letter-limits.ts'
import { deadLetterReason } from '../../dead-letter-reason.ts'
import { usersOf } from '../../users-of.ts'
import type { MemoryCounterStore } from './memory-counter-store.ts'
import type { MemoryRetryStore } from './memory-retry-store.ts'

export interface MemoryDeadLetterStore extends DeadLetterStore {
  /** Adds dead letters. Beyond a limit, the workspaces with the most lose their oldest. */
  putNow(letters: readonly DeadLetter[]): void
}

interface KeptLetter {
  readonly workspaceId: string
  readonly destinationId: string
  readonly sourceId: string
  readonly users: readonly string[]
  readonly code: string
  readonly reason: string
  readonly at: number
  readonly text: string
}

interface MemoryDeadLetterOptions {
  readonly limits: DeadLetterLimits
  readonly clock: Clock
  readonly counters: MemoryCounterStore
  readonly retries: MemoryRetryStore
  readonly requireOpen: () => void
}

export function createMemoryDeadLetterStore(options: MemoryDeadLetterOptions): MemoryDeadLetterStore {
  const { limits, clock, counters, retries, requireOpen } = options
  // As text, so that reads return what a store on disk would. In order of insertion.
  const texts = new Map<string, KeptLetter>()
  const sums = new Map<string, DeadLetterSum>()
  const nothing: DeadLetterSum = { letters: 0, bytes: 0 }
  const add = (workspaceId: string, letters: number, text: string): void => {
    const sum = sums.get(workspaceId) ?? nothing
    sums.set(workspaceId, { letters: sum.letters + letters, bytes: sum.bytes + letters * Buffer.byteLength(text) })
  }

  const take = (workspaceId: string, id: string): DeadLetter | undefined => {
    const kept = texts.get(id)
    if (kept === undefined || kept.workspaceId !== workspaceId) return undefined
    texts.delete(id)
    add(workspaceId, -1, kept.text)
    return JSON.parse(kept.text)
  }
  const forget = (id: string, workspaceId: string, reason: ForgottenFor): void => {
    const letter = take(workspaceId, id)
    if (letter === undefined) return
    const { destinationId, source } = letter
    counters.addNow([{ workspaceId, sourceId: source.sourceId, destinationId, kind: 'forgotten', reason, count: 1 }])
  }
  const makeRoom = (): void => {
    for (const { measure, max } of roomLimits(limits)) {
      const level = fairLevel(
        [...sums.values()].map((sum) => sum[measure]),
        max,
      )
      if (level === Number.POSITIVE_INFINITY) continue
      for (const [id, { workspaceId }] of texts)
        if ((sums.get(workspaceId) ?? nothing)[measure] > level) forget(id, workspaceId, measure)
    }
  }
  const keptOf = (workspaceId: string, filter: DeadLetterFilter = {}) => {
    requireOpen()
    const matches = matcherOf(filter)
    return [...texts].flatMap(([id, kept]) =>
      kept.workspaceId === workspaceId && matches(kept) ? [{ id, ...kept }] : [],
    )
  }

  return {
    limits,
    putNow: (letters) => {
      for (const letter of letters) {
        const text = deadLetterText(letter)
        const { id, workspaceId, destinationId, at, error } = letter
        const reason = deadLetterReason(error.message)
        const { sourceId } = letter.source
        const users = usersOf(letter)
        texts.set(id, { workspaceId, destinationId, sourceId, users, code: error.code, reason, at, text })
        add(workspaceId, 1, text)
      }
      if (letters.length > 0) makeRoom()
    },
    list: async (workspaceId, { after, newestFirst = false, limit, bytesMax, ...filter }) => {
      const all = keptOf(workspaceId)
      const letters = newestFirst ? all.reverse() : all
      const behind = after === undefined ? letters : letters.slice(letters.findIndex(({ id }) => id === after) + 1)
      const wanted = behind.filter(matcherOf(filter)).slice(0, limit)
      const count = countFitting(
        wanted.map(({ text }) => ({ bytes: Buffer.byteLength(text) })),
        bytesMax,
      )
      return wanted.slice(0, count).map(({ text }) => JSON.parse(text))
    },
    ids: async (workspaceId, filter, limit) =>
      keptOf(workspaceId, filter)
        .slice(0, limit)
        .map(({ id }) => id),
    groups: async (workspaceId, limit) => {
      const groups = new Map<string, DeadLetterGroup>()
      for (const { id, destinationId, code, reason, at } of keptOf(workspaceId)) {
        const key = keyOf({ destinationId, code, reason })
        const { count = 0, first = at, last = at, newestId = id } = groups.get(key) ?? {}
        groups.set(key, {
          destinationId,
          code,
          reason,
          count: count + 1,
          first: Math.min(first, at),
          last: Math.max(last, at),
          newestId: [newestId, id].toSorted().pop() ?? id,
        })
      }
      return [...groups.values()].sort((a, b) => b.count - a.count || (keyOf(a) < keyOf(b) ? -1 : 1)).slice(0, limit)
    },
    slots: async (workspaceId, { since, everyMs, count }) => {
      const slots = new Map<string, DeadLetterSlot>()
      for (const { destinationId, code, reason, at } of keptOf(workspaceId)) {
        const slot = Math.floor((at - since) / everyMs)
        if (slot < 0 || slot >= count) continue
        const key = `${slot} ${keyOf({ destinationId, code, reason })}`
        slots.set(key, { destinationId, code, reason, slot, count: 1 + (slots.get(key)?.count ?? 0) })
      }
      return [...slots.values()]
    },
    find: async (workspaceId, id) => {
      requireOpen()
      const kept = texts.get(id)
      return kept?.workspaceId === workspaceId ? JSON.parse(kept.text) : undefined
    },
    ofMessage: async (workspaceId, messageId, limit) =>
      keptOf(workspaceId)
        .map(({ text }): DeadLetter => JSON.parse(text))
        .filter(({ source }) => identifierText(source.event.messageId) === messageId)
        .slice(0, limit),
    replay: async (workspaceId, replays) => {
      requireOpen()
      return replays.flatMap(({ id, deferred, counts }) => {
        if (take(workspaceId, id) === undefined) return []
        counters.addNow(counts)
        retries.putNow([deferred])
        return [deferred]
      })
    },
    remove: async (workspaceId, ids) => {
      requireOpen()
      return ids.filter((id) => take(workspaceId, id) !== undefined).length
    },
    forgetUsers: async (workspaceId, userIds) => {
      const wanted = new Set(userIds)
      const theirs = keptOf(workspaceId).filter(({ users }) => users.some((user) => wanted.has(user)))
      return theirs.filter(({ id }) => take(workspaceId, id) !== undefined).length
    },
    usage: async (workspaceId) => {
      requireOpen()
      const all = [...sums.values()].reduce(
        (sum, { letters, bytes }) => ({ letters: sum.letters + letters, bytes: sum.bytes + bytes }),
        nothing,
      )
      return usageOf(workspaceId === undefined ? all : (sums.get(workspaceId) ?? nothing), limits)
    },
    forgetOld: async () => {
      requireOpen()
      for (const [id, { workspaceId, at }] of texts)
        if (at < clock.now() - limits.ageMsMax) forget(id, workspaceId, 'age')
    },
  }
}

function matcherOf({
  destinationId,
  sourceId,
  userId,
  code,
  reason,
  since = 0,
  until = Number.MAX_SAFE_INTEGER,
}: DeadLetterFilter) {
  const wanted = reason === undefined ? undefined : deadLetterReason(reason)
  return (kept: KeptLetter): boolean =>
    (destinationId ?? kept.destinationId) === kept.destinationId &&
    (sourceId ?? kept.sourceId) === kept.sourceId &&
    (userId === undefined || kept.users.includes(userId)) &&
    (code ?? kept.code) === kept.code &&
    (wanted ?? kept.reason) === kept.reason &&
    kept.at >= since &&
    kept.at < until
}

const keyOf = ({ destinationId, code, reason }: Pick<DeadLetterGroup, 'destinationId' | 'code' | 'reason'>): string =>
  JSON.stringify([destinationId, code, reason])
