import { stat } from 'node:fs/promises'
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
  shownPath,
  toSubject,
} from '@sluice/testing'
import { printLine } from '../../terminal/print-line.ts'
import { FolderWatcher } from '../folder-watcher.ts'
import { findProjects, notRunOf } from './find-projects.ts'
import type { VitestSetup } from './run-vitest.ts'
import type { TextReport } from './text-report.ts'
import { type WatchedVitest, watchVitest } from './watch-vitest.ts'

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
  /** The test files that vitest watches by itself. */
  let tested: readonly string[] = []
  let watching: WatchedVitest | undefined
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
    await watching?.end()
    // Failures were reported, and an interrupt is the normal end.
    process.exitCode = 0
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }

  async function runChanged(since: number): Promise<ReadonlyMap<string, Known>> {
    const { projects, vitestFiles } = await findProjects(paths, filter)
    const folders = foldersOf(
      projects.map(({ project }) => project),
      setup,
    )
    watcher.watch(new Set([...folders, ...vitestFiles.map((file) => dirname(file))]))
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
    const cases = [...now.values()].flatMap(({ reports }) => reports)
    const notRun = notRunOf(projects)
    const report = JSON.stringify([[...now.keys()], libraries, notRun])
    const isNews = ran > 0 || report !== lastReport
    lastReport = report
    // When there are only test files, vitest reports everything.
    const isEmpty = vitestFiles.length > 0 && cases.length + libraries.length + notRun.length === 0
    if (isNews && !isEmpty) {
      printLine(text.end({ cases, libraries, tests: [], notRun, timeMs: performance.now() - since }))
      printLine(`${ran} of ${now.size} run.${vitestFiles.length > 0 ? '' : ` ${hint}`}`)
    }
    await watchTests(vitestFiles)
    return now
  }

  /** Starts vitest's own watch, again whenever test files are added or removed. */
  async function watchTests(files: readonly string[]): Promise<void> {
    if (files.join('\n') === tested.join('\n')) return
    tested = files
    await watching?.end()
    watching = undefined
    if (files.length === 0) return
    watching = await watchVitest(files, vitest, stopping.signal, () => printLine(hint))
    for (const { file, reason } of watching.notRun) printLine(`not run  ${shownPath(process.cwd(), file)}: ${reason}`)
    if (watching.notRun.length === files.length) printLine(hint)
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

/** Returns a text that changes with any file a transformation depends on. */
async function fingerprint(project: Project, transformation: ProjectTransformation, setup: CaseSetup): Promise<string> {
  const files = transformation.cases.flatMap((each) => caseFiles(each, setup))
  const states = await Promise.all(
    files.map(async (file) => {
      const stats = await stat(file).catch(() => undefined)
      return stats && `${stats.mtimeMs} ${stats.size} ${stats.ino}`
    }),
  )
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
