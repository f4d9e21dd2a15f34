import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  type CaseReport,
  type CaseSetup,
  type Project,
  ProjectError,
  type ProjectTransformation,
  runProject,
  toSubject,
} from '@sluice/testing'
import { say } from '../say.ts'
import { findProjects } from './find-projects.ts'
import { FolderWatcher } from './folder-watcher.ts'
import type { TextReport } from './text-report.ts'

export interface WatchSetup {
  readonly paths: readonly string[]
  readonly filter?: string
  readonly setup: CaseSetup
  readonly text: TextReport
}

/** Runs projects, and runs again the transformations that a change concerns, until it is interrupted. */
export async function watchProjects({ paths, filter, setup, text }: WatchSetup): Promise<void> {
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const watcher = new FolderWatcher()
  /** By transformation: what it was when it was run last, and what became of it. */
  let last = new Map<string, { readonly print: string; readonly reports: readonly CaseReport[] }>()
  let folders: ReadonlySet<string> = new Set((paths.length === 0 ? ['.'] : paths).map((path) => resolve(path)))
  let changedAt: number | undefined = performance.now()
  try {
    while (changedAt !== undefined) {
      try {
        const { projects } = await findProjects(paths, filter)
        folders = foldersOf(
          projects.map(({ project }) => project),
          setup,
        )
        watcher.watch(folders)
        const now: typeof last = new Map()
        let ran = 0
        for (const { project } of projects)
          for (const transformation of project.transformations) {
            const key = `${transformation.file} ${transformation.name}`
            const print = await fingerprint(project, transformation, setup)
            const before = last.get(key)
            if (before?.print === print) {
              now.set(key, before)
              continue
            }
            ran += 1
            const reports: CaseReport[] = []
            for await (const report of runProject({ ...project, transformations: [transformation] }, setup)) {
              say(text.caseLine(report))
              reports.push(report)
            }
            now.set(key, { print, reports })
          }
        last = now
        const timeMs = performance.now() - changedAt
        const cases = [...now.values()].flatMap(({ reports }) => reports)
        if (ran > 0) say(text.end({ cases, libraries: [], notRun: [], timeMs }))
        if (ran > 0) say(`${ran} of ${now.size} run. Save a file to run what it concerns; Ctrl-C ends.`)
      } catch (error) {
        // Half an edit is no reason to leave.
        if (!(error instanceof ProjectError)) throw error
        say(`${error.message}\nSave a file to try again; Ctrl-C ends.`)
        watcher.watch(folders)
      }
      text.again()
      changedAt = await watcher.changed(stopping.signal)
    }
  } finally {
    watcher.close()
    process.off('SIGINT', stop).off('SIGTERM', stop)
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
