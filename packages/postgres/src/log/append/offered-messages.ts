import { messageDigest } from '@sluice/storage/sql'
import type { Query } from '../../connect/connect.ts'
import type { AppendCall } from './append-call.ts'
import type { DigestLimit } from './digest-limit.ts'

/** Messages of calls that are to be remembered, so that a later one with the same id is a duplicate. */
export interface OfferedMessages {
  /** Digest of each event, per call. */
  readonly digests: readonly (readonly Buffer[])[]
  /** Each digest once, with the time of its first event. */
  readonly all: readonly { readonly digest: Buffer; readonly at: number }[]
  readonly windowMs: number
  readonly idsMax: number
}

/** Returns the messages of calls; undefined when all of their events count. */
export function offeredMessages(calls: readonly AppendCall[]): OfferedMessages | undefined {
  const asked = calls.flatMap(({ deduplication }) => deduplication ?? [])
  if (asked.length === 0) return undefined
  const digests = calls.map(({ batch, messageIds }) =>
    messageIds.map((messageId) => messageDigest(batch.workspaceId, batch.sourceId, messageId)),
  )
  const offered = new Map<string, { readonly digest: Buffer; readonly at: number }>()
  for (const [place, { batch }] of calls.entries())
    for (const digest of digests[place] ?? [])
      if (!offered.has(digest.toString('hex'))) offered.set(digest.toString('hex'), { digest, at: batch.receivedAt })
  return {
    digests,
    all: [...offered.values()],
    windowMs: Math.max(...asked.map(({ windowMs }) => windowMs)),
    idsMax: Math.min(...asked.map(({ idsMax }) => idsMax)),
  }
}

/** Whether no two of the messages have the same id. */
export function areDistinct({ digests, all }: OfferedMessages): boolean {
  return all.length === digests.reduce((sum, own) => sum + own.length, 0)
}

/** Remembers messages. @returns of each call, the places of events that were accepted before. */
export async function rememberMessages(
  query: Query,
  { digests, all, windowMs, idsMax }: OfferedMessages,
  limit: DigestLimit,
): Promise<readonly (readonly number[])[]> {
  const answer = await query<{ digest: Buffer; seq: number }>(rememberDigests, [
    all.map(({ digest }) => digest),
    all.map(({ at }) => at),
    windowMs,
  ])
  const fresh = new Set(answer.map(({ digest }) => digest.toString('hex')))
  await limit.keep(
    query,
    answer.reduce((last, { seq }) => Math.max(last, seq), 0),
    idsMax,
  )
  return digests.map((own) =>
    // The first one is taken, later ones of the same group are duplicates of it.
    own.flatMap((digest, place) => (fresh.delete(digest.toString('hex')) ? [] : place)),
  )
}

/**
 * Returns the statement that remembers digests, except those that are remembered. In order of digest, so that two processes
 * never wait for each other. Known ones are left out before they draw a number: the oldest are forgotten by their numbers, and
 * repetitions would make them old.
 * @param digests and ats placeholders of lists, windowMs of a number. @param where which rows there have to be.
 */
export function remember(digests: string, ats: string, windowMs: string, where = 'true'): string {
  return `
  insert into message_digest (digest, at)
  select new_digest, new_at from unknown_messages(${digests}::bytea[], ${ats}::bigint[], ${windowMs}::bigint)
  where ${where} order by new_digest
  on conflict (digest) do update set at = excluded.at, seq = default
    where message_digest.at <= excluded.at - ${windowMs}::bigint or message_digest.at >= excluded.at + ${windowMs}::bigint
  returning digest, seq`
}

const rememberDigests = remember('$1', '$2', '$3')
