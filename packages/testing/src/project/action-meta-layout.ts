import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '@sluice/core'
import { camelCase } from '@sluice/core/camel-case'
import { defined } from '@sluice/core/defined'
import { languageOf } from './folder-layout.ts'
import { type Project, type ProjectCase, type ProjectCode, ProjectError } from './project.ts'
import { isFile, readProjectFile, readProjectJson, shownPath } from './project-files.ts'
import { sampleCase, sampleCaseName } from './read-cases.ts'

/** The list of RudderStack's transformation action, and the folder to which its paths are relative. */
interface ActionMeta {
  readonly file: string
  readonly root: string
  readonly transformations: readonly JsonObject[]
  readonly libraries: readonly JsonObject[]
}

/** How many levels above the list the root of the repository is searched. */
const parentsMax = 5

/**
 * Reads a file as a list of the action; undefined when it is not one. Its paths are relative to the root of the
 * repository: the nearest folder upward from the list in which the first file exists.
 */
export async function findActionMeta(file: string): Promise<ActionMeta | undefined> {
  if (!(await isFile(file))) return undefined
  const value = await readProjectJson(dirname(file), file)
  if (!isJsonObject(value) || !isList(value['transformations'])) return undefined
  const transformations = value['transformations']
  const libraries = isList(value['libraries']) ? value['libraries'] : []
  const [first] = [...transformations, ...libraries]
  const path = typeof first?.['file'] === 'string' ? first['file'] : undefined
  if (path === undefined) return undefined
  let root = dirname(file)
  for (let up = 0; up < parentsMax; up += 1) {
    if (await isFile(resolve(root, path))) return { file, root, transformations, libraries }
    root = dirname(root)
  }
  throw new ProjectError(`${file}: ${path} is found neither beside it nor above; paths are relative to the repository`)
}

/**
 * Reads the layout of RudderStack's transformation action: `meta.json` with transformations of `file`, `name`,
 * `test-input-file` and `expected-output`, and libraries of `file` and `name`. Source: rudder-transformation-action
 * (README, main): without input the sample events are used; without an expected output no event may fail.
 */
export async function readActionMetaLayout(meta: ActionMeta): Promise<Project> {
  const { root, file } = meta
  const at = shownPath(root, file)
  const transformations: Project['transformations'][number][] = []
  const libraries: Project['libraries'][number][] = []
  const notRunnable: Project['notRunnable'][number][] = []
  const runnable = (entry: JsonObject): boolean => {
    const { language = 'javascript', name } = entry
    if (typeof language === 'string' && !/^python/i.test(language) && !String(entry['file']).endsWith('.py'))
      return true
    const reason = `it is ${JSON.stringify(language)}; Sluice runs JavaScript and TypeScript only`
    notRunnable.push({ name: String(name), file, reason })
    return false
  }
  for (const [index, entry] of meta.transformations.entries()) {
    if (!runnable(entry)) continue
    const place = `${at}: transformations[${index}]`
    const code = await readMetaCode(root, file, entry, place)
    transformations.push({ ...code, cases: [await readMetaCase(root, entry, code, place)] })
  }
  for (const [index, entry] of meta.libraries.entries()) {
    if (!runnable(entry)) continue
    const code = await readMetaCode(root, file, entry, `${at}: libraries[${index}]`)
    libraries.push({ ...code, importName: camelCase(code.name) })
  }
  return { root, layout: 'action-meta', transformations, libraries, notRunnable }
}

async function readMetaCode(root: string, specFile: string, entry: JsonObject, place: string): Promise<ProjectCode> {
  const { name, description } = entry
  if (typeof name !== 'string' || name === '') throw new ProjectError(`${place}.name is missing`)
  const file = pathOf(root, entry, 'file', place)
  if (file === undefined) throw new ProjectError(`${place}.file is missing`)
  const code = await readProjectFile(root, file)
  if (code === undefined) throw new ProjectError(`${place}.file is ${entry['file']}; there is no such file in ${root}`)
  const about = { name, description: typeof description === 'string' ? description : '' }
  return { ...about, file, specFile, code, language: languageOf(file) }
}

async function readMetaCase(
  root: string,
  entry: JsonObject,
  { name, file }: ProjectCode,
  place: string,
): Promise<ProjectCase> {
  const inputFile = pathOf(root, entry, 'test-input-file', place)
  const outputFile = pathOf(root, entry, 'expected-output', place)
  for (const [key, path] of [
    ['test-input-file', inputFile],
    ['expected-output', outputFile],
  ] as const)
    if (path !== undefined && !(await isFile(path)))
      throw new ProjectError(`${place}.${key} is ${entry[key]}; there is no such file in ${root}`)
  // Transformations may share their input, so requests are distinguished by the name of the transformation.
  const requests = { folder: dirname(inputFile ?? file), fileName: `${camelCase(name)}.json` }
  const fetch = { file: join(requests.folder, 'fetch', requests.fileName) }
  return defined({
    ...sampleCase,
    name: inputFile === undefined ? sampleCaseName : shownPath(root, inputFile),
    requests,
    fetch,
    inputFile,
    outputFile,
  })
}

function pathOf(root: string, entry: JsonObject, key: string, place: string): string | undefined {
  const path = entry[key]
  if (path === undefined || path === '') return undefined
  if (typeof path !== 'string') throw new ProjectError(`${place}.${key} must be a path`)
  const below = relative(root, join(root, path))
  if (isAbsolute(path) || below.startsWith('..'))
    throw new ProjectError(`${place}.${key} is ${path}; it must lie in the repository, ${root}`)
  return join(root, path)
}

function isList(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject)
}
