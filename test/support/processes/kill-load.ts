import { createSeededRandom } from '@sluice/core'
import { createSender } from '../http/sender.ts'

/** In the content of every event that must leave no trace. */
export const canary = 'canary-in-content'
/** In the content of all others. */
export const visible = 'visible-in-content'

export const connections = 4
const usersPerConnection = 3
/** Users who are suppressed from the start, one per connection. */
export const hiddenUsers = Array.from({ length: connections }, (_, n) => `hidden${n}`)
/** A user who is regulated in the middle; also the name of all events of this user. */
export const lateUser = 'late'
/** A user whose events one destination does not accept for long. */
export const waitingUser = `u${connections * usersPerConnection - 1}`

export const userOf = (messageId: string): string => messageId.split('-')[0] ?? ''
export const placeOf = (messageId: string): number => Number(messageId.split('-')[1])

export type Dice = (sides: number) => number

export function createDice(seed: number): Dice {
  const random = createSeededRandom(seed)
  return (sides) => (random.fill(new Uint8Array(4)).reduce((number, byte) => number * 256 + byte, 0) >>> 0) % sides
}

/** Clients that send the events of users in order over HTTP while the server stops and restarts. */
export interface KillLoad {
  /** Message ids of batches whose 200 was read. */
  readonly acknowledged: readonly string[]
  /** Message ids that a destination refuses for ever. */
  readonly marked: ReadonlySet<string>
  /** Users whose batches are repeated when there was no response; batches of the others are given up. */
  readonly resentUsers: ReadonlySet<string>
  /** Responses other than 200. */
  readonly refusals: readonly number[]
  /** From now on events of the late user contain the canary. */
  lateIsRegulated(): void
  /** The server has started. */
  resume(port: number): void
  /** The server is about to be killed. */
  pause(): void
  end(): Promise<void>
}

export function startKillLoad(dice: Dice): KillLoad {
  const acknowledged: string[] = []
  const marked = new Set<string>()
  const resentUsers = new Set<string>()
  const refusals: number[] = []
  const counts = new Map<string, number>()
  const waiters = new Set<() => void>()
  let port = 0
  let isOver = false
  let isLateRegulated = false

  function newEvent(userId: string) {
    const place = (counts.get(userId) ?? 0) + 1
    counts.set(userId, place)
    const messageId = `${userId}-${place}`
    const isHidden = hiddenUsers.includes(userId) || (userId === lateUser && isLateRegulated)
    if (/^u/.test(userId) && dice(25) === 0) marked.add(messageId)
    const shape = Object.fromEntries(Array.from({ length: dice(4) }, () => [`k${dice(5)}`, [1, 'x', true][dice(3)]]))
    const properties = { ...shape, content: isHidden ? canary : visible }
    const event = userId === lateUser ? lateUser : `E${dice(5)}`
    return { type: event !== lateUser && dice(6) === 0 ? 'page' : 'track', event, userId, messageId, properties }
  }

  async function run(connection: number): Promise<void> {
    const mine = Array.from({ length: usersPerConnection }, (_, n) => `u${connection * usersPerConnection + n}`)
    const users = [...mine, ...hiddenUsers.slice(connection, connection + 1), ...(connection === 0 ? [lateUser] : [])]
    const isResent = connection < connections / 2
    if (isResent) for (const user of users) resentUsers.add(user)
    const sender = createSender('k')
    let batch: ReturnType<typeof newEvent>[] = []
    while (!isOver) {
      if (port === 0) await new Promise<void>((resolve) => waiters.add(resolve))
      else {
        if (batch.length === 0)
          batch = Array.from({ length: 1 + dice(10) }, () => newEvent(users[dice(users.length)] ?? ''))
        const status = await sender.post(port, batch)
        if (status === 200) acknowledged.push(...batch.map(({ messageId }) => messageId))
        else if (status !== undefined) refusals.push(status)
        if (status !== undefined || !isResent) batch = []
        await new Promise((resolve) => setTimeout(resolve, 5 + dice(10)))
      }
    }
    sender.close()
  }

  function wake(): void {
    for (const waiter of waiters) waiter()
    waiters.clear()
  }

  const running = Array.from({ length: connections }, (_, connection) => run(connection))
  return {
    acknowledged,
    marked,
    resentUsers,
    refusals,
    lateIsRegulated: () => {
      isLateRegulated = true
    },
    resume: (to) => {
      port = to
      wake()
    },
    pause: () => {
      port = 0
    },
    end: async () => {
      isOver = true
      wake()
      await Promise.all(running)
    },
  }
}
