import type { Event, Outcome } from '@sluice/core'
import { createSandbox, type Program, type SandboxOptions } from '@sluice/sandbox'
import type { BenchCase, OpenCase } from '../bench-case.ts'
import type { Corpus } from '../corpus.ts'
import type { Work } from './works.ts'

export const live: AbortSignal = new AbortController().signal

/** Runs a work in the sandbox: as many callers as it has work sent ahead for, each asking again when it is answered. */
export function sandboxCase(
  corpus: Corpus,
  work: Work,
  batch: number,
  options: SandboxOptions,
  label: string,
): BenchCase {
  return { name: `${work.name}, batch ${batch}, ${label}`, open: () => openSandbox(corpus, work, batch, options) }
}

async function openSandbox(corpus: Corpus, work: Work, batch: number, options: SandboxOptions): Promise<OpenCase> {
  const sandbox = await createSandbox(options)
  const compiled = await sandbox.compile({ name: work.name, code: work.code, libraries: work.libraries ?? [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  const { program } = compiled
  // As many callers as a pool has work sent ahead for; each asks again as soon as it is answered, as a consumer does.
  const inFlight = options.mode === 'worker' ? 8 * (options.workers ?? 1) : 1
  const callsEach = options.mode === 'worker' && batch === 1 ? 25 : 1
  const batches = Array.from({ length: inFlight }, (_, n) => slice(corpus, n * batch, batch))
  return {
    events: batch * inFlight * callsEach,
    check: async () => work.right(batches[0] ?? [], await outputsOf(program, batches[0] ?? [])),
    run: async () => {
      await Promise.all(
        batches.map(async (events) => {
          for (let call = 0; call < callsEach; call += 1) await program.run(events.map(toInput), live)
        }),
      )
    },
    close: () => sandbox.close(),
  }
}

/** Events of the corpus from a place on, repeated as often as needed. */
export function slice({ events }: Corpus, start: number, length: number): readonly Event[] {
  return Array.from({ length }, (_, i) => events[(start + i) % events.length] ?? {})
}

export const toInput = (event: Event) => ({ event, metadata: {} })

export async function outcomesOf(program: Program, events: readonly Event[]): Promise<readonly Outcome<Event>[]> {
  return (await program.run(events.map(toInput), live)).outcomes
}

export async function outputsOf(program: Program, events: readonly Event[]): Promise<readonly (Event | undefined)[]> {
  return (await outcomesOf(program, events)).map((outcome) => {
    if (outcome.kind === 'fail') throw new Error(outcome.error.message)
    return outcome.kind === 'pass' ? outcome.items[0] : undefined
  })
}
