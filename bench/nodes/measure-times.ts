import { setTimeout as sleep } from 'node:timers/promises'
import { type Process, type Processes, startProcesses } from './processes.ts'

/** Users of the load, spread over all lanes. */
const users = 200
const perCall = 20
/** Regulations that are timed, and events that find lanes without a process. */
const regulations = 100
const probes = 128
/** Longest wait for events to arrive. */
const arriveMs = 30_000

/** Milliseconds. */
export interface NodeTimes {
  readonly regulationWithoutLedgerP50: number
  readonly regulationIdleP50: number
  readonly regulationP50: number
  readonly regulationP99: number
  /** Events per second beside the timed regulations. */
  readonly load: number
  /** From the end of a process until events of all its users arrive again. */
  readonly takeOver: number
  readonly handOver: number
  /** Calls that were refused while processes came and went in order. */
  readonly refused: number
}

/** Times what a cluster of three processes does to regulations, and when a process dies or leaves. */
export async function measureTimes(eventsPerSecond: number): Promise<NodeTimes> {
  const withoutLedger = await idleTimes()
  const processes = await startProcesses(true)
  try {
    for (let n = 0; n < 3; n += 1) await processes.start()
    await settleLanes(processes)
    const idle = await timeRegulations(processes, 'idle')
    const load = startLoad(processes, eventsPerSecond)
    const busy = await timeRegulations(processes, 'busy')
    await load.end()
    const handOver = await timeUntilAllArrive(processes, 'SIGTERM')
    await processes.start()
    await settleLanes(processes)
    const takeOver = await timeUntilAllArrive(processes, 'SIGKILL')
    return {
      regulationWithoutLedgerP50: at(withoutLedger, 0.5),
      regulationIdleP50: at(idle, 0.5),
      regulationP50: at(busy, 0.5),
      regulationP99: at(busy, 0.99),
      load: load.eventsPerSecond(),
      takeOver: takeOver.ms,
      handOver: handOver.ms,
      refused: handOver.refused + load.refused(),
    }
  } finally {
    await processes.close()
  }
}

/** Times regulations of processes that keep no ledger and have nothing else to do. */
async function idleTimes(): Promise<readonly number[]> {
  const processes = await startProcesses(false)
  try {
    for (let n = 0; n < 3; n += 1) await processes.start()
    await settleLanes(processes)
    return await timeRegulations(processes, 'idle')
  } finally {
    await processes.close()
  }
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

/** @returns the times of some regulations, each given to the next process, in order. */
async function timeRegulations({ all, regulate }: Processes, name: string): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < regulations; n += 1) {
    const startedAt = performance.now()
    const status = await regulate(all[n % all.length] as Process, `${name}-${n}`)
    if (status >= 300) throw new Error(`a regulation was answered with ${status}`)
    times.push(performance.now() - startedAt)
    // Apart, so that none waits for the one before it.
    await sleep(20)
  }
  return times.sort((a, b) => a - b)
}

function startLoad({ all, ingest }: Processes, eventsPerSecond: number) {
  const everyMs = (1_000 * perCall) / eventsPerSecond
  const startedAt = performance.now()
  let sent = 0
  let refused = 0
  let isOver = false
  const underWay = new Set<Promise<void>>()
  const running = (async () => {
    while (!isOver) {
      const batch = Array.from({ length: perCall }, (_, n) => ({
        userId: `u${(sent + n) % users}`,
        id: `load-${sent + n}`,
      }))
      sent += perCall
      const call = ingest(all[(sent / perCall) % all.length] as Process, batch).then((status) => {
        if (status !== 200) refused += 1
      })
      underWay.add(call)
      void call.finally(() => underWay.delete(call))
      await sleep(Math.max(0, startedAt + (sent / perCall) * everyMs - performance.now()))
    }
    await Promise.all(underWay)
  })()
  let seconds = Number.NaN
  return {
    refused: () => refused,
    eventsPerSecond: () => sent / seconds,
    end: async () => {
      isOver = true
      await running
      seconds = (performance.now() - startedAt) / 1_000
    },
  }
}

/** Waits until events of all users arrive: each lane has a process then. */
async function settleLanes(processes: Processes): Promise<void> {
  await sleep(2_000)
  await probe(processes, `settle-${performance.now()}`)
}

/** Ends the first process. @returns how long the slowest of many users then waits. */
async function timeUntilAllArrive(processes: Processes, signal: 'SIGTERM' | 'SIGKILL') {
  const [first] = processes.all.splice(0, 1)
  const startedAt = performance.now()
  first?.child.kill(signal)
  const { lastAt, refused } = await probe(processes, `${signal}-${startedAt}`)
  return { ms: lastAt - startedAt, refused }
}

/** Sends an event of each of many users, and waits until all have arrived. */
async function probe({ all, ingest, arrivedAt }: Processes, name: string) {
  const ids = Array.from({ length: probes }, (_, n) => `${name}-${n}`)
  let refused = 0
  await Promise.all(
    ids.map(async (id, n) => {
      while ((await ingest(all[n % all.length] as Process, [{ userId: `probe-${n}`, id }])) !== 200) refused += 1
    }),
  )
  const deadline = performance.now() + arriveMs
  while (ids.some((id) => arrivedAt(id) === undefined)) {
    if (performance.now() > deadline)
      throw new Error(`events of some users have not arrived within ${arriveMs / 1_000} s`)
    await sleep(5)
  }
  return { lastAt: Math.max(...ids.map((id) => arrivedAt(id) ?? 0)), refused }
}
