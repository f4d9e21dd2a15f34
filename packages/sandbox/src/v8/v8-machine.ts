import type { StageError } from '@sluice/core'
import { toTextBuffer } from '#text-buffer'
import { measuredClock } from '../clock/create-run-clock.ts'
import type { RunClock } from '../clock/run-clock.ts'
import type { ModuleSet } from '../code/module-set.ts'
import type { BatchDocument } from '../vm/batch-request.ts'
import type { Ended, MachineParts } from '../vm/guest/guest.ts'
import type { AnswerBytes, Taken, Taking } from '../vm/guest/guest-answers.ts'
import { drawnNumbers, preludeSettings } from '../vm/guest/prelude-link.ts'
import { HostCalls, type OpenCall } from '../vm/host-calls.ts'
import { wrongEntryPoint } from '../vm/load-modules.ts'
import type { Given, LoadResult, MachinePort, MachineProgram } from '../vm/machine-port.ts'
import type { OutputGauge } from '../vm/output-gauge.ts'
import { compileApi } from './compile-api.ts'
import { loadFailureOf } from './load-failure.ts'
import { needsOwnRealm, type ProgramWords, wordsOf } from './program-words.ts'
import { Realm, type RealmParts } from './realm.ts'
import { V8Answers } from './v8-answers.ts'
import { V8Program } from './v8-program.ts'
import { V8Values } from './v8-values.ts'

/** Memory of a loaded program, and of one with a realm of its own, about. */
const programBytes = 64 * 1024
const realmBytes = 4 * 1024 * 1024

interface LoadedV8Program extends MachineProgram {
  /** Replaced when its realm cannot be restored. */
  own: V8Program
  readonly normalises: boolean
}

/**
 * Runs the code of trusted authors in V8, with the prelude, guest API, crossing and limits of output that QuickJS has.
 *
 * A program starts afresh by running the top level of its modules again, in the same realm, so that compiled code stays.
 * What it has changed of the built-ins is undone. Nothing here stops a loop or a growing heap: that is done from
 * outside, by the thread's watchdog and its limit of memory. NO SECURITY BOUNDARY. Source:
 * packages/docs/decisions/0029-trusted-code-in-v8.md.
 */
export class V8Machine implements MachinePort {
  readonly isFull = false
  readonly interruptedStack = ''
  readonly grownBytes = 0
  readonly calls: HostCalls<unknown>
  readonly #clock: RunClock
  readonly #parts: RealmParts
  readonly #values: V8Values
  readonly #answers: V8Answers
  readonly #shared: Realm
  readonly #awaited = new Set<number>()
  #realm: Realm
  #program: LoadedV8Program | undefined
  /** Whether no code has run since the program was entered. */
  #isFresh = false
  #broken = false
  #list: [list: unknown, count: number, first: number, start: number] | undefined

  constructor(parts: MachineParts) {
    const { clock, random, api, limits, runClock = measuredClock } = parts
    this.#clock = runClock
    this.#values = new V8Values(() => this.#realm.decode)
    this.calls = new HostCalls(parts, this.#values)
    this.#answers = new V8Answers(limits)
    this.#parts = {
      settings: preludeSettings(limits),
      now: () => Math.floor(clock.now()),
      randoms: () => drawnNumbers(random),
      calls: this.calls,
      api: compileApi(api),
    }
    this.#shared = new Realm(this.#parts, false)
    this.#realm = this.#shared
  }

  get broken(): boolean {
    return this.#broken
  }

  get held(): readonly number[] {
    return this.#answers.indexes
  }

  async loader(modules: ModuleSet): Promise<(timeMs: number) => LoadResult> {
    return () => this.#load(modules)
  }

  enter(program: LoadedV8Program): boolean {
    this.#forget()
    if (this.#program === program && this.#isFresh) return true
    this.#end()
    this.#program = program
    const { realm } = program.own
    this.#realm = realm
    this.calls.isLoading = true
    try {
      const entry = program.own.evaluate()[program.entry]
      if (program.own.words.usesJobs) realm.runJobs()
      realm.prelude.renew(entry, program.normalises)
      this.#isFresh = true
    } catch {
      // The top level depends on chance or time.
      this.#broken = true
    } finally {
      this.calls.isLoading = false
      this.calls.forget()
    }
    return !this.#broken
  }

  resume(program: LoadedV8Program): boolean {
    return this.#program === program && !this.#broken ? true : this.enter(program)
  }

  pause(): void {
    this.calls.forget()
  }

  leave(): void {
    this.#forget()
    if (!this.#isFresh) this.#end()
  }

  begin(bytes: Uint8Array, { first, count }: Pick<BatchDocument, 'first' | 'count'>, index: number): Given {
    this.#list = [this.#realm.decode(toTextBuffer(bytes)), count, first, index - first]
    return 'done'
  }

  gather(bytes: Uint8Array, count: number): Given {
    return this.#contain(Number.POSITIVE_INFINITY, () =>
      this.#realm.prelude.gather(this.#realm.decode(toTextBuffer(bytes)), count),
    )
  }

  next(index: number, timeMs: number): Ended {
    return this.#contain(timeMs, () => {
      this.calls.owner = index
      const list = this.#list
      this.#list = undefined
      const { prelude } = this.#realm
      const answer = list ? prelude.nextAlone(...list) : prelude.nextAlone()
      if (answer === false) this.#awaited.add(index)
      else this.#answers.add(index, answer, prelude)
      if (answer === false || this.#program?.own.words.usesJobs) this.#runJobs()
    })
  }

  runGathered(index: number, timeMs: number): Ended {
    return this.#contain(timeMs, () => {
      this.calls.owner = index
      this.#awaited.add(index)
      this.#realm.prelude.runGathered()
      this.#runJobs()
    })
  }

  answer(call: OpenCall, timeMs: number): Ended {
    return this.#contain(timeMs, () => {
      this.calls.owner = call.owner
      this.#realm.prelude.settleCall(call.id, this.calls.replyOf(call))
      this.#runJobs()
    })
  }

  giveUp(index: number): void {
    this.#awaited.delete(index)
    this.#realm.prelude.giveUp(index)
  }

  flush(taking: Taking): Taken {
    return this.#answers.take(taking)
  }

  takeLog(index: number, gauge: OutputGauge): AnswerBytes | undefined {
    return this.#answers.takeLog(index, this.#realm.prelude.takeLog(index), gauge)
  }

  #load(modules: ModuleSet): LoadResult {
    this.#forget()
    this.#end()
    const words = wordsOf(modules.texts, this.#shared.globalNames)
    const realm = needsOwnRealm(words) ? this.#newRealm(words) : this.#shared
    this.#realm = realm
    this.calls.isLoading = true
    let loaded: LoadResult
    try {
      loaded = this.#loaded(modules, new V8Program(modules, realm, words))
    } catch (thrown) {
      loaded = loadFailureOf(thrown, realm, modules, this.calls.open > 0)
    } finally {
      this.calls.isLoading = false
      this.calls.forget()
    }
    if ('own' in loaded) this.#restore(loaded as LoadedV8Program)
    else if (realm === this.#shared) this.#broken ||= !realm.restore(words)
    return loaded
  }

  #loaded(modules: ModuleSet, own: V8Program): LoadedV8Program | StageError {
    const { prelude } = own.realm
    prelude.renew(undefined, false)
    const exports = own.evaluate()
    own.realm.runJobs()
    const normalises = modules.mentionsToJson || own.words.boxes
    const names = prelude.attach(exports, normalises)
    const entry = names.replace('+', '')
    if (entry !== 'transformEvent' && entry !== 'transformBatch') return wrongEntryPoint(names, modules)
    const log = String(prelude.takeLog(0)[1])
    const keptBytes = modules.codeLength * 4 + (needsOwnRealm(own.words) ? realmBytes : programBytes)
    return { entry, usesMetadata: names.endsWith('+'), log, modules, keptBytes, stateBytes: 0, own, normalises }
  }

  #forget(): void {
    this.calls.forget()
    this.#answers.forget()
    this.#awaited.clear()
    this.#list = undefined
  }

  /** Ends the present program: undoes what it has changed. */
  #end(): void {
    const program = this.#program
    this.#program = undefined
    this.#isFresh = false
    if (program) this.#restore(program)
  }

  #newRealm({ makesLists }: ProgramWords): Realm {
    return new Realm(this.#parts, makesLists)
  }

  #restore(program: LoadedV8Program): void {
    const { realm, words } = program.own
    if (realm.restore(words)) return
    if (realm === this.#shared) this.#broken = true
    else program.own = new V8Program(program.modules, this.#newRealm(words), words)
  }

  /** Runs microtasks, and encodes the answers of the events that they have completed. */
  #runJobs(): void {
    const { prelude } = this.#realm
    this.#realm.runJobs()
    const count = prelude.heldNow()
    if (count === 0) return
    // The list has no prototype, so it cannot be iterated over.
    const answers = prelude.take()
    for (let n = 0; n < count; n += 1) {
      const answer = answers[n] ?? []
      const index = Number(answer[0])
      if (!this.#awaited.delete(index)) throw new Error('an answer is for an event that is not awaited')
      this.#answers.add(index, answer, prelude)
    }
  }

  #contain(timeMs: number, action: () => void): Ended {
    this.#isFresh = false
    const start = this.#clock.start()
    try {
      action()
    } catch {
      // User code has broken a built-in that the prelude needs, or used up the stack.
      return 'failed'
    }
    if (this.#clock.now() - start < timeMs) return 'done'
    this.#clock.settle()
    return this.#clock.now() - start < timeMs ? 'done' : 'interrupted'
  }
}
