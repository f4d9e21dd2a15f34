import { readFile } from 'node:fs/promises'
import { type ChangeGroup, groupName } from '@sluice/testing'
import { CliError } from '../cli-error.ts'

/** Returns the names of groups that a file accepts: one a line, without empty lines and those that begin with #. */
export async function readAccepted(file: string | undefined): Promise<ReadonlySet<string>> {
  if (file === undefined) return new Set()
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`--accept: ${file} cannot be read (${error.code})`)
  })
  const lines = text.split('\n').map((line) => line.trim())
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))
}

/** Returns the groups that are not accepted. */
export function openGroups(groups: readonly ChangeGroup[], accepted: ReadonlySet<string>): readonly ChangeGroup[] {
  return groups.filter((group) => !accepted.has(groupName(group)))
}
