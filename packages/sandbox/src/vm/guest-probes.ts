import { randomBytes } from 'node:crypto'
import { InvariantError } from '@sluice/core'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten'
import { type ProbeMemory, partsOf, probeRows, rowsOf } from '../probes.ts'
import type { Engine } from './engine.ts'

/** Bytes by which the counters are found in the memory of the engine. */
const markBytes = 32
/** After the rows of timed probes: the place whose time runs, and since when, in ms. See api/probes.ts. */
const currentNumbers = 2

/**
 * The counters of one guest and their way to the memory that threads share.
 *
 * They lie in a buffer that is made before any image is taken and never freed, so that it stays where it is: the host reads
 * it there, and adds what has been counted since it looked last. Nothing in the guest need run for that, so a guest
 * that was interrupted, is out of memory or broken has counted as well. The host never writes there.
 */
export class GuestProbes {
  readonly #context: QuickJSContext
  readonly #engine: Engine
  readonly #count: number
  readonly #taken: Uint32Array
  readonly #totals: Uint32Array
  /** What was in the guest when the host looked last. */
  readonly #seen: Uint32Array
  readonly #offered: QuickJSHandle
  /** Of the rows that all threads share. */
  readonly #rowsEnd: number
  readonly #address: number

  /** @param context one in which nothing else has run: what is taken hold of is the engine's own. */
  constructor({ count, isTimed, memory }: ProbeMemory, engine: Engine, context: QuickJSContext) {
    this.#context = context
    this.#engine = engine
    this.#count = count
    ;[this.#taken, this.#totals] = partsOf(memory)
    this.#rowsEnd = count * rowsOf(isTimed)
    this.#seen = new Uint32Array(this.#rowsEnd + (isTimed ? currentNumbers : 0))
    const mark = randomBytes(markBytes)
    const length = Math.max(this.#seen.length, markBytes / Uint32Array.BYTES_PER_ELEMENT)
    const words = [...new Uint32Array(mark.buffer, mark.byteOffset, markBytes / Uint32Array.BYTES_PER_ELEMENT)]
    const first = context.newFunction('first', () => this.collect())
    const made = this.#run(`(first) => {
      const numbers = new Uint32Array(${length})
      numbers.set([${words}])
      return { numbers, count: ${count}, now: Date.now, first }
    }`)
    this.#offered = context.unwrapResult(context.callFunction(made, context.undefined, first))
    this.#address = addressOf(mark, engine)
    // The functions live as long as the guest: what the wrapper forgets does not come back with the memory.
    const clear = this.#run('({ numbers }) => { numbers.fill(0) }')
    context.unwrapResult(context.callFunction(clear, context.undefined, this.#offered)).dispose()
    clear.dispose()
    if (this.#current().some((number) => number !== 0)) throw new InvariantError('the probes are not where they were')
  }

  /** Lets code of ours take hold of the counters, as `hostProbes`, until `withdraw`. */
  offer(): void {
    this.#context.setProp(this.#context.global, 'hostProbes', this.#offered)
  }

  withdraw(): void {
    this.#run('delete globalThis.hostProbes').dispose()
  }

  /** Adds what was counted since the last look. */
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

  /** Books the time since the last mark to its place, for code that was interrupted there and will not mark its end. */
  interrupted(): void {
    if (this.#seen.length === this.#rowsEnd) return
    const [place = 0, since = 0] = this.#current().subarray(this.#rowsEnd)
    if (place >= this.#count) return
    Atomics.add(this.#totals, probeRows.times * this.#count + place, (Date.now() - since) | 0)
  }

  /** To be called when another memory was put in place: what is counted in it has been added when it was taken. */
  rebase(): void {
    this.#seen.set(this.#current())
  }

  #current(): Uint32Array {
    // Growing replaces the memory.
    return new Uint32Array(this.#engine.bytes().buffer, this.#address, this.#seen.length)
  }

  #run(code: string): QuickJSHandle {
    return this.#context.unwrapResult(this.#context.evalCode(code, '<sluice>probes'))
  }
}

function addressOf(mark: Buffer, engine: Engine): number {
  const bytes = engine.bytes()
  const memory = Buffer.from(bytes.buffer, bytes.byteOffset, engine.heapEnd())
  const address = memory.indexOf(mark)
  const isAligned = address % Uint32Array.BYTES_PER_ELEMENT === 0
  if (address < 0 || !isAligned || memory.indexOf(mark, address + 1) !== -1)
    throw new InvariantError('the counters of the guest are not found in its memory')
  return address
}
