import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { InvariantError } from '@sluice/core'

/** Why code is not taken. */
export interface StripFailure {
  readonly ok: false
  readonly message: string
  /** From 1; 0 where the parser cannot tell. */
  readonly line: number
  readonly column: number
  /** True for TypeScript that is more than a type. */
  readonly isUnsupported: boolean
}

/** JavaScript, or why the code is none. */
export type StripResult = { readonly ok: true; readonly code: string } | StripFailure

/** Turns TypeScript into JavaScript. */
export interface TypeStripper {
  /**
   * Replaces types by blanks, so that every line and column stays what it was. Only types that can be erased are
   * accepted: no enums, namespaces, parameter properties. JavaScript comes back as it is, save for the few texts that
   * TypeScript reads otherwise: `f(a < b, c > (d))` passes two values in the one and one in the other.
   * Codes are done one after the other, and every failure is a result.
   * @throws InvariantError when the stripper is closed.
   */
  strip(code: string): Promise<StripResult>
  /** Ends the worker; what is under way fails. */
  close(): Promise<void>
}

export interface TypeStripperOptions {
  /** Time for one code; a few milliseconds are usual. */
  readonly timeMs?: number
  readonly codeCharsMax?: number
  /** Time without work after which the worker, some 30 MB, is ended. */
  readonly idleMs?: number
}

/**
 * Makes a stripper that runs Node's own (swc) in a worker thread, started with the first code.
 *
 * A worker, because the code is written by people who need not be trusted: thirty times `<T>(` keeps the parser busy for
 * hours (as it does that of sucrase), and deep nesting leaves its memory broken for everyone after. The worker is ended
 * and replaced then.
 */
export function createTypeStripper(options: TypeStripperOptions = {}): TypeStripper {
  const { timeMs = 2_000, codeCharsMax = 1024 * 1024, idleMs = 30_000 } = options
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  const end = async (): Promise<void> => {
    clearTimeout(idle)
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }
  const inTurn = async (code: string): Promise<StripResult> => {
    if (closed) throw new InvariantError('the type stripper is closed')
    clearTimeout(idle)
    worker ??= startWorker()
    const answer = await ask(worker, code, timeMs)
    if (answer.broken) await end()
    else idle = setTimeout(end, idleMs).unref()
    return answer.result
  }
  return {
    strip(code) {
      if (code.length > codeCharsMax)
        return Promise.resolve(failure(`the code has more than ${codeCharsMax} characters`))
      const result = last.then(() => inTurn(code))
      last = result.catch(() => {})
      return result
    },
    async close() {
      closed = true
      await end()
    },
  }
}

const failure = (message: string, line = 0, column = 0, isUnsupported = false): StripFailure => ({
  ok: false,
  message,
  line,
  column,
  isUnsupported,
})

/** Plain text, because it must run from the sources as well as from the build. */
const workerText = `
const { parentPort, workerData } = require('node:worker_threads')
const { transformSync } = require(workerData)
parentPort.on('message', (code) => {
  try {
    parentPort.postMessage({ code: transformSync(code, { mode: 'strip-only' }).code })
  } catch (thrown) {
    // Its own refusals are plain objects; anything else, and the module is not to be used again.
    const known = !(thrown instanceof Error) && typeof thrown?.message === 'string'
    parentPort.postMessage(known
      ? { kind: String(thrown.code), message: thrown.message, line: thrown.startLine, column: thrown.startColumn + 1 }
      : { message: '' })
  }
})
`

function startWorker(): Worker {
  const workerData = createRequire(import.meta.url).resolve('@swc/wasm-typescript')
  const worker = new Worker(workerText, { eval: true, workerData, execArgv: [], env: {}, stdout: true, stderr: true })
  // A worker that waits must not keep the process alive.
  worker.unref()
  // Whoever waits for an answer listens as well; without this the process would end.
  worker.on('error', () => {})
  return worker
}

interface Answer {
  readonly result: StripResult
  readonly broken: boolean
}

function ask(worker: Worker, code: string, timeMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const done = (answer: Answer): void => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      worker.off('exit', onExit)
      resolve(answer)
    }
    const onMessage = (message: WorkerMessage): void => done(toAnswer(message))
    const onExit = (): void => done({ result: failure('the code cannot be parsed'), broken: true })
    const onTime = (): void =>
      done({ result: failure(`the code could not be parsed within ${timeMs} ms`), broken: true })
    const timer = setTimeout(onTime, timeMs)
    worker.on('message', onMessage)
    worker.on('exit', onExit)
    worker.postMessage(code)
  })
}

interface WorkerMessage {
  readonly code?: string
  readonly kind?: string
  readonly message?: string
  readonly line?: number
  readonly column?: number
}

function toAnswer({ code, kind, message, line, column }: WorkerMessage): Answer {
  if (code !== undefined) return { result: { ok: true, code }, broken: false }
  if (message === undefined || message === '')
    return { result: failure('the code is nested too deeply to be parsed'), broken: true }
  const isUnsupported = kind === 'UnsupportedSyntax'
  const text = isUnsupported ? message.replace(/ in strip-only mode$/, ', because types are only erased') : message
  return { result: failure(text, line, column, isUnsupported), broken: false }
}
