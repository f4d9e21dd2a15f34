import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isJsonObject } from '@sluice/core'
import { CliError } from '../../cli-error.ts'

/** How to reach a server. */
export interface Profile {
  readonly url: string
  readonly token: string
}

/** Profiles by name, in the order in which they were made. */
type Profiles = ReadonlyMap<string, Profile>

/** Name of the profile that is used without `--profile`. */
export const defaultProfile = 'default'

/** Returns the path of the user's profiles: in `XDG_CONFIG_HOME` or `~/.config`, on Windows in `APPDATA`. */
export function profilesFile(env: NodeJS.ProcessEnv = process.env): string {
  const windows = process.platform === 'win32' ? env['APPDATA'] : undefined
  return join(env['XDG_CONFIG_HOME'] || windows || join(homedir(), '.config'), 'sluice', 'profiles.json')
}

/**
 * Reads the profiles of the user; none when there is no file.
 * @throws CliError when the file is not readable, or not what `sluice login` writes.
 */
export async function readProfiles(file = profilesFile()): Promise<Profiles> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw new CliError(`${file} cannot be read (${error.code ?? error.message})`)
  })
  const damaged = new CliError(`${file} is not what sluice login writes; delete it and log in again`)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw damaged
  }
  if (!isJsonObject(parsed)) throw damaged
  return new Map(
    Object.entries(parsed).map(([name, profile]) => {
      const { url, token } = isJsonObject(profile) ? profile : {}
      if (typeof url !== 'string' || typeof token !== 'string') throw damaged
      return [name, { url, token }]
    }),
  )
}

/** Replaces the profiles of the user, in a file that only its owner may read. */
export async function writeProfiles(profiles: Profiles, file = profilesFile()): Promise<void> {
  const text = `${JSON.stringify(Object.fromEntries(profiles), null, 2)}\n`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    // Written aside first: a crash leaves the old file.
    const draft = `${file}.${process.pid}`
    await writeFile(draft, text, { mode: 0o600 })
    // The mode of an existing draft stays.
    await chmod(draft, 0o600)
    await rename(draft, file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new CliError(`${file} cannot be written (${code ?? message})`)
  }
}
