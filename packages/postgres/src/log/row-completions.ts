import type { Completion, RawEvents } from '@sluice/pipeline/store'

/** What completes the events of a row, which come from several calls: see `completeAgain`. */
export class RowCompletions {
  readonly #parts: Part[] = []

  /** Adds the next event of the row. @param place its index in its call. */
  add(raw: RawEvents | undefined, place: number): void {
    const last = this.#parts.at(-1)
    const part = last?.raw === raw && last !== undefined ? last : { raw, places: [] }
    if (part !== last) this.#parts.push(part)
    part.places.push(place)
  }

  /** JSON text; null where all events are complete. */
  get json(): string | null {
    return this.#parts.some(({ raw }) => raw) ? JSON.stringify(this.#parts.map(completionOf)) : null
  }
}

/** Events of a call that follow each other in a row. */
interface Part {
  /** Undefined where they are complete. */
  readonly raw: RawEvents | undefined
  /** Their indexes in the call. */
  readonly places: number[]
}

function completionOf({ raw, places }: Part): Completion {
  const call = raw?.completion.call
  if (call?.ids === undefined) return { events: places.length, call }
  const { ids, ...rest } = call
  const own = places.flatMap((place, index) => (ids[place] === undefined ? [] : [[index, ids[place]] as const]))
  return { events: places.length, call: own.length > 0 ? { ...rest, ids: Object.fromEntries(own) } : rest }
}
