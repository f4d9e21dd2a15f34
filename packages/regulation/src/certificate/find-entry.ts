import { LedgerBrokenError } from '../ledger/ledger-errors.ts'
import { emptyChain } from '../ledger/ledger-line.ts'
import type { LedgerPlace } from '../ledger/ledger-place.ts'
import { type LedgerRecord, recordKey } from '../ledger/ledger-record.ts'
import { readChain } from '../ledger/read-chains.ts'

/** Where a regulation is in the ledger. */
export interface LedgerEntry {
  readonly chain: string
  readonly line: number
  /** Hash of the line. */
  readonly hash: string
  /** When it was written, ISO 8601. */
  readonly at: string
  readonly record: Extract<LedgerRecord, { kind: 'regulated' }>
}

export type RegulationName = Pick<LedgerRecord, 'workspaceId' | 'id'>

/**
 * Finds a regulation in the ledger. Checks its chain up to that line.
 * @returns undefined when no chain has it.
 * @throws LedgerBrokenError when it was not found and a chain is broken, behind which it may be.
 */
export async function findEntry(place: LedgerPlace, name: RegulationName): Promise<LedgerEntry | undefined> {
  let broken: LedgerBrokenError | undefined
  for (const chain of await place.chains())
    try {
      const found = await findInChain(place, chain, name)
      if (found !== undefined) return found
    } catch (error) {
      if (!(error instanceof LedgerBrokenError)) throw error
      broken = error
    }
  if (broken !== undefined) throw broken
  return undefined
}

/** As `findEntry`, in one chain. @throws LedgerBrokenError when the chain is broken before it. */
export async function findInChain(
  place: LedgerPlace,
  chain: string,
  name: RegulationName,
): Promise<LedgerEntry | undefined> {
  const key = recordKey(name)
  for await (const { content, end } of readChain(place, chain))
    for (const record of content.records)
      if (record.kind === 'regulated' && recordKey(record) === key)
        return { chain, line: end.lines, hash: end.hash, at: content.at, record }
  return undefined
}

/** Returns when a regulation was cancelled, by what can be read of the ledger; undefined when it was not. */
export async function findCancellation(place: LedgerPlace, name: RegulationName): Promise<string | undefined> {
  const key = recordKey(name)
  for (const chain of await place.chains())
    for await (const { content } of readChain(place, chain, emptyChain, 'leniently'))
      if (content.records.some((record) => record.kind === 'canceled' && recordKey(record) === key)) return content.at
  return undefined
}
