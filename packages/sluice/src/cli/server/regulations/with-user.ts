import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import { CliError } from '../../cli-error.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'

/** Flags that name a user, or say what the events of the user have. */
export interface UserFlags extends ServerFlags {
  readonly user?: string
  readonly email?: string
  readonly phone?: string
  readonly anonymousId?: string
}

interface FoundUsers {
  readonly data: readonly {
    readonly userId?: string
    readonly anonymousIds: readonly string[]
    readonly events: number
    readonly lastSeenAt: string
  }[]
  readonly notes: readonly string[]
}

/** Returns the flags with the user that they describe. @throws CliError when there is none, or more than one. */
export async function withUser<Flags extends UserFlags>(flags: Flags): Promise<Flags> {
  const search = Object.entries({ email: flags.email, phone: flags.phone, anonymousId: flags.anonymousId })
  const given = search.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
  if (given.length === 0) return flags
  if (flags.user !== undefined) throw new CliError('give either --user, or what the user is to be found by')
  const { data, notes } = await askServer<FoundUsers>(flags, 'GET', `/v2/users?${new URLSearchParams(given)}`)
  const [found] = data
  if (found === undefined) throw new CliError(['no user was found', ...notes].join('\n'))
  if (data.length > 1) {
    const rows = data.map(({ userId, anonymousIds: [first = ''], events, lastSeenAt }) => [
      printable(userId ?? first),
      userId === undefined ? 'anonymousId' : 'userId',
      String(events),
      lastSeenAt,
    ])
    const listed = table([['user', 'by', 'events', 'last seen'], ...rows], 4)
    throw new CliError(`${data.length} users were found; choose one with --user\n${listed}`)
  }
  return { ...flags, user: found.userId ?? found.anonymousIds[0] ?? '' }
}
