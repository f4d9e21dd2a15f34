import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { FairQueue, InvariantError, SandboxBusyError } from '@sluice/core'
import type { StripFailure, StripResult, TypeStripper, TypeStripperOptions } from './type-stripper.ts'

interface Task {
  readonly owner: string
  readonly code: string
  resolve(result: StripResult): void
  reject(error: unknown): void
}

interface Thread {
  worker: StripWorker | undefined
  /** Owner of the code in progress. */
  owner: string | undefined
  idle: NodeJS.Timeout | undefined
}

/** One thread for an owner whose code keeps the parser busy until its time limit, one for the others. */
const threadCount = 2

/**
 * Creates a stripper that runs Node's own (swc) in worker threads, started when needed.
 *
 * It uses threads because the code is untrusted. Thirty times `<T>(` keeps the parser busy for hours (like that of
 * sucrase), and deep nesting corrupts its memory for all following code. The thread is then terminated and replaced.
 */
export function createTypeStripper(options: TypeStripperOptions = {}): TypeStripper {
  const { timeMs = 2_000, codeCharsMax = 1024 * 1024, waitingMax = 1_000, idleMs = 30_000 } = options
  const queue = new FairQueue<Task>()
  const threads = Array.from(
    { length: threadCount },
    (): Thread => ({ worker: undefined, owner: undefined, idle: undefined }),
  )
  let closed = false

  const end = async (thread: Thread): Promise<void> => {
    clearTimeout(thread.idle)
    const { worker } = thread
    thread.worker = undefined
    await worker?.thread.terminate()
  }
  const parse = async (task: Task, thread: Thread): Promise<void> => {
    clearTimeout(thread.idle)
    thread.owner = task.owner
    thread.worker ??= startWorker()
    const startedAt = performance.now()
    const answer = await ask(thread.worker, task.code, timeMs)
    queue.charge(task.owner, performance.now() - startedAt)
    if (answer.broken) await end(thread)
    else thread.idle = setTimeout(() => end(thread), idleMs).unref()
    thread.owner = undefined
    if (closed) task.reject(closedError())
    else task.resolve(answer.result)
    startNext()
  }
  const startNext = (): void => {
    for (const owner of closed ? [] : queue.owners()) {
      if (threads.some((thread) => thread.owner === owner)) continue
      // A running thread is preferred.
      const free = threads.filter((thread) => thread.owner === undefined)
      const thread = free.find(({ worker }) => worker) ?? free[0]
      const task = thread && queue.take(owner)
      if (task) void parse(task, thread)
    }
  }
  return {
    strip(code, owner = '') {
      if (closed) return Promise.reject(closedError())
      if (code.length > codeCharsMax)
        return Promise.resolve(failure(`the code has more than ${codeCharsMax} characters`))
      return new Promise((resolve, reject) => {
        queue.push(owner, { owner, code, resolve, reject })
        if (queue.length > waitingMax)
          queue
            .dropFromLongest()
            ?.reject(new SandboxBusyError(`${waitingMax} codes wait to be parsed; try again later`))
        startNext()
      })
    },
    async close() {
      closed = true
      for (const { reject } of queue.clear()) reject(closedError())
      await Promise.all(threads.map(end))
    },
  }
}

const closedError = (): InvariantError => new InvariantError('the type stripper is closed')

const failure = (message: string, line = 0, column = 0, isUnsupported = false): StripFailure => ({
  ok: false,
  message,
  line,
  column,
  isUnsupported,
})

/** A string, because it must run from the sources as well as from the build. */
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
parentPort.postMessage('ready')
`

interface StripWorker {
  readonly thread: Worker
  /** Resolves once the worker can parse, or has ended. */
  readonly ready: Promise<unknown>
}

/** Time limit for loading the parser; 0.1 s are usual. */
const startMs = 30_000

function startWorker(): StripWorker {
  const workerData = createRequire(import.meta.url).resolve('@swc/wasm-typescript')
  const thread = new Worker(workerText, { eval: true, workerData, execArgv: [], env: {}, stdout: true, stderr: true })
  const ready = new Promise<void>((resolve) => {
    // Keeps the process alive while a caller waits, which the thread itself does not do.
    const timer = setTimeout(resolve, startMs)
    const started = (): void => {
      clearTimeout(timer)
      resolve()
    }
    thread.once('message', started)
    thread.once('exit', started)
  })
  // An idle worker must not keep the process alive.
  thread.unref()
  // `ask` handles the end of the thread. Without this listener an error would end the process.
  thread.on('error', () => {})
  return { thread, ready }
}

interface Answer {
  readonly result: StripResult
  readonly broken: boolean
}

/** The time limit starts only when the parser is loaded, which takes long on a busy computer. */
async function ask({ thread: worker, ready }: StripWorker, code: string, timeMs: number): Promise<Answer> {
  await ready
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
