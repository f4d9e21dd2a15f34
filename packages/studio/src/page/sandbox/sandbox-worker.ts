import { createSandbox } from '@sluice/sandbox'
import { createTransformationPrograms, type TransformationPrograms, tryCode } from '@sluice/transformations'
import type { FromWorker, ToWorker } from './sandbox-messages.ts'

/**
 * Runs user code in a Worker, which the page ends when the code hangs. It fetches nothing: its policy forbids that, and
 * the page passes the engine. The name of this file decides the policy; see `sandboxWorkerPolicy` in `@sluice/http`.
 */
const post = (message: FromWorker): void => self.postMessage(message)

let programs: Promise<TransformationPrograms> | undefined

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  answer(data).catch((thrown: unknown) => post({ kind: 'broken', message: String(thrown) }))
})

async function answer(message: ToWorker): Promise<void> {
  if (message.kind === 'start') {
    programs = start(message)
    await programs
    return
  }
  if (programs === undefined) throw new Error('the Worker was not started')
  post({ kind: 'tried', trial: await tryCode(await programs, message.code, new AbortController().signal) })
}

async function start({ engine, limits }: Extract<ToWorker, { kind: 'start' }>): Promise<TransformationPrograms> {
  const sandbox = await createSandbox({ engine, limits, onEnter: (whose) => post({ kind: 'enter', whose }) })
  return createTransformationPrograms({ sandbox, programsMax: 20 })
}
