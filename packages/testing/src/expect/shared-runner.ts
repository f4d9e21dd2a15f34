import { createOfflineRunner, type OfflineRunner } from '../run/offline-runner.ts'

/** One for all tests of a process: its thread does not keep the process alive, and ends with it. */
let runner: Promise<OfflineRunner> | undefined

/** The runner that tests share; made with the first of them. */
export function sharedRunner(): Promise<OfflineRunner> {
  runner ??= createOfflineRunner()
  return runner
}
