import { onAbort, SharedBudget } from '@sluice/core'
import { withinTime } from '../transport/time/within-time.ts'
import type { ClosableTransport, NetworkFailure } from '../transport/transport.ts'
import { ClientProcess, type ClientProcessOptions } from './client-process.ts'

/** Characters of requests under way in the processes of one kind, shared by owners. */
const charactersMax = 64 * 1_024 * 1_024
/** How long a process without requests is kept: starting one, and connecting again, takes some time. */
const idleMs = 300_000
const lookEveryMs = 30_000
/** How long an owner has a process of its own after one ended while a request of it was under way. */
const suspicionMs = 600_000
/** Most processes of single owners at a time. */
const ownProcessesMax = 4
const sharedName = ''

/**
 * Creates a sink whose clients run in a process of their own, which is started when needed and ended when idle. When it
 * ends by itself, requests under way fail as after a lost connection, and are tried again.
 *
 * Owners (workspaces) share a process. After one ended, those with requests under way have one each for ten minutes, so
 * that what ends it ends no requests of others again.
 */
export function createClientProcesses(options: Omit<ClientProcessOptions, 'onLost'>): ClosableTransport {
  const processes = new Map<string, ClientProcess>()
  const suspects = new Map<string, number>()
  const budget = new SharedBudget(charactersMax)
  let looks: NodeJS.Timeout | undefined
  let isClosed = false

  function endIdle(): void {
    for (const [name, each] of processes)
      if (!each.isUsable || (each.busy === 0 && performance.now() - each.idleSince > idleMs)) {
        processes.delete(name)
        void each.close()
      }
    if (processes.size > 0) return
    clearInterval(looks)
    looks = undefined
  }

  function nameFor(owner: string): string {
    if ((suspects.get(owner) ?? 0) > performance.now()) return `owner ${owner}`
    suspects.delete(owner)
    return sharedName
  }

  function processFor(owner: string): ClientProcess | undefined {
    const name = nameFor(owner)
    const known = processes.get(name)
    if (known?.isUsable) return known
    processes.delete(name)
    if (isClosed || (name !== sharedName && !makeRoom())) return undefined
    const created = new ClientProcess({
      ...options,
      onLost: (owners) => {
        for (const each of owners) suspects.set(each, performance.now() + suspicionMs)
      },
    })
    processes.set(name, created)
    looks ??= setInterval(endIdle, lookEveryMs).unref()
    return created
  }

  /** Ends a process of a single owner that has no requests when there are too many. */
  function makeRoom(): boolean {
    const own = [...processes].filter(([name]) => name !== sharedName)
    if (own.length < ownProcessesMax) return true
    const idle = own.find(([, { busy }]) => busy === 0)
    if (idle === undefined) return false
    processes.delete(idle[0])
    void idle[1].close()
    return true
  }

  return {
    async send(request, { mayLeave, ...sendOptions }) {
      const { signal, owner = '', timeMs } = sendOptions
      signal.throwIfAborted()
      const share = budget.share(owner)
      const process = share.admits ? processFor(owner) : undefined
      if (process === undefined) return busy
      // Starting a process does not count against the time limit.
      await beforeAbort(process.started, signal)
      const text = JSON.stringify(request)
      share.take(text.length)
      try {
        return await withinTime(request, sendOptions, (stopped) =>
          process.exchange({ text, owner, timeMs, mayLeave }, stopped),
        )
      } finally {
        share.take(-text.length)
      }
    },
    async close() {
      isClosed = true
      clearInterval(looks)
      const open = [...processes.values()]
      processes.clear()
      await Promise.all(open.map((each) => each.close()))
    },
  }
}

const busy: NetworkFailure = {
  kind: 'network',
  code: 'ECLIENTSMAX',
  message: 'The processes of these clients are busy, or end again and again.',
}

/** Waits for a promise. Rejects when the signal aborts, with its reason. */
async function beforeAbort(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  let unwatch = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    unwatch = onAbort(signal, reject)
  })
  try {
    await Promise.race([promise, aborted])
  } finally {
    unwatch()
  }
}
