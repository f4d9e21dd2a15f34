import { type Clock, identifierText, isJsonObject, type JsonObject, type Random, uuidV4 } from '@sluice/core'
import {
  createSecretMask,
  type DeletionFollow,
  type DeletionRule,
  type DeliveryRequest,
  type DestinationDefinition,
  type DestinationReply,
  type ItemVerdict,
  isMappingError,
} from '@sluice/destinations/kit'
import PQueue from '#inlined/p-queue'
import { createExchange } from '../deliver/create-exchange.ts'
import { type Judgement, replyOf } from '../deliver/replies/judgement.ts'
import { replyExcerpt } from '../deliver/replies/reply-excerpt.ts'
import type { UserErasure } from '../transport/erasure/user-erasure.ts'
import { hostOf, type Transport, type TransportResult } from '../transport/transport.ts'
import { createApiSearcher } from './api-searcher.ts'
import { erasureOfProgress, followDeletion } from './follow-deletion.ts'

/** See `ErasureProgress` of `@sluice/regulation`. */
export interface ErasureProgress {
  readonly marks: readonly (string | undefined)[]
  ended(first: number, erasures: readonly UserErasure[]): Promise<void>
  reached(mark: string): Promise<void>
}

export interface ApiEraserOptions {
  readonly definition: DestinationDefinition & { readonly deletion: DeletionRule }
  /** Complete settings, as returned by `parseSettings`. */
  readonly settings: JsonObject
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  /**
   * Returns how the identifiers of users were written, where that is not their cleaned text: a product that got them so
   * deletes only exactly these.
   */
  writingsOf?(userIds: readonly string[]): Promise<readonly { readonly userId: string; readonly written: string }[]>
  /** Time limit of one request in milliseconds. Default 30,000: deleting takes longer than ingesting. */
  readonly timeMs?: number
}

/**
 * Result of users in one request. `unknown`: the reply that says that one of them was not known. `isMissing`: it was 404
 * or 405, which the rule does not tolerate. `ofEach`: results of each, where the reply tells them apart.
 */
type Outcome = UserErasure & {
  readonly unknown?: UnknownUser
  readonly isMissing?: boolean
  readonly ofEach?: readonly UserErasure[]
}

/** A reply by which a user was not known, and what it was for people. */
interface UnknownUser {
  readonly reply: DestinationReply
  readonly cause: string
}

/** Batches of users per call, so that requests can be concurrent. */
const batchesPerCall = 10

/** Deletes users at a destination through its API, as the definition declares. */
export function createApiEraser(options: ApiEraserOptions) {
  const { definition, settings, transport, clock, random, timeMs = 30_000 } = options
  const { deletion } = definition
  const batchMax = typeof deletion.usersMax === 'number' ? deletion.usersMax : deletion.usersMax(settings)
  const mask = createSecretMask(definition, settings)
  const identifier = deletion.identifier?.(settings) ?? 'userId'
  const isNamed = (user: JsonObject): boolean => identifierText(user[identifier]) !== ''
  const unnamed = (): UserErasure => ({
    status: 'aborted',
    reason: `the regulation has no ${identifier}, which identifies users there`,
  })
  const { account, action, load } = definition
  const exchange = createExchange({
    definition: {
      account,
      action,
      load,
      respond: deletion.respond?.bind(deletion),
    },
    settings,
    transport,
    lookupTransport: transport,
    clock,
    timeMs,
  })
  const search =
    deletion.search && createApiSearcher({ definition, rule: deletion.search, settings, transport, clock, random })
  const { concurrency = 1, perMinuteMax } = deletion
  const queue = new PQueue({ concurrency, ...(perMinuteMax ? { intervalCap: perMinuteMax, interval: 60_000 } : {}) })

  async function send(request: DeliveryRequest, signal: AbortSignal): Promise<Outcome> {
    for (let isRenewed = false; ; isRenewed = true) {
      const { sent, result, judgement } = await exchange(request, { signal }, [])
      if (judgement.outcome !== 'refresh' || isRenewed) return erasureOf(sent, result, judgement)
    }
  }

  function erasureOf(sent: DeliveryRequest, result: TransportResult, judgement: Judgement): Outcome {
    const { outcome, status, retryAfterMs } = judgement
    const host = hostOf(sent)
    // Network failures already name the host.
    const cause = judgement.cause.startsWith(host) ? judgement.cause : `${host}: ${judgement.cause}`
    const isAccepted = outcome === 'delivered' && result.kind === 'reply' && result.status < 300
    const ofEach = isAccepted ? judgement.items?.map(erasureOfItem) : undefined
    if (isAccepted)
      return {
        status: 'complete',
        note: judgement.note,
        ofEach,
      }
    const isUnknownUser =
      status !== undefined && deletion.tolerates?.includes(status) && (status !== 404 || isFromApi(result))
    if (outcome === 'delivered' || isUnknownUser) {
      const reply = result.kind === 'reply' ? replyOf(result) : { status: status ?? 0, headers: {}, body: null }
      return { status: 'complete', note: `${cause} The user was not known there.`, unknown: { reply, cause } }
    }
    const excerpt = result.kind === 'reply' ? mask.value(replyExcerpt(result.body, sent)) : ''
    const reason = `${cause} ${excerpt}`.trim()
    // A refusal may be fixed by people, so it is retried. Only a missing route or user cannot succeed.
    if (status === 404 || status === 405) return { status: 'aborted', reason, isMissing: true }
    return { status: 'failed', reason, retryAfterMs }
  }

  async function eraseTogether(
    users: readonly JsonObject[],
    signal: AbortSignal,
    requestId = uuidV4(random),
  ): Promise<Outcome> {
    const requests = deletion.requests(users, settings, { now: clock.now(), requestId })
    if (isMappingError(requests)) return { status: 'aborted', reason: requests.message }
    // Nothing was sent, so nothing was deleted.
    let outcome: Outcome = {
      status: 'aborted',
      reason: 'the regulation has no identifier that this destination supports',
    }
    let unknown: UnknownUser | undefined
    for (const request of requests) {
      outcome = await send(request, signal)
      if (outcome.status !== 'complete') return outcome
      unknown ??= outcome.unknown
    }
    if (unknown === undefined) return outcome
    const [user, ...others] = users
    if (user === undefined || others.length > 0) return { ...outcome, unknown }
    const doubt = await doubtOf(user, unknown, signal)
    return doubt === undefined ? { ...outcome, unknown } : { status: 'failed', reason: doubt }
  }

  /**
   * Returns why a reply does not say that exactly this user is unknown: a wrong account, list or address may be answered
   * in the same way. Undefined when there is no doubt.
   */
  async function doubtOf(
    user: JsonObject,
    { reply, cause }: UnknownUser,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (search === undefined)
      return (deletion.isUnknownUser?.(reply, user) ?? true) ? undefined : `${cause} The reply is not about this user.`
    const found = await search(user, signal)
    if (!found.ok) return `${cause} Whether the user is not known there could not be checked: ${found.reason}`
    return found.count === 0 ? undefined : `${cause} But a search there finds the user: check the settings.`
  }

  /**
   * Erases users in one request. If one was not known, the batch may have been refused as a whole: sends each alone.
   */
  async function eraseBatch(users: readonly JsonObject[], signal: AbortSignal): Promise<readonly Outcome[]> {
    const named = users.filter(isNamed)
    const left = unnamed()
    if (named.length === 0) return users.map(() => left)
    const { unknown, ofEach, ...together } = await eraseTogether(named, signal)
    const unclear: UserErasure = { status: 'failed', reason: 'the destination returned no result for this user' }
    const results = new Map<JsonObject, Outcome>(
      named.map((user, at) => [user, ofEach ? (ofEach[at] ?? unclear) : together]),
    )
    if (unknown === undefined || named.length === 1) return users.map((user) => results.get(user) ?? left)
    const erasures: Outcome[] = []
    for (const user of users) {
      signal.throwIfAborted()
      erasures.push(...(await eraseBatch([user], signal)))
    }
    return erasures
  }

  /** Returns the users by each of their writings, with the index of the user. */
  async function byWriting(users: readonly JsonObject[]): Promise<readonly WrittenUser[]> {
    const ids = users.map(({ userId }) => identifierText(userId))
    const isByUserId = !deletion.findsWritings && identifier === 'userId'
    const known = isByUserId ? ((await options.writingsOf?.(ids)) ?? []) : []
    return users.flatMap((user, index) => {
      const others = known.flatMap(({ userId, written }) => (userId === ids[index] ? written : []))
      return [{ index, user }, ...others.map((userId) => ({ index, user: { ...user, userId } }))]
    })
  }

  /** Deletes a user at a product that accepts deletions before they are done. */
  function eraseFollowed(
    user: JsonObject,
    follow: DeletionFollow,
    signal: AbortSignal,
    progress?: ErasureProgress,
  ): Promise<UserErasure> {
    return followDeletion({
      mark: progress?.marks[0],
      order: async () => {
        const ids: string[] = []
        if (!isNamed(user)) return { failure: unnamed() }
        for (const { user: written } of await byWriting([user])) {
          const id = uuidV4(random)
          const outcome = await eraseTogether([written], signal, id)
          if (outcome.status !== 'complete') return { failure: erasureOnly(outcome) }
          if (outcome.unknown === undefined) ids.push(id)
        }
        return { ids }
      },
      reached: async (mark) => progress?.reached(mark),
      ask: async (id) => {
        const { sent, result, judgement } = await exchange(follow.question(id, settings), { signal }, [])
        const outcome = erasureOf(sent, result, judgement)
        if (result.kind === 'reply' && outcome.status === 'complete' && outcome.unknown === undefined)
          return erasureOfProgress(follow.progress(replyOf(result), id), hostOf(sent))
        // What was accepted is not given up because of one answer.
        if (outcome.status === 'failed') return erasureOnly(outcome)
        return { status: 'failed', reason: judgement.cause || 'the deletion is not known there any more' }
      },
    })
  }

  return {
    // The mark of a call is of one user then.
    usersMax: deletion.follow ? 1 : batchMax * batchesPerCall,
    async erase(
      users: readonly JsonObject[],
      signal: AbortSignal,
      progress?: ErasureProgress,
    ): Promise<readonly UserErasure[]> {
      const { follow } = deletion
      if (follow) {
        const followed = users.map((user) => queue.add(() => eraseFollowed(user, follow, signal, progress), { signal }))
        return Promise.all(followed)
      }
      const all = await byWriting(users)
      const starts = Array.from({ length: Math.ceil(all.length / batchMax) }, (_, i) => i * batchMax)
      const erasures = starts.map((start) =>
        queue.add(
          async () => {
            const batch = all.slice(start, start + batchMax)
            const ofEach = await eraseBatch(
              batch.map(({ user }) => user),
              signal,
            )
            // With several writings of a user, a batch does not end with the user.
            if (all.length === users.length) await progress?.ended(start, ofEach.map(erasureOnly))
            return ofEach
          },
          // Ends the wait for its turn, too, which takes minutes where the rule allows few requests per minute.
          { signal },
        ),
      )
      const ofWritings = (await Promise.all(erasures)).flat()
      if (all.length === users.length) return ofWritings.map(erasureOnly)
      return users.map((_, index) => ofAllWritings(ofWritings.filter((__, place) => all[place]?.index === index)))
    },
  }
}

function erasureOfItem({ outcome, message }: ItemVerdict): UserErasure {
  if (outcome === 'delivered') return { status: 'complete', note: message === '' ? undefined : message }
  return { status: outcome === 'aborted' ? 'aborted' : 'failed', reason: message }
}

/** A user by one writing of the id. */
interface WrittenUser {
  readonly index: number
  readonly user: JsonObject
}

/**
 * A user is deleted once every writing is. One that the product does not know, beside another that it deleted, was never
 * sent there.
 */
function ofAllWritings(outcomes: readonly Outcome[]): UserErasure {
  const rank = ({ status, isMissing }: Outcome): number =>
    ['failed', 'aborted', 'complete', 'missing'].indexOf(isMissing ? 'missing' : status)
  const [worst] = outcomes.toSorted((a, b) => rank(a) - rank(b))
  return erasureOnly(worst ?? { status: 'failed', reason: 'no writing of the id was deleted' })
}

/** Whether a reply is one of an API, not of a web server that knows no such address. */
function isFromApi(result: TransportResult): boolean {
  return result.kind === 'reply' && isJsonObject(replyOf(result).body)
}

function erasureOnly({ unknown: _, isMissing: __, ...erasure }: Outcome): UserErasure {
  return erasure
}
