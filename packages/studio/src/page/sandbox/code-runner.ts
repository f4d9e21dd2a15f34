import { withDefaults } from '@sluice/core/with-defaults'
import { defaultSandboxLimits, type SandboxLimits } from '@sluice/sandbox/limits'
import type { CodeToTry, CodeTrial } from '@sluice/transformations'
import { loading, reading, whole } from './sandbox-messages.ts'
import { startThread, type WorkerThread } from './worker-thread.ts'

type Outcome = CodeTrial['outcomes'][number]
type Problem = CodeTrial['problems'][number]

/** Runs code in the page, saved or not. Nothing leaves the page, and code reaches nothing outside of the sandbox. */
export interface CodeRunner {
  /**
   * Runs code on events, in the same sandbox and with the same results as production. Trials run one after another. Code
   * that hangs is ended 0.2 s after its limit; its event fails, and the others run again in a new Worker.
   * @throws Error when the sandbox cannot be loaded, or after `close`.
   */
  run(code: CodeToTry): Promise<CodeTrial>
  /** Ends running code and the Worker. */
  close(): void
}

/** Creates a runner. Its Worker starts with the first trial, and is kept for the next. */
export function createCodeRunner(given: Partial<SandboxLimits> = {}): CodeRunner {
  const limits = withDefaults(defaultSandboxLimits, given)
  let thread: WorkerThread | undefined
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false
  const endThread = (): void => {
    thread?.end()
    thread = undefined
  }

  /** Runs the events of these indexes, and gives each its outcome. */
  const runSome = async (code: CodeToTry, indexes: readonly number[], result: Results): Promise<void> => {
    let left = indexes
    while (left.length > 0) {
      if (isClosed) throw new Error('the runner is closed')
      thread ??= startThread(limits)
      const ran = await thread
        .run({ ...code, events: code.events.filter((_, index) => left.includes(index)) })
        .catch((error) => {
          endThread()
          throw error
        })
      if ('trial' in ran) {
        result.add(ran.trial, left)
        return
      }
      endThread()
      const { hung, limitMs } = ran
      const error = `Error: Script execution timed out. A built-in function ran longer than ${limitMs} ms and could not be interrupted.`
      result.spentMs += limitMs
      if (hung === reading && left.length > 1) {
        // Any of the events may be the cause.
        for (const index of left) await runSome(code, [index], result)
        return
      }
      const guilty = left[hung]
      if (guilty === undefined || result.spentMs >= limits.batchTimeMs) {
        result.fail(
          left,
          hung === loading ? 'transform.load' : 'transform.timeout',
          error,
          hung === whole || hung === loading,
        )
        return
      }
      result.fail([guilty], 'transform.timeout', error, false)
      left = left.filter((index) => index !== guilty)
    }
  }
  return {
    run: (code) => {
      const trial = last.then(async () => {
        const results = new Results(code.events.length)
        await runSome(code, [...code.events.keys()], results)
        return results.trial()
      })
      last = trial.catch(() => {})
      return trial
    },
    close: () => {
      isClosed = true
      endThread()
    },
  }
}

/** Collects what became of the events of one trial. */
class Results {
  spentMs = 0
  readonly #outcomes: Outcome[]
  #log: readonly string[] = []
  readonly #problems: Problem[] = []
  #loadMs = 0

  constructor(count: number) {
    this.#outcomes = Array.from({ length: count }, (): Outcome => ({ kind: 'drop', reason: '' }))
  }

  add({ outcomes, log, problems, loadMs, runMs }: CodeTrial, indexes: readonly number[]): void {
    this.#log = [...this.#log, ...log]
    this.#loadMs += loadMs
    this.spentMs += runMs
    outcomes.forEach((outcome, place) => {
      this.#outcomes[indexes[place] ?? place] = outcome
    })
    for (const problem of problems) {
      const { index, ...others } = problem
      this.#problems.push(index === undefined ? others : { ...others, index: indexes[index] ?? index })
    }
  }

  /** @param isOne true when the code as a whole failed, which is one problem. */
  fail(
    indexes: readonly number[],
    code: 'transform.load' | 'transform.timeout',
    message: string,
    isOne: boolean,
  ): void {
    for (const index of indexes) {
      this.#outcomes[index] = { kind: 'fail', error: { code, message } }
      if (!isOne) this.#problems.push({ index, error: message })
    }
    if (isOne) this.#problems.push({ error: message })
  }

  trial(): CodeTrial {
    const problems = [...this.#problems].sort((a, b) => (a.index ?? -1) - (b.index ?? -1))
    return { outcomes: this.#outcomes, log: this.#log, problems, loadMs: this.#loadMs, runMs: this.spentMs }
  }
}
