import { InvariantError } from '@sluice/core'
import { indexOfBytes } from '@sluice/core/bytes'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { probeCounters } from '../../guest-programs.ts'
import { type ProbeMemory, partsOf, probeRows, rowsOf } from '../../probes.ts'
import type { Engine } from '../engine/engine.ts'

/** Length of the random mark that is used to find the counters in the memory of the engine. */
const markBytes = 32
/**
 * Two numbers after the rows of timed probes: the current place, and when its period started, in ms. See api/probes.ts.
 */
const currentNumbers = 2

/**
 * The counters of one guest. Adds what they count to the memory that threads share.
 *
 * The counters are in a buffer that is allocated before any image is taken and never freed, so it never moves. The host
 * reads it there and adds what was counted since it last read. No guest code has to run for that, so counts of a guest
 * that was interrupted, ran out of memory or broke are included. The host never writes there.
 */
export class GuestProbes {
  readonly #context: QuickJSContext
  readonly #engine: Engine
  readonly #count: number
  readonly #taken: Uint32Array
  readonly #totals: Uint32Array
  /** Values of the counters when the host last read them. */
  readonly #seen: Uint32Array
  readonly #offered: QuickJSHandle
  /** Number of counters in the rows that all threads share. */
  readonly #rowsEnd: number
  readonly #address: number

  /** @param context one in which no code has run, so that its built-ins are the engine's own. */
  constructor({ count, isTimed, memory }: ProbeMemory, engine: Engine, context: QuickJSContext) {
    this.#context = context
    this.#engine = engine
    this.#count = count
    ;[this.#taken, this.#totals] = partsOf(memory)
    this.#rowsEnd = count * rowsOf(isTimed)
    this.#seen = new Uint32Array(this.#rowsEnd + (isTimed ? currentNumbers : 0))
    const mark = globalThis.crypto.getRandomValues(new Uint8Array(markBytes))
    const length = Math.max(this.#seen.length, markBytes / Uint32Array.BYTES_PER_ELEMENT)
    const words = [...new Uint32Array(mark.buffer, mark.byteOffset, markBytes / Uint32Array.BYTES_PER_ELEMENT)]
    const first = context.newFunction('first', () => this.collect())
    const settings = context.newString(JSON.stringify({ count, length, mark: words }))
    const make = this.#run(probeCounters)
    this.#offered = context.unwrapResult(context.callFunction(make, context.undefined, first, settings))
    settings.dispose()
    this.#address = addressOf(mark, engine)
    // The handles of these functions are kept as long as the guest exists. If the wrapper freed one, restoring memory
    // would not undo that.
    const clear = this.#run('({ numbers }) => { numbers.fill(0) }')
    context.unwrapResult(context.callFunction(clear, context.undefined, this.#offered)).dispose()
    clear.dispose()
    if (this.#current().some((number) => number !== 0))
      throw new InvariantError('the probes have moved in the memory of the guest')
  }

  /** Gives our own code access to the counters, as `hostProbes`, until `withdraw`. */
  offer(): void {
    this.#context.setProp(this.#context.global, 'hostProbes', this.#offered)
  }

  withdraw(): void {
    this.#run('delete globalThis.hostProbes').dispose()
  }

  /** Adds what was counted since the last read. */
  collect(): void {
    const current = this.#current()
    const seen = this.#seen
    const totals = this.#totals
    const taken = this.#taken[0] ?? 0
    for (let row = 0; row < this.#rowsEnd; row += this.#count)
      for (let i = row; i < row + taken; i += 1) {
        const now = current[i] ?? 0
        const before = seen[i] ?? 0
        if (now === before) continue
        // Typed arrays wrap around by themselves; other threads add to the same numbers.
        Atomics.add(totals, i, (now - before) | 0)
        seen[i] = now
      }
  }

  /** Adds the time since the last mark to the current place, because interrupted code does not mark its end. */
  interrupted(): void {
    if (this.#seen.length === this.#rowsEnd) return
    const [place = 0, since = 0] = this.#current().subarray(this.#rowsEnd)
    if (place >= this.#count) return
    Atomics.add(this.#totals, probeRows.times * this.#count + place, (Date.now() - since) | 0)
  }

  /**
   * Must be called after the memory was restored. The counts in the restored memory were added when its image was
   * taken.
   */
  rebase(): void {
    this.#seen.set(this.#current())
  }

  #current(): Uint32Array {
    // Growing the memory replaces its buffer, so the view is created for each use.
    return new Uint32Array(this.#engine.bytes().buffer, this.#address, this.#seen.length)
  }

  #run(code: string): QuickJSHandle {
    return this.#context.unwrapResult(this.#context.evalCode(code, '<sluice>probes'))
  }
}

function addressOf(mark: Uint8Array, engine: Engine): number {
  const memory = engine.bytes().subarray(0, engine.heapEnd())
  const address = indexOfBytes(memory, mark)
  const isAligned = address % Uint32Array.BYTES_PER_ELEMENT === 0
  if (address < 0 || !isAligned || indexOfBytes(memory, mark, address + 1) !== -1)
    throw new InvariantError('the counters of the guest are not found in its memory')
  return address
}
