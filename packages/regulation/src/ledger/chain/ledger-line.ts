import { hashText } from '@sluice/core/hash'
import { LedgerBrokenError } from '../ledger-errors.ts'
import type { LedgerRecord } from '../ledger-record.ts'

/** What a line of a chain holds. */
export interface LedgerLineContent {
  /** 1 for the first line of a chain. */
  readonly number: number
  /** Hash of the line before; empty for the first. */
  readonly previous: string
  /** ISO 8601, UTC. */
  readonly at: string
  readonly records: readonly LedgerRecord[]
}

/** How far a chain is known. */
export interface ChainEnd {
  /** Number of its lines. */
  readonly lines: number
  /** Hash of its last line. */
  readonly hash: string
  /** Where its last line begins. */
  readonly last: number
  /** Where the next line begins. */
  readonly next: number
}

export const emptyChain: ChainEnd = { lines: 0, hash: '', last: 0, next: 0 }

export function writeLine(end: ChainEnd, at: string, records: readonly LedgerRecord[]): string {
  const content: LedgerLineContent = { number: end.lines + 1, previous: end.hash, at, records }
  return JSON.stringify(content)
}

/** Returns the end of a chain behind one more line, which was read or written at `end.next`. */
export function endBehind(end: ChainEnd, text: string, next: number): ChainEnd {
  return { lines: end.lines + 1, hash: lineHash(text), last: end.next, next }
}

export function lineHash(text: string): string {
  return hashText('sha256', text, 'base64url')
}

/**
 * Reads the line behind the known end of a chain.
 * @param where what messages call the chain.
 * @throws LedgerBrokenError when it does not follow the line before.
 */
export function readLine(where: string, end: ChainEnd, text: string): LedgerLineContent {
  const content = parsedLine(text)
  const number = end.lines + 1
  if (content === undefined) throw new LedgerBrokenError(`line ${number} of ${where} is no line of a ledger`)
  if (content.number !== number || content.previous !== end.hash)
    throw new LedgerBrokenError(`line ${number} of ${where} does not follow the line before it`)
  return content
}

/** Returns what a line holds, without looking at the one before; undefined for what is no line of a ledger. */
export function parsedLine(text: string): LedgerLineContent | undefined {
  try {
    const content: Partial<LedgerLineContent> | null = JSON.parse(text)
    const { number, previous, at, records } = content ?? {}
    const isLine = typeof number === 'number' && typeof previous === 'string' && typeof at === 'string'
    return isLine && Array.isArray(records) ? { number, previous, at, records } : undefined
  } catch {
    return undefined
  }
}
