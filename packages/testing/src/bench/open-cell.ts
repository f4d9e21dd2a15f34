import type { Event, Outcome, SourcedEvent } from '@sluice/core'
import { createSandbox, type SandboxOptions } from '@sluice/sandbox'
import {
  createTransformationPrograms,
  createUserTransformStage,
  transformationVersionId,
} from '@sluice/transformations'
import { OfflineLoadError, type Subject } from '../run/offline-run.ts'
import type { BenchCell } from './bench-report.ts'

/** Workspace of every event, for which the program is compiled. */
const workspaceId = 'bench'

/** A transformation loaded in a sandbox of its own. */
export interface OpenCell {
  run(events: readonly Event[]): Promise<readonly Outcome<SourcedEvent>[]>
  /** Log of the last batch. */
  readonly log: readonly string[]
  /** Growth of resident memory since before the sandbox was created. */
  memoryBytes(): number
  close(): Promise<void>
}

/** @throws OfflineLoadError when the code cannot be loaded; RangeError when an option is out of range. */
export async function openCell(
  { name, code, libraries = [] }: Subject,
  { isolation, workers }: Omit<BenchCell, 'batch'>,
  options: SandboxOptions = {},
): Promise<OpenCell> {
  const before = process.memoryUsage.rss()
  // A short queue would fail the measurement, and its length does not affect speed.
  const { queueLengthMax: _, ...rest } = options
  const sandbox = await createSandbox({ ...rest, isolation, workers })
  const programs = createTransformationPrograms({ sandbox })
  const close = async (): Promise<void> => {
    await programs.close()
    await sandbox.close()
  }
  const transformation = { versionId: transformationVersionId(code, libraries), name, code, libraries }
  const compiled = await programs.program(transformation, workspaceId)
  if (!compiled.ok) {
    await close()
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
    run(events) {
      log = []
      return stage.run(events.map(sourced), signal)
    },
    memoryBytes: () => Math.max(0, process.memoryUsage.rss() - before),
    close,
  }
}

function sourced(event: Event): SourcedEvent {
  return { workspaceId, sourceId: 'bench', writeKey: '', event }
}
