import { createRequire } from 'node:module'
import type { Event } from '@sluice/core'
import type { BenchCase, OpenCase } from '../bench-case.ts'
import type { Corpus } from '../corpus.ts'
import { scriptOf } from './plain-v8.ts'
import { slice } from './sandbox-case.ts'
import type { Work } from './works.ts'

/** `batch`: a new isolate for each batch, as RudderStack does. `none`: one isolate, whose batches share state. */
export type IsolateLife = 'batch' | 'none'

/**
 * A peer where it is installed: isolated-vm without anything around it, events as JSON text. `isolated-vm` is no
 * dependency; `NODE_PATH` may name the folder of modules where it is.
 */
export function isolatedVmCase(corpus: Corpus, work: Work, batch: number, life: IsolateLife): BenchCase {
  const name = `${work.name}, batch ${batch}, peer: isolated-vm, ${life === 'batch' ? 'new isolate per batch' : 'isolate kept'}`
  return { name, open: () => openIsolatedVm(corpus, work, batch, life) }
}

async function openIsolatedVm(
  corpus: Corpus,
  work: Work,
  batch: number,
  life: IsolateLife,
): Promise<OpenCase | undefined> {
  const ivm = isolatedVm()
  if (ivm === undefined) {
    process.stderr.write(`isolated-vm is not installed: ${work.name}, batch ${batch} is left out\n`)
    return undefined
  }
  const events = slice(corpus, 0, batch)
  const code = `${scriptOf(work)}\n;(text) => JSON.stringify(JSON.parse(text).map((e) => transformEvent(e) ?? null))`
  const open = async (): Promise<OpenIsolate> => {
    const isolate = new ivm.Isolate({ memoryLimit: 128 })
    const context = await isolate.createContext()
    const run = await (await isolate.compileScript(code)).run(context, { reference: true })
    return { run, dispose: () => isolate.dispose() }
  }
  const kept = life === 'none' ? await open() : undefined
  const run = async (): Promise<(Event | null)[]> => {
    const isolate = kept ?? (await open())
    const text = await isolate.run.apply(undefined, [JSON.stringify(events)])
    if (isolate !== kept) isolate.dispose()
    return JSON.parse(text) as (Event | null)[]
  }
  return {
    events: batch,
    check: async () => {
      const outputs = await run()
      work.right(
        events,
        outputs.map((event) => event ?? undefined),
      )
    },
    run: async () => void (await run()),
    close: async () => kept?.dispose(),
  }
}

interface Reference {
  apply(self: undefined, values: readonly string[]): Promise<string>
}

interface OpenIsolate {
  readonly run: Reference
  dispose(): void
}

/** The little of isolated-vm that is used here. */
interface IsolatedVm {
  readonly Isolate: new (options: {
    memoryLimit: number
  }) => {
    createContext(): Promise<object>
    compileScript(code: string): Promise<{ run(context: object, options: { reference: true }): Promise<Reference> }>
    dispose(): void
  }
}

function isolatedVm(): IsolatedVm | undefined {
  try {
    return createRequire(import.meta.url)('isolated-vm') as IsolatedVm
  } catch {
    return undefined
  }
}
