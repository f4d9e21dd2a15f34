import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CountedRunner, createCountedRunner } from '../coverage/counted-runner.ts'
import { createOfflineRunner, type OfflineRunner, type OfflineRunnerOptions } from '../run/offline-runner.ts'

/** One runner for all tests of a process. Its thread does not keep the process alive, and ends with it. */
let runner: Promise<OfflineRunner> | undefined

/**
 * Returns the shared runner, created with the first test from `SLUICE_SANDBOX` (sandbox options as JSON, set by `sluice
 * test` from its flags). If `SLUICE_COVERAGE_FOLDER` is set, it counts coverage and keeps a file in that folder up to
 * date after every run, because it cannot know which test is the last.
 */
export function sharedRunner(): Promise<OfflineRunner> {
  const { SLUICE_COVERAGE_FOLDER: folder, SLUICE_SANDBOX: sandbox = '{}' } = process.env
  const options = JSON.parse(sandbox) as OfflineRunnerOptions
  runner ??=
    folder === undefined
      ? createOfflineRunner(options)
      : createCountedRunner(options).then((counted) => writing(counted, folder))
  return runner
}

/**
 * Starts the engine, and what strips types, before the first test: that takes a second of processor time, and on a busy machine more than a test
 * may take.
 */
export async function warmUp(): Promise<void> {
  const ready = await sharedRunner()
  // Coverage counts all runs.
  if (process.env['SLUICE_COVERAGE_FOLDER'] !== undefined) return
  const code = 'export const transformEvent = (event: TrackEvent) => event'
  const subject = { name: 'warm-up', code, language: 'typescript', libraries: [] } as const
  await ready.run(subject, [{ type: 'track', event: 'Warm-up' }])
}

function writing(counted: CountedRunner, folder: string): OfflineRunner {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${randomUUID()}.json`)
  return {
    async run(subject, events, conditions) {
      const result = await counted.run(subject, events, conditions)
      writeFileSync(file, JSON.stringify(counted.coverage()))
      return result
    },
    close: () => counted.close(),
  }
}
