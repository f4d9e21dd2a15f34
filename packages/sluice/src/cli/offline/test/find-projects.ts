import { readFile } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import {
  findVitestFiles,
  loadProject,
  lookedFor,
  type Project,
  ProjectError,
  type ProjectLibrary,
  type ProjectTransformation,
  selectCasesByPaths,
  selectCasesByText,
} from '@sluice/testing'
import type { NotRun } from './not-run.ts'
import { namesFile } from './test-file-inputs.ts'

/** What to test. */
export interface Found {
  /** Contains only the selected transformations and cases. */
  readonly projects: readonly FoundProject[]
  /** Absolute paths of the files that run with vitest. */
  readonly vitestFiles: readonly string[]
}

interface FoundProject {
  readonly project: Project
  /** Whether the whole project was selected. */
  readonly isWhole: boolean
  /** The selected libraries. */
  readonly libraries: readonly ProjectLibrary[]
}

/**
 * Finds the projects of some paths, with the parts that the paths and the filter select.
 * @throws ProjectError when a path selects nothing, or a project has an error.
 */
export async function findProjects(paths: readonly string[], filter: string | undefined): Promise<Found> {
  const given = paths.length === 0 ? ['.'] : paths
  const byRoot = new Map<string, { readonly project: Project; readonly paths: string[] }>()
  const vitestFiles = await findVitestFiles(given)
  const testCode = await Promise.all(vitestFiles.map((file) => readFile(file, 'utf8')))
  for (const path of given) {
    const loaded = await loadProject(path)
    const project = loaded && withoutTested(loaded, testCode)
    if (project === undefined) {
      if (vitestFiles.some((file) => isAtOrBelow(file, path))) continue
      throw nothingFound(path)
    }
    const one = byRoot.get(project.root) ?? { project, paths: [] }
    byRoot.set(project.root, one)
    const isSomething =
      isAtOrBelow(project.root, path) ||
      selectCasesByPaths(project, [path]).transformations.length > 0 ||
      project.libraries.some(({ file }) => isAtOrBelow(file, path))
    if (isSomething) one.paths.push(path)
    else if (!vitestFiles.some((file) => isAtOrBelow(file, path))) throw nothingSelected(path, project)
  }
  const projects = [...byRoot.values()].map(({ project, paths: own }): FoundProject => {
    const selected = selectCasesByPaths(project, own)
    if (filter !== undefined) return { project: selectCasesByText(selected, filter), isWhole: false, libraries: [] }
    const isAsked = (file: string): boolean => own.some((path) => isAtOrBelow(file, path))
    const libraries = project.libraries.filter(({ file }) => isAsked(file))
    return { project: selected, isWhole: isAsked(project.root), libraries }
  })
  if (
    filter !== undefined &&
    vitestFiles.length === 0 &&
    projects.every(({ project }) => project.transformations.length === 0)
  )
    throw new ProjectError(`--filter ${filter}: no “transformation / case” contains it`)
  return { projects, vitestFiles }
}

/** Returns what cannot be run of the projects that were selected as a whole. */
export function notRunOf(projects: readonly FoundProject[]): readonly NotRun[] {
  return projects.flatMap(({ project, isWhole }) => (isWhole ? project.notRunnable : []))
}

/** Removes transformations without cases that a test file names: it knows what they need, for example recordings. */
function withoutTested(project: Project, testCode: readonly string[]): Project {
  const isNamed = (file: string): boolean => testCode.some((code) => namesFile(code, file))
  const isTested = ({ file, cases }: ProjectTransformation): boolean =>
    cases.every(({ inputFile }) => inputFile === undefined) && isNamed(file)
  return { ...project, transformations: project.transformations.filter((each) => !isTested(each)) }
}

function isAtOrBelow(file: string, path: string): boolean {
  const above = resolve(path)
  return file === above || file.startsWith(above.endsWith(sep) ? above : above + sep)
}

/** There is no project of transformations at a path or above it, and no test file. */
export class NothingToTestError extends ProjectError {}

function nothingFound(path: string): ProjectError {
  const lines = [...lookedFor, 'vitest files that import @sluice/testing'].map((each) => `  ${each}`)
  return new NothingToTestError(
    `${path}: found nothing to test there or above. Looked for:\n${lines.join('\n')}\n“sluice test --help” shows the layouts.`,
  )
}

function nothingSelected(path: string, { root, transformations, notRunnable }: Project): ProjectError {
  const left = notRunnable.find(({ file }) => isAtOrBelow(file, path))
  if (left) return new ProjectError(`${path}: ${left.reason}`)
  const names = transformations.map(({ name }) => name).join(', ')
  const where = relative(process.cwd(), root) || '.'
  return new ProjectError(`${path}: the project in ${where} has no case there; its transformations are ${names}`)
}
