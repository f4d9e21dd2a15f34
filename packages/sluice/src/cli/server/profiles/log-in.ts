import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { printable } from '@sluice/core/printable'
import { CliError } from '../../cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer } from '../ask-server.ts'
import { profilesFile, readProfiles, writeProfiles } from './profiles-file.ts'

export interface LoginFlags {
  readonly url: string
  readonly token?: string
  readonly profile: string
  readonly json?: true
}

export type LogoutFlags = Pick<LoginFlags, 'profile' | 'json'>

interface WorkspaceAnswer {
  readonly workspace: { readonly id: string; readonly name: string }
}

/** Runs `sluice login`: stores nothing that the server does not accept. */
export async function logIn({ url, token: given, profile, json }: LoginFlags): Promise<void> {
  const token = (given ?? (await askForToken(url))).trim()
  if (token === '') throw new CliError('no token was given')
  const { workspace } = await askServer<WorkspaceAnswer>({ url, token }, 'GET', '/v2/workspace')
  await writeProfiles(new Map([...(await readProfiles()), [profile, { url, token }]]))
  const { id, name } = workspace
  if (json) return printLine(JSON.stringify({ profile, url, workspace: { id, name }, file: profilesFile() }))
  printLine(`profile ${printable(profile)}: workspace ${printable(name)} (${printable(id)}) at ${url}`)
}

/** Runs `sluice logout`. */
export async function logOut({ profile, json }: LogoutFlags): Promise<void> {
  const profiles = await readProfiles()
  if (!profiles.has(profile)) throw new CliError(`${profilesFile()} has no profile ${profile}`)
  await writeProfiles(new Map([...profiles].filter(([name]) => name !== profile)))
  printLine(json ? JSON.stringify({ forgotten: profile }) : `profile ${printable(profile)} is forgotten`)
}

/** Reads the token without showing it. */
async function askForToken(url: string): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin)
  process.stderr.write(`Access token for ${url}: `)
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: hidden, terminal: true })
  try {
    return await new Promise((resolve) => {
      // Ctrl-D and Ctrl-C give none.
      terminal.once('close', () => resolve(''))
      terminal.question('', resolve)
    })
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
