import { randomUUID } from 'node:crypto'
import { chmod, copyFile, link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { LakeFiles } from './lake-files.ts'

/** Rows are data of people: no other user of the machine reads them. */
const ownerOnly = { mode: 0o600 }

/** The files of a data lake in a local folder. A crash leaves at most temporary files, whose names begin with a dot. */
export function createFolderFiles(root: string): LakeFiles {
  const pathOf = (path: string): string => join(root, ...path.split('/'))

  /** Prepares the content beside its place, so that it appears there in one step. */
  async function beside(path: string, write: (temporary: string) => Promise<unknown>): Promise<string> {
    const folder = dirname(pathOf(path))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const temporary = join(folder, `.${randomUUID()}`)
    await write(temporary)
    return temporary
  }

  return {
    place: root,
    read: (path) => readFile(pathOf(path), 'utf8').catch(unlessMissing),
    async write(path, text) {
      await rename(await beside(path, (temporary) => writeFile(temporary, text, ownerOnly)), pathOf(path))
    },
    async create(path, text) {
      const temporary = await beside(path, (file) => writeFile(file, text, ownerOnly))
      try {
        // Unlike a rename, a link never takes the place of a file.
        await link(temporary, pathOf(path))
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
        throw error
      } finally {
        await rm(temporary, { force: true })
      }
    },
    async put(path, localFile) {
      const copy = async (temporary: string): Promise<void> => {
        await copyFile(localFile, temporary)
        await chmod(temporary, ownerOnly.mode)
      }
      await rename(await beside(path, copy), pathOf(path))
      return false
    },
    async get(path, localFile) {
      const copied = await copyFile(pathOf(path), localFile).then(() => true, unlessMissing)
      return copied ?? false
    },
    async remove(path) {
      await rm(pathOf(path), { force: true })
      return false
    },
    async list(folder) {
      const entries = await readdir(pathOf(folder), { recursive: true, withFileTypes: true }).catch(unlessMissing)
      return (entries ?? []).flatMap((entry) =>
        entry.isFile() && !entry.name.startsWith('.')
          ? relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
          : [],
      )
    },
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
