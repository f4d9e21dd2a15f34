import { CliError } from '../../cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'

export interface CreateFlags extends ServerFlags {
  readonly user?: readonly string[]
  readonly email?: string
  readonly phone?: string
  readonly anonymousId?: string
  readonly delete?: true
}

/** Suppresses users, or suppresses and deletes them. The server finds a user whose id is not given. */
export async function createRegulation(flags: CreateFlags): Promise<void> {
  const { user: ids = [], email, phone, anonymousId } = flags
  const more = Object.fromEntries(
    Object.entries({ email, phone, anonymousId }).filter(([, value]) => value !== undefined),
  )
  if (ids.length === 0 && Object.keys(more).length === 0)
    throw new CliError('give the user: --user, --email, --phone or --anonymous-id')
  if (ids.length > 1 && Object.keys(more).length > 0)
    throw new CliError('an e-mail address, phone number or anonymousId is that of one user; give one --user with it')
  const regulationType = flags.delete ? 'suppress_with_delete' : 'suppress'
  const users = ids.length === 0 ? [more] : ids.map((userId) => ({ userId, ...more }))
  await askServer(flags, 'POST', '/v2/regulations', { regulationType, users })
  if (flags.json) return printLine(JSON.stringify({ regulationType, users: users.length }))
  printLine(flags.delete ? 'in force; deletion has begun' : 'in force')
}
