import type { Destination, SourcedEvent, Stage } from '@sluice/core'
import { wrapStage } from './wrap-stage.ts'

/** The destination that stages are made for. */
export interface OwnStagePlace {
  readonly workspaceId: string
  readonly destination: Pick<Destination, 'id' | 'name' | 'type' | 'settings'>
}

/**
 * Stages of the embedding program. They run like the built-in ones: with the log, retries, dead letters, receipts and
 * the Test API. A stage that throws, or takes longer than `timeMs`, fails the batch it was given, and nothing else.
 */
export interface StageOptions {
  /**
   * Run once per accepted call, after suppression and before the log. Such a stage passes each event on as one event, or
   * ends it: then the event is counted as `rejected`, and the sender gets an acknowledgement as for any other. When the
   * stage throws, the call is refused with `unavailable`, and its sender tries again.
   */
  readonly beforeLog?: readonly Stage<SourcedEvent>[]
  /**
   * Run at a destination, after the tracking plan and before the user transformation: the same stages everywhere, or a
   * function that returns those of one destination. It is called when a workspace is read.
   */
  readonly perDestination?: readonly Stage<SourcedEvent>[] | ((place: OwnStagePlace) => readonly Stage<SourcedEvent>[])
  /** Milliseconds that one call of `run` may take. Default 30,000. */
  readonly timeMs?: number
}

const defaultTimeMs = 30_000
/** Names that receipts, traces and metrics use for the stages that are built in. */
const builtInNames = new Set([
  'ingest',
  'suppress',
  'observe',
  'connect',
  'permission',
  'tracking-plan',
  'user-transform',
  'destination-transform',
  'deliver',
])

/** Returns the stages that run before the log. @throws RangeError when a name is missing, taken or used twice. */
export function stagesBeforeLog({ beforeLog = [], timeMs }: StageOptions = {}): readonly Stage<SourcedEvent>[] {
  return contained(beforeLog, 'stages.beforeLog', timeMs)
}

/** Returns the stages of one destination. @throws RangeError when a name is missing, taken or used twice. */
export function stagesOfDestination(
  { perDestination = [], timeMs }: StageOptions = {},
  place: OwnStagePlace,
): readonly Stage<SourcedEvent>[] {
  const stages = typeof perDestination === 'function' ? perDestination(place) : perDestination
  return contained(stages, `stages.perDestination of ${place.destination.id}`, timeMs)
}

function contained(
  stages: readonly Stage<SourcedEvent>[],
  place: string,
  timeMs = defaultTimeMs,
): readonly Stage<SourcedEvent>[] {
  const names = new Set<string>()
  return stages.map((stage) => {
    const { name } = stage
    if (typeof name !== 'string' || !/^[a-z0-9][a-z0-9-]{0,63}$/.test(name))
      throw new RangeError(`${place}: the stage name ${JSON.stringify(name)} must be lower-case letters, digits and -`)
    if (builtInNames.has(name)) throw new RangeError(`${place}: the stage name ${name} is taken by a built-in stage`)
    if (names.has(name)) throw new RangeError(`${place}: two stages have the name ${name}`)
    names.add(name)
    return withinTime(stage, timeMs)
  })
}

/** The same stage, which throws when a batch takes too long. */
function withinTime(stage: Stage<SourcedEvent>, timeMs: number): Stage<SourcedEvent> {
  return wrapStage(stage, async (batch, signal) => {
    const stopping = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it took longer than ${timeMs} ms`)), timeMs)
    })
    try {
      return await Promise.race([stage.run(batch, AbortSignal.any([signal, stopping.signal])), late])
    } finally {
      clearTimeout(timer)
      stopping.abort()
    }
  })
}
