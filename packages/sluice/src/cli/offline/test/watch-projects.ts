import { resolve } from 'node:path'
import { type CaseSetup, ProjectError } from '@sluice/testing'
import { printLine } from '../../terminal/print-line.ts'
import { FolderWatcher } from '../folder-watcher.ts'
import { type AffectedRun, AffectedTests } from './affected-tests.ts'
import type { VitestSetup } from './run-vitest.ts'
import type { TextReport } from './text-report.ts'

export interface WatchSetup {
  readonly paths: readonly string[]
  readonly filter?: string
  readonly setup: CaseSetup
  readonly vitest: VitestSetup
  readonly text: TextReport
}

const hint = 'Save a file to run the affected tests; Ctrl-C ends.'

/** Runs projects, and repeats the transformations affected by each change, until it is interrupted. */
export async function watchProjects({ text, ...setup }: WatchSetup): Promise<void> {
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const watcher = new FolderWatcher()
  const tests = new AffectedTests({ ...setup, onCase: (report) => printLine(text.caseLine(report)) })
  let lastError = ''
  // Until the projects can be read, only the given paths can be watched.
  watcher.watch(new Set((setup.paths.length === 0 ? ['.'] : setup.paths).map((path) => resolve(path))))
  let changedAt: number | undefined = performance.now()
  try {
    while (changedAt !== undefined) {
      try {
        const found = await tests.find()
        watcher.watch(found.folders)
        report(await tests.run(found, changedAt, stopping.signal))
        lastError = ''
      } catch (error) {
        // An incomplete edit must not end the watch.
        if (!(error instanceof ProjectError)) throw error
        if (lastError !== error.message) printLine(`${error.message}\nSave a file to try again; Ctrl-C ends.`)
        lastError = error.message
      }
      text.again()
      changedAt = await watcher.changed(stopping.signal)
    }
  } finally {
    watcher.close()
    // Failures were reported, and an interrupt is the normal end.
    process.exitCode = 0
    // Vitest may set it while its processes end.
    if (stopping.signal.aborted)
      process.once('exit', () => {
        process.exitCode = 0
      })
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }

  function report({ outcome, transformations, testFiles }: AffectedRun): void {
    if (outcome === undefined) return
    printLine(text.end(outcome))
    const what = [
      transformations.all > 0 ? `${transformations.ran} of ${transformations.all} transformations` : '',
      testFiles.all > 0 ? `${testFiles.ran} of ${testFiles.all} test files` : '',
    ]
    printLine(`Now run: ${what.filter((each) => each !== '').join(', ')}. ${hint}`)
  }
}
