import { dirname, join, resolve } from 'node:path'
import {
  type CaseReport,
  type CaseSetup,
  checkLibraries,
  type LibraryReport,
  type Project,
  ProjectError,
  type ProjectTransformation,
  runProject,
  toSubject,
} from '@sluice/testing'
import { printLine } from '../../terminal/print-line.ts'
import { FolderWatcher } from '../folder-watcher.ts'
import { findProjects, notRunOf } from './find-projects.ts'
import { byRoot, runVitest, type VitestOutcome, type VitestSetup } from './run-vitest.ts'
import { stateOf, type TestFileInputs, testFileInputs } from './test-file-inputs.ts'
import type { TextReport } from './text-report.ts'

export interface WatchSetup {
  readonly paths: readonly string[]
  readonly filter?: string
  readonly setup: CaseSetup
  readonly vitest: VitestSetup
  readonly text: TextReport
}

/** Results of a transformation, and a fingerprint of its files at that time. */
interface Known {
  readonly print: string
  readonly reports: readonly CaseReport[]
}

/** Results of a test file, and a fingerprint of what it depended on at that time. */
interface KnownTests extends VitestOutcome {
  readonly print: string
}

const hint = 'Save a file to run the affected tests; Ctrl-C ends.'

/** Runs projects, and repeats the transformations affected by each change, until it is interrupted. */
export async function watchProjects({ paths, filter, setup, vitest, text }: WatchSetup): Promise<void> {
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const watcher = new FolderWatcher()
  let known: ReadonlyMap<string, Known> = new Map()
  /** Last report without the cases. It is not repeated when an editor saves unrelated files. */
  let lastReport = ''
  let knownTests: ReadonlyMap<string, KnownTests> = new Map()
  // Until the projects can be read, only the given paths can be watched.
  watcher.watch(new Set((paths.length === 0 ? ['.'] : paths).map((path) => resolve(path))))
  let changedAt: number | undefined = performance.now()
  try {
    while (changedAt !== undefined) {
      try {
        known = await runChanged(changedAt)
      } catch (error) {
        // An incomplete edit must not end the watch.
        if (!(error instanceof ProjectError)) throw error
        if (lastReport !== error.message) printLine(`${error.message}\nSave a file to try again; Ctrl-C ends.`)
        lastReport = error.message
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

  async function runChanged(since: number): Promise<ReadonlyMap<string, Known>> {
    const { projects, vitestFiles } = await findProjects(paths, filter)
    const folders = foldersOf(
      projects.map(({ project }) => project),
      setup,
    )
    const inputs = await inputsOf(vitestFiles)
    const inputFolders = [...inputs.values()].flatMap(({ files }) => files.map((file) => dirname(file)))
    watcher.watch(new Set([...folders, ...inputFolders]))
    const now = new Map<string, Known>()
    const libraries: LibraryReport[] = []
    let ran = 0
    for (const { project, libraries: asked } of projects) {
      for (const transformation of project.transformations) {
        const key = `${transformation.file} ${transformation.name}`
        const print = await fingerprint(project, transformation, setup)
        const before = known.get(key)
        if (before?.print !== print) ran += 1
        now.set(key, before?.print === print ? before : { print, reports: await runOne(project, transformation) })
      }
      libraries.push(...(await checkLibraries(project, setup.runner, asked)))
    }
    const ranTests = await runTests(inputs)
    if (stopping.signal.aborted) return now
    const cases = [...now.values()].flatMap(({ reports }) => reports)
    const tests = [...knownTests.values()].flatMap((each) => each.tests)
    const notRun = [...notRunOf(projects), ...[...knownTests.values()].flatMap((each) => each.notRun)]
    const report = JSON.stringify([[...now.keys()], libraries, notRun])
    const isNews = ran + ranTests > 0 || report !== lastReport
    lastReport = report
    if (isNews) {
      printLine(text.end({ cases, libraries, tests, notRun, timeMs: performance.now() - since }))
      const what = [`${ran} of ${now.size} transformations`, `${ranTests} of ${inputs.size} test files`]
      const shown = what.filter((_, index) => [now.size, inputs.size][index] !== 0)
      printLine(`Now run: ${shown.join(', ')}. ${hint}`)
    }
    return now
  }

  /** Runs the test files that depend on something that changed, and returns how many. */
  async function runTests(inputs: ReadonlyMap<string, TestFileInputs>): Promise<number> {
    const changed = [...inputs].filter(([file, { print }]) => knownTests.get(file)?.print !== print)
    const ran =
      changed.length === 0
        ? { tests: [], notRun: [] }
        : await runVitest(
            changed.map(([file]) => file),
            { ...vitest, signal: stopping.signal },
          )
    // Vitest sets it when a test fails.
    process.exitCode = 0
    const next = new Map<string, KnownTests>()
    for (const [file, { print }] of inputs) {
      const before = knownTests.get(file)
      // An error outside of tests has no file; it is counted once.
      const isOf = (each: { readonly file: string }): boolean =>
        each.file === file || (each.file === '' && file === changed[0]?.[0])
      const own = { print, tests: ran.tests.filter(isOf), notRun: ran.notRun.filter(isOf) }
      next.set(file, before?.print === print ? before : own)
    }
    knownTests = next
    return changed.length
  }

  async function runOne(project: Project, transformation: ProjectTransformation): Promise<readonly CaseReport[]> {
    const reports: CaseReport[] = []
    for await (const report of runProject({ ...project, transformations: [transformation] }, setup)) {
      printLine(text.caseLine(report))
      reports.push(report)
      if (stopping.signal.aborted) break
    }
    return reports
  }
}

async function inputsOf(files: readonly string[]): Promise<ReadonlyMap<string, TestFileInputs>> {
  const inputs = new Map<string, TestFileInputs>()
  for (const [root, own] of byRoot(files)) for (const file of own) inputs.set(file, await testFileInputs(file, root))
  return inputs
}

/** Returns a text that changes with any file a transformation depends on. */
async function fingerprint(project: Project, transformation: ProjectTransformation, setup: CaseSetup): Promise<string> {
  const files = transformation.cases.flatMap((each) => caseFiles(each, setup))
  const states = await Promise.all(files.map(stateOf))
  return JSON.stringify([toSubject(project, transformation), files, states])
}

function caseFiles(
  { inputFile, outputFile, conditionFiles, fetch, requests }: ProjectTransformation['cases'][number],
  { destination }: CaseSetup,
): readonly string[] {
  const requestFiles =
    destination && requests ? [join(requests.folder, destination.definition.type.toLowerCase(), requests.fileName)] : []
  return [
    inputFile ?? [],
    outputFile ?? [],
    conditionFiles,
    fetch?.file ?? [],
    fetch?.sharedFile ?? [],
    requestFiles,
  ].flat()
}

/** Returns the folders of all files, and those above them up to the root, where new files can appear. */
function foldersOf(projects: readonly Project[], setup: CaseSetup): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const { root, transformations, libraries } of projects) {
    const codes = [...transformations, ...libraries].flatMap(({ file, specFile = file }) => [file, specFile])
    const cases = transformations.flatMap((each) => each.cases).flatMap((each) => caseFiles(each, setup))
    const usual = ['transformations/x', 'libraries/x', 'tests/x'].map((path) => join(root, path))
    folders.add(root)
    for (const file of [...codes, ...cases, ...usual])
      for (let folder = dirname(file); folder.length > root.length; folder = dirname(folder)) folders.add(folder)
  }
  return folders
}
