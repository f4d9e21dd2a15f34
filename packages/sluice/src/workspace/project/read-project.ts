import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRudderResource, shown, WorkspaceFileError } from '@sluice/configuration/file'
import { parseText } from '../text/parse-text.ts'
import type { FileText } from '../text/place-finder.ts'

/** What has no counterpart, or works differently. */
export type Notes = readonly { readonly file: string; readonly path: string; readonly text: string }[]

interface ProjectFiles {
  /** The workspace file. */
  readonly own?: FileText
  /** Files of RudderStack's rudder-cli. */
  readonly resources: readonly FileText[]
}

const ownNames = ['workspace.yaml', 'workspace.yml', 'workspace.json']
/** Most YAML files of a folder. Larger than any project known; a home folder given by mistake has more. */
const filesMax = 5_000

/**
 * Reads the workspace file in a folder, and the YAML files of RudderStack's rudder-cli anywhere in it, except in hidden
 * folders and `node_modules`.
 * @throws WorkspaceFileError when there is neither, or one cannot be read.
 */
export async function readProject(folder: string): Promise<ProjectFiles> {
  const files = await yamlFiles(folder)
  const isOwn = (file: string): boolean => ownNames.includes(file)
  const resources: FileText[] = []
  for (const file of files.filter((each) => !isOwn(each))) {
    const source = await textOf(folder, file)
    // Others, such as those of a CI system, are not ours to check.
    if (/^[ \t]*["']?version["']?[ \t]*:[ \t]*["']?rudder\//m.test(source.text))
      if (isRudderResource(await parseText(source.text, join(folder, file)))) resources.push(source)
  }
  const own = ownNames.find((name) => files.includes(name))
  if (own === undefined && resources.length === 0)
    throw new WorkspaceFileError([
      {
        path: '',
        value: `the folder ${shown(folder)}`,
        allowed: `one with ${ownNames.join(', ')} or with YAML files of rudder-cli (version: rudder/v1)`,
      },
    ])
  return { own: own === undefined ? undefined : await textOf(folder, own), resources }
}

async function yamlFiles(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  const waiting = ['']
  for (const inside of waiting) {
    const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        throw new WorkspaceFileError([
          { path: '', value: shown(join(folder, inside)), allowed: `a folder that can be read (${error.code})` },
        ])
      },
    )
    for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name, 'en'))) {
      const name = inside === '' ? entry.name : `${inside}/${entry.name}`
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') waiting.push(name)
      if (entry.isFile() && (/\.ya?ml$/.test(name) || ownNames.includes(name))) found.push(name)
    }
    if (found.length > filesMax || waiting.length > filesMax)
      throw new WorkspaceFileError([
        { path: '', value: `the folder ${shown(folder)}`, allowed: `one with at most ${filesMax} files and folders` },
      ])
  }
  return found
}

async function textOf(folder: string, file: string): Promise<FileText> {
  const text = await readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WorkspaceFileError([
      { path: '', value: shown(join(folder, file)), allowed: `a file that can be read (${error.code})` },
    ])
  })
  return { file, text }
}
