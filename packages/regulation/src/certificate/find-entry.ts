import { findLine, type KnownChain, readParts } from '../ledger/chain/checked-parts.ts'
import { emptyChain } from '../ledger/chain/ledger-line.ts'
import { type ChainLine, readChain } from '../ledger/chain/read-chains.ts'
import { LedgerBrokenError } from '../ledger/ledger-errors.ts'
import type { LedgerPlace } from '../ledger/ledger-place.ts'
import { type LedgerRecord, recordKey } from '../ledger/ledger-record.ts'
import type { RegulationStore } from '../regulation-store.ts'

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

/** The place of a ledger, with what the store knows of its chains. */
export interface KnownLedger {
  readonly place: LedgerPlace
  readonly store: Pick<RegulationStore, 'ledger'>
}

/**
 * Finds a regulation in the ledger, and checks the part of the chain that it is in: see `CheckedPart`.
 * @returns undefined when no chain has it.
 * @throws LedgerBrokenError when it was not found and a chain is broken, behind which it may be.
 */
export async function findEntry(ledger: KnownLedger, name: RegulationName): Promise<LedgerEntry | undefined> {
  let broken: LedgerBrokenError | undefined
  const parts = await readParts(ledger.store)
  for (const chain of await ledger.place.chains())
    try {
      const found = await findInChain(ledger, { chain, parts: parts.get(chain) ?? [] }, name)
      if (found !== undefined) return found
    } catch (error) {
      if (!(error instanceof LedgerBrokenError)) throw error
      broken = error
    }
  if (broken !== undefined) throw broken
  return undefined
}

/** As `findEntry`, in one chain. @throws LedgerBrokenError when the chain is broken before it, or around it. */
export async function findInChain(
  { place, store }: KnownLedger,
  known: KnownChain,
  name: RegulationName,
): Promise<LedgerEntry | undefined> {
  const key = recordKey(name)
  const isSought = (record: LedgerRecord): record is LedgerEntry['record'] =>
    record.kind === 'regulated' && recordKey(record) === key
  const found = await findLine(place, store, known, { kind: 'regulated', id: name.id }, isSought)
  const record = found?.content.records.find(isSought)
  return (
    found && record && { chain: known.chain, line: found.end.lines, hash: found.end.hash, at: found.content.at, record }
  )
}

/** Returns when a regulation was cancelled, by what can be read of the ledger; undefined when it was not. */
export async function findCancellation(
  { place, store }: KnownLedger,
  name: RegulationName,
): Promise<string | undefined> {
  const key = recordKey(name)
  const isSought = (record: LedgerRecord): boolean => record.kind === 'canceled' && recordKey(record) === key
  const parts = await readParts(store)
  for (const chain of await place.chains()) {
    const known = { chain, parts: parts.get(chain) ?? [] }
    const found = await findLine(place, store, known, { kind: 'canceled', id: name.id }, isSought).catch(
      (error: unknown) => {
        if (!(error instanceof LedgerBrokenError)) throw error
        return findLeniently(place, chain, isSought)
      },
    )
    if (found !== undefined) return found.content.at
  }
  return undefined
}

/** Reads a whole chain that is broken. */
async function findLeniently(
  place: LedgerPlace,
  chain: string,
  isSought: (record: LedgerRecord) => boolean,
): Promise<ChainLine | undefined> {
  for await (const line of readChain(place, chain, emptyChain, 'leniently'))
    if (line.content.records.some(isSought)) return line
  return undefined
}
