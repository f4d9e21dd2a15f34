import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '@sluice/core'
import type { Transport } from '@sluice/delivery'
import type { Telemetry } from '@sluice/pipeline'
import type { SchemaLimits } from '@sluice/schema'
import type { Sluice } from '../../../../sluice.ts'
import type { Progress } from '../../../terminal/progress.ts'
import { createChance } from './chance.ts'
import { crmDownHoursAgo, type DemoCall, demoActs, newAppHoursAgo } from './demo-acts.ts'
import { createDemoClock, type DemoClock } from './demo-clock.ts'
import { createDemoProducts } from './demo-products.ts'
import { type DemoPeople, demoWorkspace } from './demo-workspace.ts'
import { type DemoEvent, visit, visitsAt } from './visit.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const minuteMs = 60_000
/** The day passes in steps of five minutes, and its last hour, which charts show by the minute, in steps of one. */
const step = { usualMs: 5 * minuteMs, lastMs: minuteMs } as const
/** Within a step, products answer while the clock moves by so much, at most so often. */
const tickMs = 25
const ticksMax = 400
const turnsPerPass = 4
/** How often a visitor comes after the day, while people look: as often as at the best time of the day. */
const liveEveryMs = 12_000

/** A day of a shop that passes in seconds, and then continues. */
interface Demo {
  readonly workspace: ReturnType<typeof demoWorkspace>
  readonly clock: Clock
  readonly transport: Transport
  readonly schemaLimits: Partial<SchemaLimits>
  /** Sees when the warehouse is loaded, which takes time of another process. */
  readonly telemetry: Telemetry
  /** Lets the day pass. @returns how to end what comes after it, once the day is over. */
  play(sluice: Sluice, progress: Progress, signal: AbortSignal): Promise<() => void>
}

/**
 * Prepares a demonstration: a day of a made-up shop that really passes through the pipeline, by a clock of its own. All
 * counts, delays and failures are those of its events. No request leaves the process.
 * @param warehouse path of a DuckDB file; undefined without.
 */
export function createDemo(warehouse: string | undefined): Demo {
  const token = (): string => randomBytes(24).toString('base64url')
  const people: DemoPeople = { kim: token(), 'release bot': token(), 'privacy office': token() }
  const endMs = Math.floor(Date.now() / minuteMs) * minuteMs
  const clock = createDemoClock(endMs - dayMs)
  const hoursAgo = (hours: number): number => endMs - hours * hourMs
  const isCrmDown = (): boolean => clock.now() >= hoursAgo(crmDownHoursAgo)
  const shopping = createChance(1)
  const eventsOf = (at: number, visits: number): readonly DemoEvent[] =>
    Array.from({ length: visits }, () => visit(shopping, at, at >= hoursAgo(newAppHoursAgo))).flat()
  const products = createDemoProducts(clock, createChance(2), isCrmDown)
  let loads = 0
  return {
    workspace: demoWorkspace(people, warehouse),
    clock,
    transport: products,
    // The catalogue stores what it learnt every few seconds of the day, which is very often while a day takes so little.
    schemaLimits: { valueBytesMax: 20_000 },
    telemetry: {
      around: async (work, run) => {
        if (work.kind !== 'load') return run()
        loads += 1
        return run().finally(() => {
          loads -= 1
        })
      },
      stageEnded: () => {},
      caughtUp: () => {},
    },
    play: async (sluice, progress, signal) => {
      const call = callAs(sluice, people)
      const acts = [...demoActs(warehouse !== undefined)]
      while (clock.now() < endMs && !signal.aborted) {
        const at = clock.now()
        while (acts[0] && at >= hoursAgo(acts[0].hoursAgo)) await acts.shift()?.do(call)
        const stepMs = at < hoursAgo(1) ? step.usualMs : step.lastMs
        const visits = Math.round(visitsAt(new Date(at).getUTCHours()) * (stepMs / step.usualMs))
        await send(sluice, eventsOf(at, visits))
        for (let tick = 0; tick < ticksMax && (await isBusy(sluice, isCrmDown())); tick += 1) await pass(clock, tickMs)
        // Minute by minute, so that what happened in each is kept as that of its minute.
        while (clock.now() < at + stepMs) {
          await pass(clock, Math.min(minuteMs, at + stepMs - clock.now()))
          for (let tick = 0; tick < ticksMax && products.isBusy(); tick += 1) await pass(clock, tickMs)
          while (loads > 0 && !signal.aborted) {
            await systemClock.sleep(tickMs, signal)
            clock.advance(tickMs)
          }
        }
        progress.update(`a day of the sample shop: ${Math.round(100 - ((endMs - clock.now()) / dayMs) * 100)} %`)
      }
      progress.done('a day of the sample shop has passed')
      const unfollow = clock.follow()
      // Refused while it is stopped, which ends the demonstration anyway.
      const live = (): Promise<void> => send(sluice, eventsOf(clock.now(), 1)).catch(() => {})
      const timer = setInterval(() => void live(), liveEveryMs)
      return () => {
        clearInterval(timer)
        unfollow()
      }
    },
  }
}

/** Moves the clock, and lets the process do what is due: each turn of the loop is one step of such work. */
async function pass(clock: DemoClock, milliseconds: number): Promise<void> {
  clock.advance(milliseconds)
  for (let turn = 0; turn < turnsPerPass; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

async function send(sluice: Sluice, events: readonly DemoEvent[]): Promise<void> {
  const calls = (['web', 'mobile', 'till'] as const).map(async (source) => {
    const own = events.filter((each) => each.source === source).map(({ event }) => event)
    if (own.length > 0) await sluice.ingest(`demo-${source}-write-key`, own, { onInvalid: 'refuse-event' })
  })
  await Promise.all(calls)
}

/** Whether events are on their way, other than those that wait for the CRM. */
async function isBusy(sluice: Sluice, isCrmDown: boolean): Promise<boolean> {
  const sources = await sluice.stats()
  return sources.some(({ destinations }) =>
    destinations.some(
      ({ destinationId, pending }) =>
        pending > 0 && destinationId !== 'warehouse' && !(isCrmDown && destinationId === 'crm'),
    ),
  )
}

function callAs(sluice: Sluice, people: DemoPeople): DemoCall {
  return async (who, method, path, body) => {
    const response = await sluice.fetch(
      new Request(`http://demo.invalid${path}`, {
        method,
        headers: { authorization: `Bearer ${people[who]}`, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
    )
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`)
    return method === 'GET' ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : {}
  }
}
