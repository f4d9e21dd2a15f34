import { type Event, InvariantError, type Outcome, type SourcedEvent } from '@sluice/core'
import { createSandbox, type SandboxOptions } from '@sluice/sandbox'
import {
  createTransformationPrograms,
  createUserTransformStage,
  transformationVersionId,
} from '@sluice/transformations'
import { OfflineLoadError, type Subject } from '../run/offline-runner.ts'
import type { BenchCell } from './bench-report.ts'

/** A transformation that is loaded in a sandbox of its own, as a cell wants it. */
export interface OpenCell {
  run(events: readonly Event[]): Promise<readonly Outcome<SourcedEvent>[]>
  readonly log: readonly string[]
  close(): Promise<void>
}

/** @throws OfflineLoadError when the code cannot be loaded. */
export async function openCell(
  { name, code, libraries = [] }: Subject,
  { isolation, workers }: Omit<BenchCell, 'batch'>,
  options: SandboxOptions = {},
): Promise<OpenCell> {
  const sandbox = await createSandbox({ ...options, isolation, workers })
  const programs = createTransformationPrograms({ sandbox })
  const transformation = { versionId: transformationVersionId(code, libraries), name, code, libraries }
  const compiled = await programs.program(transformation)
  if (!compiled.ok) {
    await sandbox.close()
    throw new OfflineLoadError(compiled.error.message)
  }
  let log: readonly string[] = []
  const onLog = (lines: readonly string[]): void => {
    log = lines
  }
  const stage = createUserTransformStage({ programs, transformation, onLog })
  const { signal } = new AbortController()
  return {
    get log() {
      return log
    },
    run: (events) => stage.run(events.map(sourced), signal),
    async close() {
      await programs.close()
      await sandbox.close()
    },
  }
}

function sourced(event: Event): SourcedEvent {
  return { workspaceId: 'bench', sourceId: 'bench', writeKey: '', event }
}

/** The events as batches of a size, as many as there are; the last one is filled up from the first, so that all cost alike. */
export function batchesOf(events: readonly Event[], size: number): readonly (readonly Event[])[] {
  const [first] = events
  if (first === undefined) throw new InvariantError('a bench needs events')
  const count = Math.ceil(events.length / size)
  return Array.from({ length: count }, (_, batch) =>
    Array.from({ length: size }, (_, place) => events[(batch * size + place) % events.length] ?? first),
  )
}
