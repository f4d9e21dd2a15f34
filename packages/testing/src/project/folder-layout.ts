import { basename, join } from 'node:path'
import { camelCase } from '@sluice/core/camel-case'
import { type CodeNames, readFolderNames } from './folder-names.ts'
import { type Project, type ProjectCode, ProjectError, type ProjectTransformation } from './project.ts'
import { isFolder, namesIn, readProjectFile, shownPath } from './project-files.ts'
import { readCases, sampleCaseIn } from './read-cases.ts'

/**
 * Reads Sluice's own layout: `transformations/NAME.ts`, `libraries/NAME.ts` (or .js), cases in
 * `tests/NAME/input/*.json`, with the expected results in `tests/NAME/output/` under the same file name.
 * @throws ProjectError when cases belong to no transformation.
 */
export async function readFolderLayout(root: string): Promise<Project> {
  const names = await readFolderNames(root)
  const libraries = named(await readCodes(root, join(root, 'libraries')), names.libraries)
  const codes = named(await readCodes(root, join(root, 'transformations')), names.transformations)
  for (const name of await namesIn(join(root, 'tests'))) {
    const folder = join(root, 'tests', name)
    if (codes.some(({ file }) => fileBase(file) === name) || !(await isFolder(join(folder, 'input')))) continue
    throw new ProjectError(
      `${shownPath(root, folder)}: belongs to no transformation; there are ${codes.map(({ file }) => fileBase(file)).join(', ')}`,
    )
  }
  const transformations: ProjectTransformation[] = []
  for (const code of codes) transformations.push(await withCases(root, code, join(root, 'tests', fileBase(code.file))))
  return {
    root,
    layout: 'folders',
    libraries: libraries.map((library) => ({ importName: camelCase(library.name), ...library })),
    transformations,
    notRunnable: [],
  }
}

/** Adds the names from `sluice.json`. */
function named(codes: readonly ProjectCode[], names: Readonly<Record<string, CodeNames>>): readonly ProjectCode[] {
  return codes.map((code) => ({ ...code, ...names[fileBase(code.file)] }))
}

const fileBase = (file: string): string => basename(file).replace(/\.[jt]s$/, '')

/** Reads a folder with one file of code and `input` and `output` beside it. */
export async function readLoneFolder(root: string, file: string): Promise<Project> {
  const transformation = await withCases(root, await readCode(root, file), root)
  return { root, layout: 'folders', libraries: [], transformations: [transformation], notRunnable: [] }
}

/** Lists the code files of a folder, without tests and declarations. */
export async function codeFilesIn(folder: string): Promise<readonly string[]> {
  return (await namesIn(folder)).filter((name) => codeFile.test(name))
}

const codeFile = /^(?!.*\.(?:test|spec|d|config)\.[jt]s$).+\.[jt]s$/

async function readCodes(root: string, folder: string): Promise<readonly ProjectCode[]> {
  const codes: ProjectCode[] = []
  for (const name of await codeFilesIn(folder)) codes.push(await readCode(root, join(folder, name)))
  return codes
}

/** Reads one file of code, named after the file. */
export async function readCode(root: string, file: string): Promise<ProjectCode> {
  const code = await readProjectFile(root, file)
  if (code === undefined) throw new ProjectError(`${shownPath(root, file)}: not there`)
  return { name: fileBase(file), file, code, description: '', language: languageOf(file) }
}

/** Returns the language by file extension. */
export function languageOf(file: string): ProjectCode['language'] {
  return file.endsWith('.ts') ? 'typescript' : 'javascript'
}

async function withCases(root: string, code: ProjectCode, folder: string): Promise<ProjectTransformation> {
  const cases = await readCases(root, { input: join(folder, 'input'), output: join(folder, 'output') })
  return { ...code, cases: cases.length === 0 ? [sampleCaseIn(folder)] : cases }
}
