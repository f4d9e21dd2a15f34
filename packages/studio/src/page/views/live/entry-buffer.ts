import type { TapEntry } from '../../api/tap.ts'

/** Entries that are kept to be looked at; older ones go. */
const entriesMax = 10_000

/** An entry with a number, that identifies its row. */
export interface NumberedEntry extends TapEntry {
  readonly number: number
}

type EntryFilters = Readonly<Partial<Record<'source' | 'destination' | 'q' | 'type' | 'outcome', string>>>

/** The newest entries, newest first, and how many there were in all. */
export class EntryBuffer {
  #entries: NumberedEntry[] = []
  #seen = 0
  #leftOut = 0

  get entries(): readonly NumberedEntry[] {
    return this.#entries
  }

  /** Entries that came, also those that were forgotten since. */
  get seen(): number {
    return this.#seen
  }

  /** Entries that the server did not send. */
  get leftOut(): number {
    return this.#leftOut
  }

  add(entries: readonly TapEntry[]): void {
    const numbered = entries.map((entry, n) => ({ ...entry, number: this.#seen + n }))
    this.#seen += entries.length
    this.#entries = [...numbered.reverse(), ...this.#entries].slice(0, entriesMax)
  }

  skip(count: number): void {
    this.#leftOut += count
  }

  clear(): void {
    this.#entries = []
  }
}

/** Returns the entries that fit all filters. The text is looked for in ids, names and reasons. */
export function filtered(entries: readonly NumberedEntry[], filters: EntryFilters): readonly NumberedEntry[] {
  const { source, destination, type, outcome, q = '' } = filters
  if (!source && !destination && !type && !outcome && q === '') return entries
  const text = q.toLowerCase()
  return entries.filter(
    (entry) =>
      (!source || entry.sourceId === source) &&
      (!destination || entry.destinationId === destination) &&
      (!type || entry.type === type) &&
      (!outcome || entry.outcome === outcome) &&
      (text === '' ||
        [entry.messageId, entry.event, entry.type, entry.reason ?? ''].some((each) =>
          each.toLowerCase().includes(text),
        )),
  )
}
