import type { DeletionProgress } from '@sluice/destinations/kit'
import type { UserErasure } from '../transport/erasure/user-erasure.ts'

/** The deletion of one user at a product that accepts it before it is done. */
interface DeletionToFollow {
  /** What an earlier call gave to `reached`. */
  readonly mark: string | undefined
  /**
   * Orders the deletion, of each writing of the user alone.
   * @returns the ids of the orders to follow, or why one failed: then nothing was marked, and all are ordered again.
   */
  order(): Promise<{ readonly ids: readonly string[] } | { readonly failure: UserErasure }>
  /** Stores the mark for later calls. */
  reached(mark: string): Promise<void>
  /** Asks for one order. */
  ask(id: string): Promise<UserErasure>
}

/** Orders a deletion unless it was ordered before, and asks how far it is. It is complete when all orders are. */
export async function followDeletion({ mark, order, reached, ask }: DeletionToFollow): Promise<UserErasure> {
  let ids = idsOf(mark)
  if (ids === undefined) {
    const ordered = await order()
    if ('failure' in ordered) return ordered.failure
    ids = ordered.ids
    await reached(JSON.stringify(ids))
  }
  const results: UserErasure[] = []
  for (const id of ids) results.push(await ask(id))
  const open = results.find(({ status }) => status !== 'complete')
  return open ?? results.at(-1) ?? { status: 'complete', note: 'The user was not known there.' }
}

/** Returns what an answer about a deletion means. @param host that gave it. */
export function erasureOfProgress(progress: DeletionProgress, host: string): UserErasure {
  if (progress.state === 'done') return { status: 'complete', note: progress.note }
  const statuses = { open: 'accepted', refused: 'aborted', unclear: 'failed' } as const
  return { status: statuses[progress.state], reason: `${host}: ${progress.reason}` }
}

/** Marks are stored, so that they may be those of an earlier release. */
function idsOf(mark: string | undefined): readonly string[] | undefined {
  try {
    const ids: unknown = mark === undefined ? undefined : JSON.parse(mark)
    return Array.isArray(ids) ? ids.map(String) : undefined
  } catch {
    return undefined
  }
}
