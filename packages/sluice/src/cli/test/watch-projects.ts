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
import { FolderWatcher } from '../folder-watcher.ts'
import { say } from '../say.ts'
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

/** What became of a transformation, and what it was then. */
interface Known {
  readonly print: string
  readonly reports: readonly CaseReport[]
}

const hint = 'Save a file to run what it concerns; Ctrl-C ends.'

/** Runs projects, and runs again the transformations that a change concerns, until it is interrupted. */
export async function watchProjects({ paths, filter, setup, vitest, text }: WatchSetup): Promise<void> {
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const watcher = new FolderWatcher()
  let known: ReadonlyMap<string, Known> = new Map()
  /** What was told last, but for the cases: editors save files of their own, of which there is nothing to tell. */
  let told = ''
  /** The test files that vitest watches by itself, and what ends that. */
  let tested: readonly string[] = []
  let watching: WatchedVitest | undefined
  // Until the projects can be read, what was given is all there is to watch.
  watcher.watch(new Set((paths.length === 0 ? ['.'] : paths).map((path) => resolve(path))))
  let changedAt: number | undefined = performance.now()
  try {
    while (changedAt !== undefined) {
      try {
        known = await runChanged(changedAt)
      } catch (error) {
        // Half an edit is no reason to leave.
        if (!(error instanceof ProjectError)) throw error
        if (told !== error.message) say(`${error.message}\nSave a file to try again; Ctrl-C ends.`)
        told = error.message
      }
      text.again()
      changedAt = await watcher.changed(stopping.signal)
    }
  } finally {
    watcher.close()
    await watching?.end()
    // What failed has been told, and mended or not; to be interrupted is how this ends.
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
    const toTell = JSON.stringify([[...now.keys()], libraries, notRun])
    const isNews = ran > 0 || toTell !== told
    told = toTell
    // Where vitest runs all there is, it tells all there is.
    const tellsNothing = vitestFiles.length > 0 && cases.length + libraries.length + notRun.length === 0
    if (isNews && !tellsNothing) {
      say(text.end({ cases, libraries, tests: [], notRun, timeMs: performance.now() - since }))
      say(`${ran} of ${now.size} run.${vitestFiles.length > 0 ? '' : ` ${hint}`}`)
    }
    await watchTests(vitestFiles)
    return now
  }

  /** Vitest knows by itself what changes, but for files that come and go. */
  async function watchTests(files: readonly string[]): Promise<void> {
    if (files.join('\n') === tested.join('\n')) return
    tested = files
    await watching?.end()
    watching = undefined
    if (files.length === 0) return
    watching = await watchVitest(files, vitest, stopping.signal, () => say(hint))
    for (const { file, reason } of watching.notRun) say(`not run  ${shownPath(process.cwd(), file)}: ${reason}`)
    if (watching.notRun.length === files.length) say(hint)
  }

  async function runOne(project: Project, transformation: ProjectTransformation): Promise<readonly CaseReport[]> {
    const reports: CaseReport[] = []
    for await (const report of runProject({ ...project, transformations: [transformation] }, setup)) {
      say(text.caseLine(report))
      reports.push(report)
      if (stopping.signal.aborted) break
    }
    return reports
  }
}

/** Every file a transformation depends on, as it is now. */
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
  { inputFile, outputFile, conditionFiles, requests }: ProjectTransformation['cases'][number],
  { destination }: CaseSetup,
): readonly string[] {
  const requestFiles =
    destination && requests ? [join(requests.folder, destination.definition.type.toLowerCase(), requests.fileName)] : []
  return [inputFile ?? [], outputFile ?? [], conditionFiles, requestFiles].flat()
}

/** The folders of all files, and those above them up to the root: there new ones appear. */
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
