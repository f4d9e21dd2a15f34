import { basename, dirname, resolve, sep } from 'node:path'
import { camelCase } from '@sluice/core/camel-case'
import { importedLibraries } from '@sluice/transformations'
import type { Project, ProjectCase, ProjectTransformation } from './project.ts'

/**
 * Restricts a project to the given paths: a file of code selects its cases, a library those of everything that imports
 * it, a file or folder of cases these. A folder above all of it selects the whole project.
 */
export function selectCasesByPaths(project: Project, paths: readonly string[]): Project {
  const wanted = paths.map((path) => resolve(path))
  const isWanted = (file: string | undefined): boolean =>
    file !== undefined &&
    wanted.some((path) => file === path || file.startsWith(path.endsWith(sep) ? path : path + sep))
  const libraries = project.libraries.filter(({ file, specFile }) => isWanted(file) || isWanted(specFile))
  const isWhole = ({ file, specFile, code }: ProjectTransformation): boolean =>
    isWanted(file) ||
    isWanted(specFile) ||
    importedLibraries(code, librariesOf(project)).some(({ file: library }) =>
      libraries.some((each) => each.file === library),
    )
  const isRequests = ({ requests }: ProjectCase): boolean =>
    wanted.some((path) =>
      basename(path).includes('.')
        ? dirname(dirname(path)) === requests?.folder && basename(path) === requests.fileName
        : dirname(path) === requests?.folder,
    )
  return withCases(
    project,
    (transformation, each) => isWhole(transformation) || filesOf(each).some(isWanted) || isRequests(each),
  )
}

/** Restricts a project to the cases whose `transformation / case` contains a text, ignoring case. */
export function selectCasesByText(project: Project, text: string): Project {
  const part = text.toLowerCase()
  return withCases(project, ({ name }, each) => `${name} / ${each.name}`.toLowerCase().includes(part))
}

/** Returns the libraries of a project as in production: by import name. */
export function librariesOf({ libraries }: Project): readonly { name: string; code: string; file: string }[] {
  return libraries.map(({ name, importName, code, file }) => ({ name: toStoredName(name, importName), code, file }))
}

/**
 * The sandbox finds a library by its name and its camel case, so the name is kept if its camel case is the import name.
 */
function toStoredName(name: string, importName: string): string {
  return camelCase(name) === importName ? name : importName
}

/** Returns the files of a case, existing or not, except those of requests. */
function filesOf({ inputFile, outputFile, conditionFiles, fetch }: ProjectCase): readonly (string | undefined)[] {
  return [inputFile, outputFile, ...conditionFiles, fetch?.file, fetch?.sharedFile]
}

function withCases(
  project: Project,
  isSelected: (transformation: ProjectTransformation, each: ProjectCase) => boolean,
): Project {
  return {
    ...project,
    transformations: project.transformations
      .map((transformation) => ({
        ...transformation,
        cases: transformation.cases.filter((each) => isSelected(transformation, each)),
      }))
      .filter(({ cases }) => cases.length > 0),
  }
}
