import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '@sluice/core'
import { cpuOf } from './cpu.ts'
import { fillLog, waitingIn } from './fill-log.ts'
import {
  answering,
  dataFolderOf,
  end,
  freePort,
  type Peer,
  peakOf,
  type ServedSetup,
  startLeast,
  startSluice,
  unreachable,
} from './peers.ts'
import { median, medians, startWayLoad, type WayLoad, type WayRound, wayRestMs } from './way-load.ts'

export interface RealWaySetup {
  readonly events: readonly Event[]
  /** Events in each call. */
  readonly callEvents: number
  /** Events in each round. */
  readonly roundEvents: number
  readonly rounds: number
  /** Events each second of further rounds, which ask what an event costs when there is little to do. */
  readonly pacedPerSecond?: number
  /** Webhooks that get each event; default 1. The least program always has one. */
  readonly destinations?: number
  /** Workspaces that take turns with their calls; default 1. */
  readonly workspaces?: number
  /**
   * Simulated events in the log, which wait for a further webhook that cannot be reached; with 0 there is only the webhook.
   * SQLite only.
   */
  readonly waitingEvents?: number
  /** PostgreSQL in place of SQLite. */
  readonly store?: string | undefined
}

/** Medians over the rounds. The CPU is that of the process, without a database server. */
export interface WayCost extends WayRound {
  /** The most memory that the process had, in MiB. */
  readonly peakMb: number
}

export interface RealWay {
  readonly sluice: WayCost
  readonly least: WayCost
  /** CPU per event of `sluice serve` ÷ that of the least program, of the same round; the median. */
  readonly ratio: number
  /** The same of the rounds before which 60,000 events had passed: V8 compiles little then. Absent without such rounds. */
  readonly warm?: { readonly sluiceMicroseconds: number; readonly ratio: number }
  /** CPU per event of paced rounds ÷ that of the round before, when everything is sent at once; the median. */
  readonly paced?: { readonly sluice: number; readonly least: number }
}

/** Share of the simulated events that are still in the log at the end: the first ones wait for another attempt. */
const stillWaitingMin = 0.9
/** Events after which V8 has compiled most of what is used. */
const warmEvents = 60_000
/** Events of each workspace before the first round: of new shapes and names, most are kept as samples. */
const eventsToLearn = 400
/** How long each paced round sends. */
const pacedSeconds = 8

/**
 * Measures what an event costs over real HTTP in and out: calls to `sluice serve`, durable before the answer, and one
 * request for each event to a receiver on this machine. The least program that does that is measured in turn.
 */
export async function measureRealWay({
  events,
  callEvents,
  roundEvents,
  rounds,
  pacedPerSecond,
  destinations = 1,
  workspaces = 1,
  waitingEvents,
  store,
}: RealWaySetup): Promise<RealWay> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const load = await startWayLoad({ events, callEvents, workspaces })
  const started: ChildProcess[] = []
  try {
    const served: ServedSetup = {
      folder: join(folder, 'sluice'),
      port: await freePort(),
      webhookUrl: load.receiver,
      destinations,
      workspaces,
      store,
      isOneUnreachable: waitingEvents !== undefined,
    }
    if (waitingEvents) await serveWithWaiting(served, load, waitingEvents)
    const sluice = startSluice(served)
    started.push(sluice.child)
    const least = startLeast({ folder, port: await freePort(), receiver: load.receiver })
    started.push(least.child)
    const round = (peer: Peer, count: number, perSecond?: number): Promise<WayRound> =>
      load.round({
        port: peer.port,
        cpu: () => cpuOf(peer.child),
        deliveries: peer === sluice ? destinations : 1,
        count,
        perSecond,
      })
    for (const peer of [sluice, least]) {
      await answering(() => load.post(peer.port), peer.child)
      await sleep(wayRestMs)
      await round(peer, Math.max(Math.min(roundEvents, 4_000), workspaces * eventsToLearn))
    }
    const rows: Pair[] = []
    const roundsOf = async (peer: Peer): Promise<Rounds> => {
      // The same number of deliveries: what a round costs beside them weighs the same.
      const all = await round(peer, peer === sluice ? roundEvents : roundEvents * destinations)
      if (pacedPerSecond === undefined) return { all, pacedRatio: Number.NaN }
      const paced = await round(peer, pacedPerSecond * pacedSeconds, pacedPerSecond)
      return { all, pacedRatio: paced.cpuMicroseconds / all.cpuMicroseconds }
    }
    for (let n = 0; n < rounds; n += 1) {
      // In turn, so that neither always has the warmer machine.
      const first = await roundsOf(n % 2 === 0 ? sluice : least)
      const second = await roundsOf(n % 2 === 0 ? least : sluice)
      rows.push(n % 2 === 0 ? { sluice: first, least: second } : { sluice: second, least: first })
    }
    const pacedOf = (which: 'sluice' | 'least'): number => median(rows.map((row) => row[which].pacedRatio))
    const warm = rows.slice(Math.ceil(warmEvents / roundEvents))
    const way: RealWay = {
      sluice: { ...medians(rows.map((row) => row.sluice.all)), peakMb: peakOf(sluice.child) },
      least: { ...medians(rows.map((row) => row.least.all)), peakMb: peakOf(least.child) },
      ratio: ratioOf(rows),
      warm: warm.length === 0 ? undefined : { sluiceMicroseconds: microsecondsOf(warm), ratio: ratioOf(warm) },
      paced: pacedPerSecond === undefined ? undefined : { sluice: pacedOf('sluice'), least: pacedOf('least') },
    }
    if (waitingEvents) {
      await end(sluice.child)
      const waiting = waitingIn({ folder: dataFolderOf(served), ...unreachable })
      assert.ok(waiting > waitingEvents * stillWaitingMin, `only ${waiting} events still wait`)
    }
    return way
  } finally {
    for (const child of started) await end(child)
    load.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Has a process make the store, and fills its log once that process has ended. */
async function serveWithWaiting(served: ServedSetup, load: WayLoad, events: number): Promise<void> {
  const { child } = startSluice(served)
  try {
    await answering(() => load.post(served.port), child)
    await sleep(wayRestMs)
  } finally {
    await end(child)
  }
  fillLog({ folder: dataFolderOf(served), ...unreachable, events })
}

/** Rounds that took turns. */
interface Pair {
  readonly sluice: Rounds
  readonly least: Rounds
}

function ratioOf(rows: readonly Pair[]): number {
  return median(rows.map(({ sluice, least }) => sluice.all.cpuMicroseconds / least.all.cpuMicroseconds))
}

function microsecondsOf(rows: readonly Pair[]): number {
  return median(rows.map(({ sluice }) => sluice.all.cpuMicroseconds))
}

/** What one peer cost: all events at once, and those of a paced round, as a share of that. */
interface Rounds {
  readonly all: WayRound
  readonly pacedRatio: number
}
