import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { camelCase } from '@sluice/sandbox'
import { type CodeNames, readFolderNames } from './folder-names.ts'
import type { Project, ProjectCase, ProjectCode } from './project.ts'

/**
 * Reads the layout of our own: `transformations/NAME.ts`, `libraries/NAME.ts` (or .js), cases in
 * `tests/NAME/input/*.json` with what is expected in `tests/NAME/output/` under the same file name.
 */
export async function readFolderLayout(root: string): Promise<Project> {
  const names = await readFolderNames(root)
  const libraries = named(await readCodes(join(root, 'libraries')), names.libraries)
  const transformations = named(await readCodes(join(root, 'transformations')), names.transformations)
  return {
    root,
    layout: 'folders',
    libraries: libraries.map((library) => ({ importName: camelCase(library.name), ...library })),
    transformations: await Promise.all(
      transformations.map(async (transformation) => ({
        ...transformation,
        cases: await readCases(join(root, 'tests', fileBase(transformation.file))),
      })),
    ),
  }
}

/** Adds what the file name does not say. */
function named(codes: readonly ProjectCode[], names: Readonly<Record<string, CodeNames>>): readonly ProjectCode[] {
  return codes.map((code) => ({ ...code, ...names[fileBase(code.file)] }))
}

const fileBase = (file: string): string => basename(file).replace(/\.[jt]s$/, '')

const codeFile = /^(?!.*\.(?:test|spec|d)\.ts$).+\.[jt]s$/

async function readCodes(folder: string): Promise<readonly ProjectCode[]> {
  const names = (await namesIn(folder)).filter((name) => codeFile.test(name))
  return Promise.all(names.map((name) => readCode(join(folder, name))))
}

/** Reads one file of code, named after the file. */
export async function readCode(file: string): Promise<ProjectCode> {
  const language = file.endsWith('.ts') ? 'typescript' : 'javascript'
  return { name: fileBase(file), file, code: await readFile(file, 'utf8'), description: '', language }
}

/** The cases of a folder with `input` and, where something is expected, `output`. */
export async function readCases(folder: string): Promise<readonly ProjectCase[]> {
  const expected = new Set(await namesIn(join(folder, 'output')))
  const inputs = (await namesIn(join(folder, 'input'))).filter((name) => name.endsWith('.json'))
  return inputs.map((name) => ({
    name: name.replace(/\.json$/, ''),
    inputFile: join(folder, 'input', name),
    ...(expected.has(name) && { outputFile: join(folder, 'output', name) }),
  }))
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.sort()
}
