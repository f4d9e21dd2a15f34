import type { Clock, Event } from '@sluice/core'
import { Slots } from '@sluice/core/slots'
import { createSecretMask, type DestinationRegistry, type SecretMask } from '@sluice/destinations/kit'
import type { DiffCall, DiffsAreaOptions } from '@sluice/http'
import { type Engine, type EventMasks, hidesPath, readRecorded, type Store } from '@sluice/pipeline'
import type { SandboxOptions } from '@sluice/sandbox'
import type { DiffedWay } from '@sluice/testing'
import type { Transformations } from '@sluice/transformations'
import { changedWorkspace } from './changed-workspace.ts'
import { maskedReport } from './masked-report.ts'

interface CompareLogParts {
  readonly store: Pick<Store, 'log'>
  readonly engine: Engine
  readonly masks: EventMasks
  readonly destinations: DestinationRegistry
  readonly transformations: Transformations
  readonly clock: Clock
  /** Limits of user code; comparisons have a thread of their own. */
  readonly sandbox: SandboxOptions
  isTrusted(workspaceId: string): boolean
}

/** Comparisons of all workspaces that run at once: each has a thread and memory of its own. */
const runningMax = 1
/** Time after which a comparison begins no further batch, in milliseconds: the caller waits. */
const runTimeMs = 20_000
/** Characters of the events that a comparison holds. */
const charactersMax = 32 * 1_024 * 1_024

/**
 * Returns a function that compares what a workspace does with events of its log before and after a change. Both sides run in a
 * sandbox of their own, in which `fetch` fails. Nothing is sent, stored or counted.
 */
export function createCompareLog(parts: CompareLogParts): DiffsAreaOptions['compareLog'] {
  const slots = new Slots(runningMax)
  return (call) => slots.run(() => compare(call, parts))
}

type Compared = Awaited<ReturnType<DiffsAreaOptions['compareLog']>>

async function compare(
  { workspace, change, events: query, isMasked }: DiffCall,
  parts: CompareLogParts,
): Promise<Compared> {
  const { engine, clock, masks, destinations, sandbox } = parts
  const changed = await changedWorkspace(workspace, change, parts.transformations)
  if (!changed.ok) return changed
  // Loaded with the first comparison: no other work of a server needs it.
  const { diffRuns, OfflineLoadError, workspaceWays } = await import('@sluice/testing')
  const { destinationIds, alone } = changed.value
  const side = (each: typeof workspace) => ({ workspaces: [each], definitions: destinations })
  const ofWorkspace = workspaceWays(side(workspace), side(changed.value.workspace), query.sourceId)
  const ways: readonly DiffedWay[] = alone
    ? [{ before: alone.before && { subject: alone.before }, after: { subject: alone.after } }]
    : ofWorkspace.filter(({ destination }) => destination !== undefined && destinationIds.includes(destination))
  const { events, isCut, sourceOf } = await sampleOf(query, parts)
  const until = clock.now() + runTimeMs
  let isLate = false
  function* inTime(): Generator<Event> {
    for (const event of events) {
      isLate = clock.now() > until
      if (isLate) return
      yield event
    }
  }
  try {
    const report = await diffRuns(ways, inTime(), {
      sandbox: {
        ...sandbox,
        ...(parts.isTrusted(workspace.id) ? { code: 'trusted' } : {}),
        workers: 1,
        batchesPerWorker: 1,
        fetch: undefined,
      },
      now: clock.now(),
      conditions: {
        ...(alone ? { credentials: workspace.credentials } : {}),
        sourceOf,
        inTurn: (work) => engine.inTurn({ workspaceId: workspace.id }, work),
      },
    })
    const isHidden = (place: number): boolean => {
      const event = events[place]
      return event === undefined || hidesPath(masks(workspace.id, sourceOf(event) ?? '').event(event))
    }
    const shown = maskedReport(report, secretsOf(ways, workspace.credentials), {
      showsPersonalData: !isMasked,
      isHidden,
    })
    return { ok: true, value: { ...shown, isCut: isCut || isLate } }
  } catch (error) {
    if (error instanceof OfflineLoadError) return { ok: false, error: { code: 'codeInvalid', message: error.message } }
    throw error
  }
}

/** Reads the newest events that match, in the order in which they were accepted. */
async function sampleOf(query: DiffCall['events'], parts: CompareLogParts) {
  const { limit, ...filter } = query
  const sources = new WeakMap<Event, string>()
  const events: Event[] = []
  let characters = 0
  const read = readRecorded(filter, parts)
  const sample = (isCut: boolean) => ({
    events: events.toReversed(),
    isCut,
    sourceOf: (event: Event) => sources.get(event),
  })
  for await (const { records, sourceId } of read.batches)
    for (const { source } of records.toReversed()) {
      characters += JSON.stringify(source.event).length
      if (events.length >= limit || characters > charactersMax) return sample(true)
      sources.set(source.event, sourceId)
      events.push(source.event)
    }
  return sample(read.next() !== undefined)
}

/** Returns what hides the secrets of both sides: those of settings, and the credentials of user code. */
function secretsOf(
  ways: readonly DiffedWay[],
  credentials: Readonly<Record<string, string>> = {},
): readonly SecretMask[] {
  return [
    createSecretMask({ secrets: ['texts'] }, { texts: Object.values(credentials) }),
    ...ways
      .flatMap(({ before, after }) => [before?.destination, after?.destination])
      .flatMap((each) => (each === undefined ? [] : [createSecretMask(each.definition, each.settings)])),
  ]
}
