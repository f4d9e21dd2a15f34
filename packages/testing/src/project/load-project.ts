import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { findActionMeta, readActionMetaLayout } from './action-meta-layout.ts'
import { codeFilesIn, readFolderLayout, readLoneFolder } from './folder-layout.ts'
import { type Project, ProjectError } from './project.ts'
import { filesBelow, filesIn, isFolder, shownPath } from './project-files.ts'
import { findRudderSpecs, readRudderCliLayout } from './rudder-cli-layout.ts'

/** The supported layouts, for error messages when no project is found. */
export const lookedFor = [
  'transformations/*.ts or *.js, with tests/NAME/input/*.json',
  'one file of code with input/*.json beside it',
  "YAML files of RudderStack's CLI (kind: transformation)",
  "meta.json of RudderStack's transformation action",
] as const

/**
 * Reads the project of a path: a folder with a project, or a file or folder inside one, which is searched upward to the
 * root of the repository. A list of the transformation action may have any name.
 *
 * @returns undefined when there is no project.
 * @throws ProjectError when the project has an error, or the path does not exist.
 */
export async function loadProject(path: string): Promise<Project | undefined> {
  const start = resolve(path)
  const stats = await stat(start).catch(() => undefined)
  if (stats === undefined) throw new ProjectError(`${path}: not there`)
  if (stats.isFile() && start.endsWith('.json')) {
    const meta = await findActionMeta(start)
    if (meta) return checked(await readActionMetaLayout(meta))
  }
  const folder = stats.isDirectory() ? start : dirname(start)
  const found = (await lookUpward(folder, readConventional)) ?? (await readScattered(folder))
  return found && checked(found)
}

/** Reads a folder whose layout is recognisable by its content. */
async function readConventional(folder: string): Promise<Project | undefined> {
  const meta = await findActionMeta(join(folder, 'meta.json'))
  if (meta) return readActionMetaLayout(meta)
  if (await isFolder(join(folder, 'transformations'))) {
    const specs = await findRudderSpecs(folder, await filesBelow(join(folder, 'transformations')))
    if (specs.length > 0) return readRudderCliLayout(folder, await findRudderSpecs(folder, await filesBelow(folder)))
    if ((await codeFilesIn(join(folder, 'transformations'))).length > 0) return readFolderLayout(folder)
  }
  const [code, ...more] = await codeFilesIn(folder)
  if (code === undefined || more.length > 0 || !(await isFolder(join(folder, 'input')))) return undefined
  const described = await findRudderSpecs(folder, await filesIn(folder))
  return described.length > 0 ? undefined : readLoneFolder(folder, join(folder, code))
}

/** RudderStack's CLI accepts YAML files anywhere below a folder. */
async function readScattered(folder: string): Promise<Project | undefined> {
  const specs = await findRudderSpecs(folder, await filesBelow(folder))
  return specs.length === 0 ? undefined : readRudderCliLayout(folder, specs)
}

async function lookUpward(
  start: string,
  read: (folder: string) => Promise<Project | undefined>,
): Promise<Project | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = await read(folder)
    if (found || dirname(folder) === folder || (await isFolder(join(folder, '.git')))) return found
  }
}

function checked(project: Project): Project {
  const { root, transformations, libraries, notRunnable } = project
  const twice = (kind: string, of: readonly { readonly key: string; readonly file: string }[]): void => {
    const seen = new Map<string, string>()
    for (const { key, file } of of) {
      const other = seen.get(key)
      if (other !== undefined)
        throw new ProjectError(
          `${shownPath(root, file)}: the ${kind} ${key} is there already, in ${shownPath(root, other)}; rename one`,
        )
      seen.set(key, file)
    }
  }
  twice(
    'transformation',
    transformations.map(({ name, file, specFile }) => ({ key: name, file: specFile ?? file })),
  )
  twice(
    'library',
    libraries.map(({ importName, file, specFile }) => ({ key: importName, file: specFile ?? file })),
  )
  for (const { name, cases } of transformations)
    twice(
      'case',
      cases.map((each) => ({ key: `${name} / ${each.name}`, file: each.inputFile ?? root })),
    )
  if (transformations.length === 0 && notRunnable.length === 0 && libraries.length === 0)
    throw new ProjectError(`${root}: holds no transformation`)
  return project
}
