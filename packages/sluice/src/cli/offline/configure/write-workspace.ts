import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CliError } from '../../cli-error.ts'

/**
 * Writes a workspace file that only its owner can read.
 * @throws CliError when it exists and is not to be overwritten, or cannot be written.
 */
export async function writeWorkspace(file: string, text: string, force = false): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text, { mode: 0o600, flag: force ? 'w' : 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new CliError(`${file} exists already; choose another place, or overwrite with --force`)
    throw new CliError(`${file} cannot be written (${code ?? message}); choose another place with --out`)
  }
}
