import type { SandboxOptions } from '@sluice/sandbox'
import { createOfflineRunner, ProjectError } from '@sluice/testing'
import colors from 'picocolors'
import { AffectedTests } from '../../offline/test/affected-tests.ts'
import { failedTestsText } from '../../offline/test/failed-tests-text.ts'
import { NothingToTestError } from '../../offline/test/find-projects.ts'
import { countsOf } from '../../offline/test/test-outcome.ts'
import { createTextReport } from '../../offline/test/text-report.ts'
import type { DevEntry } from './dev-entry.ts'

/** The tests of the project of a workspace. */
export interface DevTests {
  /** Runs what changed files affect. Without news, nothing is shown. Calls follow one another. */
  run(since: number, signal: AbortSignal): Promise<void>
  /** Folders in which a change may affect a test. */
  readonly folders: ReadonlySet<string>
  close(): Promise<void>
}

/** @param folder of the project. */
export async function createDevTests(
  folder: string,
  sandbox: SandboxOptions,
  show: (entry: DevEntry) => void,
): Promise<DevTests> {
  const runner = await createOfflineRunner(sandbox)
  const vitest = { bail: false, update: false, record: false, quiet: true, sandbox }
  const setup = { runner, update: false, record: false }
  const tests = new AffectedTests({ paths: [folder], setup, vitest, onCase: () => {} })
  let folders: ReadonlySet<string> = new Set()
  let lastError = ''
  return {
    get folders() {
      return folders
    },
    async run(since, signal) {
      try {
        const found = await tests.find()
        folders = found.folders
        const { outcome } = await tests.run(found, since, signal)
        lastError = ''
        if (outcome === undefined) return
        const counts = countsOf(outcome)
        const text = createTextReport(process.cwd(), colors.createColors(false)).end(outcome).trim()
        show({
          kind: 'tests',
          passed: counts.passed,
          failed: counts.failed + counts.brokenLibraries + counts.notRun,
          text: `${failedTestsText(outcome.tests)}${text}`.trim(),
        })
      } catch (error) {
        if (!(error instanceof ProjectError)) throw error
        const text =
          error instanceof NothingToTestError ? 'There are no tests here; sluice init writes some.' : error.message
        if (text !== lastError) show({ kind: 'hint', text })
        lastError = text
      }
    },
    close: () => runner.close(),
  }
}
