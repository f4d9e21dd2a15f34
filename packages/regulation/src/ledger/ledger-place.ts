/** A line of a chain. */
export interface LedgerLine {
  readonly text: string
  /** Where the next line begins. */
  readonly next: number
}

/**
 * Keeps the lines of a ledger: a folder, a database or a bucket, apart from the store and its backups. Lines belong to
 * chains; one process at a time writes a chain, so that processes need not agree on an order.
 */
export interface LedgerPlace {
  /** What operators call it, such as `the folder /var/lib/sluice-ledger`; without secrets. */
  readonly name: string
  /** Returns a text that is kept once per ledger; undefined when the place has none. */
  kept(name: LedgerText): Promise<string | undefined>
  /** Keeps a text unless there is one already, durably. @returns the one that is kept. */
  keep(name: LedgerText, fresh: string): Promise<string>
  /** Keeps a text durably in place of the one that is kept, if any. */
  replace(name: LedgerText, text: string): Promise<void>
  /** Returns the names of all chains, in order of their names. */
  chains(): Promise<readonly string[]>
  /**
   * Returns whole lines from a position on, at most `limit`; none behind the last one, and for a chain that is not
   * there. Position 0 is the beginning of a chain.
   */
  read(chain: string, from: number, limit: number): Promise<readonly LedgerLine[]>
  /**
   * Writes a line durably behind those before `at`. What a write that failed has left there is replaced.
   * @returns where the next line begins.
   */
  append(chain: string, at: number, text: string): Promise<number>
  /** Keeps a note durably; one that is there is replaced. Notes are no part of chains, because they can be removed. */
  writeNote(name: string, text: string): Promise<void>
  /** Returns a note; undefined when there is none. */
  readNote(name: string): Promise<string | undefined>
  /** Returns the names of all notes, in order. */
  notes(): Promise<readonly string[]>
  /** Removes a note for good; it may be removed already. */
  removeNote(name: string): Promise<void>
  /** Waits for calls under way. Calling it twice is fine. */
  close(): Promise<void>
}

/**
 * `id` tells ledgers apart; `key` is what their fingerprints depend on, and `keyDigest` recognises it; `signingKey` signs
 * certificates; `operatorKeyCheck` is a text that only the key of the operator opens.
 */
export type LedgerText = 'id' | 'key' | 'keyDigest' | 'signingKey' | 'operatorKeyCheck'
