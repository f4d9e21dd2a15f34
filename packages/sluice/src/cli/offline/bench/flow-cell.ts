import { type Event, isJsonObject, type JsonObject } from '@sluice/core'
import type { Transport } from '@sluice/delivery'
import type { ProcessResult, Telemetry } from '@sluice/pipeline'
import type { SandboxOptions } from '@sluice/sandbox'
import { createSluice } from '../../../create-sluice.ts'
import type { Sluice } from '../../../sluice.ts'
import { openWorkspace } from '../../../workspace/text/open-workspace.ts'
import { toParsedWorkspace } from '../../../workspace/typed/parsed-workspace.ts'
import { asCliError } from '../../as-cli-error.ts'
import { CliError } from '../../cli-error.ts'

/** Measurement of calls of one size. */
export interface FlowCell {
  /** Events per call. */
  readonly batch: number
  /** Source of the events: the first enabled one of the file. */
  readonly source: string
  readonly eventsPerSecond: number
  /** Time of a call until all its events have ended at every destination. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Resident memory the process gained meanwhile. */
  readonly memoryBytes: number
  /** Time per event, longest first. Destinations run concurrently, so the sum exceeds the elapsed time. */
  readonly stages: readonly { readonly name: string; readonly msPerEvent: number }[]
  readonly destinations: readonly FlowEndings[]
}

interface FlowEndings {
  readonly id: string
  readonly delivered: number
  readonly dropped: number
  readonly failed: number
}

/** Takes everything and sends nothing. */
const nowhere: Transport = { send: async () => ({ kind: 'reply', status: 200, headers: {}, body: '' }) }

/** Measures the flow of a workspace file with calls of one size, from ingestion to requests that are not sent. */
export async function measureFlow(
  file: string,
  events: readonly Event[],
  { batch, timeMs, sandbox }: { readonly batch: number; readonly timeMs: number; readonly sandbox: SandboxOptions },
): Promise<FlowCell> {
  const spent = new Map<string, number>()
  const endings = new Map<string, FlowEndings>()
  const before = process.memoryUsage.rss()
  const sluice = await open(file, sandbox, timing(spent))
  try {
    const source = sluice.workspaces[0]?.sources.find(({ enabled }) => enabled)
    if (source === undefined) throw new CliError(`--workspace: ${file} has no source that is enabled`)
    const call = async (number: number): Promise<number> => {
      const given = Array.from({ length: batch }, (_, place) => events[(number * batch + place) % events.length])
      const startedAt = performance.now()
      const result = await sluice.process(source.writeKey, given, { onInvalid: 'refuse-event' })
      if (!result.ok) throw new CliError(`--events: ${result.message}`)
      count(endings, result)
      return performance.now() - startedAt
    }
    await callFor(timeMs / 5, call)
    spent.clear()
    endings.clear()
    const startedAt = performance.now()
    const times = (await callFor(timeMs, call)).sort((a, b) => a - b)
    const seconds = (performance.now() - startedAt) / 1_000
    const at = (share: number): number => times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0
    const measured = times.length * batch
    return {
      batch,
      source: source.id,
      eventsPerSecond: measured / seconds,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      memoryBytes: Math.max(0, process.memoryUsage.rss() - before),
      stages: [...spent]
        .map(([name, ms]) => ({ name, msPerEvent: ms / measured }))
        .sort((a, b) => b.msPerEvent - a.msPerEvent),
      destinations: [...endings.values()],
    }
  } finally {
    await sluice.stop()
  }
}

async function open(file: string, sandbox: SandboxOptions, telemetry: Telemetry): Promise<Sluice> {
  try {
    const { workspace, destinations } = await openWorkspace(file)
    return await createSluice({
      logger: 'off',
      workspace: toParsedWorkspace(withoutTokens(workspace)),
      destinations,
      sandbox,
      telemetry,
      transport: nowhere,
    })
  } catch (error) {
    throw asCliError(error)
  }
}

/** Removes access tokens, because the API is not used and the variables for them may not be set. */
function withoutTokens({ accessTokens: _, workspaces, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(workspaces)) return workspaces === undefined ? rest : { ...rest, workspaces }
  return { ...rest, workspaces: workspaces.map((each) => (isJsonObject(each) ? withoutTokens(each) : each)) }
}

/** Repeats a call for some time, at least once. @returns the time of each. */
async function callFor(timeMs: number, call: (number: number) => Promise<number>): Promise<number[]> {
  const end = performance.now() + timeMs
  const times: number[] = []
  while (times.length === 0 || performance.now() < end) times.push(await call(times.length))
  return times
}

/** Creates telemetry that sums the time of each stage of each destination, and of the work done once per batch. */
function timing(spent: Map<string, number>): Telemetry {
  return {
    async around({ kind, stage, destinationId }, run) {
      const startedAt = performance.now()
      try {
        return await run()
      } finally {
        const name = kind === 'stage' ? `${destinationId}: ${stage}` : kind
        // 'deliver' consists of its stages, which are counted.
        if (kind !== 'deliver') spent.set(name, (spent.get(name) ?? 0) + performance.now() - startedAt)
      }
    },
    stageEnded: () => {},
    caughtUp: () => {},
  }
}

function count(endings: Map<string, FlowEndings>, { events }: Extract<ProcessResult, { ok: true }>): void {
  for (const { destinationId: id, outcome } of events.flatMap(({ destinations }) => destinations)) {
    const known = endings.get(id) ?? { id, delivered: 0, dropped: 0, failed: 0 }
    endings.set(id, { ...known, [outcome]: known[outcome] + 1 })
  }
}
