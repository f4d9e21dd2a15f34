import { drop, fail, InvariantError, type Outcome, type Stage, type StageError } from '@sluice/core'

/** An item on its way, with the index of the input event it was made from. */
export interface Tracked<T> {
  readonly origin: number
  readonly item: T
}

/** Why and where an item ended before the last stage. */
export interface Ending {
  readonly origin: number
  readonly stage: string
  readonly outcome:
    | { readonly kind: 'drop'; readonly reason: string; readonly stage?: string }
    | { readonly kind: 'fail'; readonly error: StageError }
}

/** What a stage passed on, in input order, and what ended in it. */
export interface StageRun<Out> {
  readonly passed: readonly Tracked<Out>[]
  readonly endings: readonly Ending[]
}

/**
 * Runs one stage and keeps provenance for it: what the stage passes on keeps the origin of its input. See `outcomesOf`.
 * @throws the abort reason once `signal` is aborted: the results of the stage are then discarded.
 */
export async function runStage<In, Out>(
  stage: Stage<In, Out>,
  inputs: readonly Tracked<In>[],
  signal: AbortSignal,
): Promise<StageRun<Out>> {
  const items = inputs.map(({ item }) => item)
  return stageRun(stage, inputs, await outcomesOf(stage, items, signal))
}

/**
 * Runs a stage that nothing may pass unchecked: it fails no event.
 * @throws what the stage throws, so that the caller knows the reason, and InvariantError when it does not answer once per input.
 */
export async function runGuard<Item>(
  stage: Stage<Item>,
  inputs: readonly Tracked<Item>[],
  signal: AbortSignal,
): Promise<StageRun<Item>> {
  if (inputs.length === 0) return { passed: [], endings: [] }
  const items = inputs.map(({ item }) => item)
  const run = stageRun(stage, inputs, await answersOf(stage, items, signal))
  for (const { outcome } of run.endings) if (outcome.kind === 'fail') throw new InvariantError(outcome.error.message)
  return run
}

function stageRun<In, Out>(
  stage: Stage<In, Out>,
  inputs: readonly Tracked<In>[],
  outcomes: readonly Outcome<Out>[],
): StageRun<Out> {
  const passed: Tracked<Out>[] = []
  const endings: Ending[] = []
  inputs.forEach(({ origin }, i) => {
    const outcome = outcomes[i] ?? drop('no outcome')
    if (outcome.kind === 'pass') for (const item of outcome.items) passed.push({ origin, item })
    else endings.push({ origin, stage: stageOf(stage.name, outcome), outcome })
  })
  return { passed, endings }
}

/** Returns the stage that an ending is reported under. @param stageName the one that ran. */
export function stageOf(stageName: string, outcome: Ending['outcome']): string {
  return (outcome.kind === 'drop' && outcome.stage) || stageName
}

/**
 * Returns what a stage makes of some items, one outcome each. A stage that throws, or that does not answer once per input,
 * fails everything it was given. @throws the abort reason once `signal` is aborted.
 */
export async function outcomesOf<In, Out>(
  stage: Stage<In, Out>,
  items: readonly In[],
  signal: AbortSignal,
): Promise<readonly Outcome<Out>[]> {
  if (items.length === 0) return []
  try {
    return await answersOf(stage, items, signal)
  } catch (thrown) {
    signal.throwIfAborted()
    const broken = brokenBy(stage.name, thrown)
    return items.map(() => broken)
  }
}

async function answersOf<In, Out>(
  stage: Stage<In, Out>,
  items: readonly In[],
  signal: AbortSignal,
): Promise<readonly Outcome<Out>[]> {
  const outcomes = await stage.run(items, signal)
  signal.throwIfAborted()
  if (outcomes.length !== items.length)
    throw new InvariantError(`stage ${stage.name} answered ${outcomes.length} outcomes for ${items.length} inputs`)
  return outcomes
}

/** Returns the failure of everything that a stage was given which threw. */
export function brokenBy(stageName: string, thrown: unknown): Outcome<never> {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return fail({ code: 'stage.broken', message: `stage ${stageName} is broken: ${text}` })
}
