import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Event } from '@sluice/core'
import { createSandbox, type Program, type SandboxOptions } from '@sluice/sandbox'
import { newQuickJSWASMModule } from 'quickjs-emscripten'
import type { BenchCase, OpenCase } from './bench-case.ts'
import { runBench } from './bench-kit.ts'
import type { Corpus } from './corpus.ts'
import { live, outcomesOf, outputsOf, sandboxCase, slice, toInput } from './user-code/sandbox-case.ts'
import { light, type Work, works } from './user-code/works.ts'

/** A thousand versions, one after the other, each for one event: what many customers with few events cost. */
async function openRotation(corpus: Corpus, options: SandboxOptions): Promise<OpenCase> {
  const sandbox = await createSandbox(options)
  const programs: Program[] = []
  for (let n = 0; n < 1_000; n += 1) {
    const compiled = await sandbox.compile({ name: `v${n}`, code: `${light}\n// ${n}`, libraries: [] })
    if (!compiled.ok) throw new Error(compiled.error.message)
    programs.push(compiled.program)
  }
  const events = slice(corpus, 0, programs.length)
  return {
    events: programs.length,
    check: async () => {
      for (const [i, program] of programs.entries())
        works.light.right([events[i] ?? {}], await outputsOf(program, [events[i] ?? {}]))
    },
    run: async () => {
      for (const [i, program] of programs.entries()) await program.run([toInput(events[i] ?? {})], live)
    },
    close: () => sandbox.close(),
  }
}

/** The first event through a version never seen before. */
async function openFirstEvent(corpus: Corpus, options: SandboxOptions): Promise<OpenCase> {
  const sandbox = await createSandbox(options)
  const [event = {}] = corpus.events
  let n = 0
  const run = async (): Promise<void> => {
    n += 1
    const compiled = await sandbox.compile({ name: 'new', code: `${light}\n// new ${n}`, libraries: [] })
    if (!compiled.ok) throw new Error(compiled.error.message)
    await compiled.program.run([toInput(event)], live)
  }
  return { events: 1, check: run, run, close: () => sandbox.close() }
}

/** A peer: a fresh QuickJS context per batch, events as JSON text. */
async function openFreshContext(corpus: Corpus, batch: number): Promise<OpenCase> {
  const quickjs = await newQuickJSWASMModule()
  const events = slice(corpus, 0, batch)
  const script = `${light.replace('export ', '')}\n;(text) => JSON.stringify(JSON.parse(text).map((e) => transformEvent(e) ?? null))`
  const run = (): unknown => {
    const context = quickjs.newContext()
    const fn = context.unwrapResult(context.evalCode(script))
    const text = context.newString(JSON.stringify(events))
    const result = context.unwrapResult(context.callFunction(fn, context.undefined, text))
    const outputs: unknown = JSON.parse(context.getString(result))
    for (const handle of [fn, text, result]) handle.dispose()
    context.dispose()
    return outputs
  }
  return {
    events: batch,
    check: () =>
      works.light.right(
        events,
        (run() as (Event | null)[]).map((event) => event ?? undefined),
      ),
    run: () => void run(),
  }
}

/** How late the host's event loop is at worst while native loops run in a thread, are found out and the thread is replaced. */
async function measureLateness(): Promise<number> {
  const sandbox = await createSandbox({ mode: 'worker', workers: 1, limits: { eventTimeMs: 200 } })
  const code = 'export function transformEvent() { const a = []; a.length = 2 ** 32 - 1; a.indexOf(5) }'
  const compiled = await sandbox.compile({ name: 'loop', code, libraries: [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  for (let i = 0; i < 5; i += 1) {
    const [outcome] = await outcomesOf(compiled.program, [{ type: 'track' }])
    assert.equal(outcome?.kind, 'fail')
  }
  delay.disable()
  await sandbox.close()
  return delay.max / 1e6
}

const oneWorker = { mode: 'worker', workers: 1 } as const
const inProcess = { mode: 'in-process' } as const
const sizes = [200, 20, 1]

await runBench(
  'What does a user transformation cost per event, isolated?',
  (corpus) => {
    const ofWork = (work: Work): readonly BenchCase[] => [
      ...(['batch', 'event', 'none'] as const).flatMap((isolation) =>
        sizes.map((size) =>
          sandboxCase(corpus, work, size, { ...oneWorker, isolation }, `isolation ${isolation}, 1 worker`),
        ),
      ),
      sandboxCase(corpus, work, 200, { mode: 'worker', workers: 2 }, 'isolation batch, 2 workers'),
      ...[200, 1].map((size) => sandboxCase(corpus, work, size, inProcess, 'isolation batch, in process')),
    ]
    return [
      ...[works.identity, works.light, works.pii, works.fourPatterns, works.emailPattern, works.piiBuiltIn].flatMap(
        ofWork,
      ),
      ...[works.heavy, works.heavyBuiltIn].map((work) =>
        sandboxCase(corpus, work, 10, oneWorker, 'isolation batch, 1 worker'),
      ),
      {
        name: 'light, 1,000 versions in rotation, batch 1, 1 worker',
        open: () => openRotation(corpus, oneWorker),
      },
      { name: 'first event of a new version, 1 worker', open: () => openFirstEvent(corpus, oneWorker) },
      { name: 'first event of a new version, in process', open: () => openFirstEvent(corpus, inProcess) },
      ...sizes.map((size) => ({
        name: `peer: light, batch ${size}, QuickJS, fresh context per batch, JSON text`,
        open: () => openFreshContext(corpus, size),
      })),
    ]
  },
  [
    {
      name: 'the host is late at most while native loops run',
      unit: 'ms',
      goal: 'at most 20 ms',
      measure: measureLateness,
    },
  ],
)
