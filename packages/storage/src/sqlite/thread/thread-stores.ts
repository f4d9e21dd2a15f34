import { Worker } from 'node:worker_threads'
import { type BudgetShare, InvariantError, SharedBudget, StoreFullError, systemRandom } from '@sluice/core'
import { requireThreadFile } from '@sluice/core/thread-file'
import type { LogRow } from '../../sql/log/log-rows.ts'
import { StoreClosedError, StoreDamagedError, type StoreUnusableError } from '../../store-errors.ts'
import type { SqliteStores, SqliteStoresParts, SqliteStoresSettings } from '../sqlite-stores.ts'
import {
  type Call,
  type MessageFromThread,
  type MessageToThread,
  methods,
  type ThreadSetup,
} from './thread-messages.ts'
import { unpackError } from './wire-error.ts'

/**
 * Limits on what waits for the thread: calls, and events of batches in characters of their JSON texts. Batches are
 * refused by workspace: see `SharedBudget`.
 */
const callsMax = 2_048
/** Batches are refused earlier, so that accepted ones can be read, delivered and committed meanwhile. */
const batchCallsMax = 768
const eventCharactersMax = 64 * 1_024 * 1_024

interface Waiting {
  /** Amounts the call takes from the budgets for batches. */
  readonly taken: readonly (readonly [BudgetShare, number])[]
  resolve(value: unknown): void
  reject(error: unknown): void
}

/**
 * Memory for new objects of the thread. V8 takes 32 MiB when it may, which costs as much CPU for each event: rows and messages
 * are garbage as soon as they are stored.
 */
const maxYoungGenerationSizeMb = 4

/** Opens the file in its own thread, so that a slow disk or a large merge does not block this one. */
export async function openThreadStores(
  settings: SqliteStoresSettings,
  { clock, random, onRecovery, onChecked, onState, onLost }: SqliteStoresParts,
): Promise<SqliteStores> {
  const setup: ThreadSetup = {
    settings,
    now: clock.now(),
    seed: random === systemRandom ? undefined : new DataView(random.fill(new Uint8Array(4)).buffer).getUint32(0),
  }
  requireThreadFile(entry, 'of the store')
  const worker = new Worker(entry, { workerData: setup, execArgv: [], resourceLimits: { maxYoungGenerationSizeMb } })
  const waiting = new Map<number, Waiting>()
  const batches = new SharedBudget(batchCallsMax)
  const texts = new SharedBudget(eventCharactersMax)
  let lastId = 0
  let calls: Call[] = []
  let over: Error | undefined
  let isClosing = false

  const settle = (id: number): Waiting | undefined => {
    const found = waiting.get(id)
    waiting.delete(id)
    for (const [share, amount] of found?.taken ?? []) share.take(-amount)
    // An idle store must not keep the process alive.
    if (waiting.size === 0) worker.unref()
    return found
  }
  const end = (error: Error): void => {
    over ??= error
    for (const id of [...waiting.keys()]) settle(id)?.reject(over)
  }
  const send = (batch: readonly Call[]): void => {
    const message: MessageToThread = { now: clock.now(), calls: batch }
    try {
      worker.postMessage(message)
    } catch (error) {
      // Sent one by one, so that only the call that cannot be cloned is refused.
      const [only, ...others] = batch
      if (others.length > 0) for (const each of batch) send([each])
      else if (only) settle(only.id)?.reject(error)
    }
  }
  const sendAll = (): void => {
    const batch = calls
    calls = []
    send(batch)
  }
  const call = (port: keyof SqliteStores, method: string, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (over !== undefined) return reject(over)
      const taken = port === 'log' ? takenBy(method, args) : []
      const isOfDisk = port === 'disk'
      if (!isOfDisk && (waiting.size >= callsMax || taken.some(([share]) => !share.admits)))
        return reject(new StoreFullError(`${waiting.size} calls are waiting for the disk; try again later`))
      lastId += 1
      waiting.set(lastId, { taken, resolve, reject })
      for (const [share, amount] of taken) share.take(amount)
      if (waiting.size === 1) worker.ref()
      // Sent together with the other calls of this turn.
      if (calls.length === 0) setImmediate(sendAll)
      calls.push({ id: lastId, port, method, args })
    })

  /** `requireRoom` is refused like a batch: it is the only call made for suppressed events. */
  const takenBy = (method: string, [first]: readonly unknown[]): readonly (readonly [BudgetShare, number])[] => {
    if (method === 'requireRoom') return [[batches.share(String(first)), 1]]
    if (method !== 'append' && method !== 'appendNew') return []
    const { workspace_id, events_json } = first as LogRow
    return [
      [batches.share(workspace_id), 1],
      [texts.share(workspace_id), events_json.length],
    ]
  }

  await new Promise<void>((resolve, reject) => {
    worker.on('message', (message: MessageFromThread) => {
      if (message.kind === 'open') {
        if (message.recovery) onRecovery(message.recovery)
        resolve()
      } else if (message.kind === 'refused') reject(unpackError(message.error))
      else if (message.kind === 'state')
        onState(message.state, message.error && (unpackError(message.error) as StoreDamagedError | StoreUnusableError))
      else if (message.kind === 'checked') onChecked(message.damage && new StoreDamagedError(message.damage.message))
      else
        for (const reply of message.replies)
          if (reply.ok) settle(reply.id)?.resolve(reply.value)
          else settle(reply.id)?.reject(unpackError(reply.error))
    })
    worker.on('error', (error) => {
      reject(error)
      end(new InvariantError(`the thread of the store ended: ${error.message}`, { cause: error }))
    })
    worker.on('exit', () => {
      const error = new StoreClosedError()
      reject(error)
      if (!isClosing) onLost?.(over ?? error)
      end(error)
    })
  }).catch(async (error) => {
    isClosing = true
    await worker.terminate()
    throw error
  })
  worker.unref()

  const stores = Object.fromEntries(
    Object.entries(methods).map(([port, names]) => [
      port,
      Object.fromEntries(
        Object.keys(names).map((method) => [
          method,
          (...args: readonly unknown[]) => call(port as keyof SqliteStores, method, args),
        ]),
      ),
    ]),
  ) as unknown as SqliteStores
  const close = async (): Promise<void> => {
    isClosing = true
    try {
      if (over === undefined) await call('disk', 'close', [])
    } finally {
      over ??= new StoreClosedError()
      await worker.terminate()
    }
  }
  return { ...stores, disk: { ...stores.disk, close } }
}

/** The compiled entry, also when the sources run: a thread of Node 20 cannot load TypeScript. */
const entry = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/sqlite/thread/store-thread.js' : './store-thread.js',
  import.meta.url,
)
