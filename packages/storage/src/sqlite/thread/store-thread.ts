import { parentPort, workerData } from 'node:worker_threads'
import { type Clock, createSeededRandom, InvariantError, systemRandom } from '@sluice/core'
import type { StoreRecovery } from '../recovery/store-recovery.ts'
import { openSqliteStores, type SqliteStores, type SqliteStoresParts } from '../sqlite-stores.ts'
import type { Call, MessageFromThread, MessageToThread, Reply, ThreadSetup } from './thread-messages.ts'
import { packError } from './wire-error.ts'

const port = parentPort
if (port === null) throw new InvariantError('this module must run in a worker thread')
const { settings, now: opened, seed } = workerData as ThreadSetup
let now = opened
const clock: Clock = {
  now: () => now,
  sleep: () => Promise.reject(new InvariantError('a store must not sleep')),
}
const random = seed === undefined ? systemRandom : createSeededRandom(seed)
const post = (message: MessageFromThread): void => port.postMessage(message)

let replies: Reply[] = []
function reply(answer: Reply): void {
  // Writes that share a commit are answered in one message, before the next transaction starts.
  if (replies.length === 0)
    process.nextTick(() => {
      post({ kind: 'replies', replies })
      replies = []
    })
  replies.push(answer)
}

async function answer(stores: SqliteStores, { id, port: name, method, args }: Call): Promise<void> {
  try {
    const methods = stores[name] as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>
    const value = await methods[method]?.(...args)
    reply({ id, ok: true, value })
  } catch (error) {
    reply({ id, ok: false, error: packError(error) })
  }
}

try {
  let recovery: StoreRecovery | undefined
  const onRecovery = (found: StoreRecovery): void => {
    recovery = found
  }
  const onChecked = (damage?: Error): void => post({ kind: 'checked', damage: damage ? packError(damage) : undefined })
  const onState: SqliteStoresParts['onState'] = (state, error) =>
    post({ kind: 'state', state, error: error ? packError(error) : undefined })
  const stores = await openSqliteStores(settings, { clock, random, onRecovery, onChecked, onState })
  port.on('message', (message: MessageToThread) => {
    now = message.now
    for (const call of message.calls) void answer(stores, call)
  })
  post({ kind: 'open', recovery })
} catch (error) {
  post({ kind: 'refused', error: packError(error) })
}
