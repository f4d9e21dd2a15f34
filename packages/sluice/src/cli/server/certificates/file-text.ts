import { writeFile } from 'node:fs/promises'
import { CliError } from '../../cli-error.ts'

/** Writes a record to a new file, readable by its owner only. @throws CliError when it exists: a filed record must not be overwritten. */
export async function fileText(path: string, text: string): Promise<void> {
  await writeFile(path, `${text}\n`, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${path} cannot be created (${error.code})`)
  })
}
