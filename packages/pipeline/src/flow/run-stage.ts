import {
  drop,
  fail,
  InvariantError,
  type Outcome,
  type OutcomeListener,
  type Stage,
  type StageError,
} from '@sluice/core'

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
 * Runs one stage and keeps provenance for it: what the stage passes on keeps the origin of its input. A stage that
 * throws, or that does not answer once per input, fails everything it was given.
 *
 * @param onOutcome called with outcomes that the stage reports before it ends, by index of the input.
 * @throws the abort reason once `signal` is aborted: the results of the stage are then discarded.
 */
export async function runStage<In, Out>(
  stage: Stage<In, Out>,
  inputs: readonly Tracked<In>[],
  signal: AbortSignal,
  onOutcome?: OutcomeListener<Out>,
): Promise<StageRun<Out>> {
  if (inputs.length === 0) return { passed: [], endings: [] }
  const items = inputs.map(({ item }) => (stage.mutatesInput ? structuredClone(item) : item))
  const outcomes = await outcomesOf(stage, items, signal, onOutcome)
  signal.throwIfAborted()

  const passed: Tracked<Out>[] = []
  const endings: Ending[] = []
  inputs.forEach(({ origin }, i) => {
    const outcome = outcomes[i] ?? drop('no outcome')
    if (outcome.kind === 'pass') for (const item of outcome.items) passed.push({ origin, item })
    else endings.push(endingAt(stage, origin, outcome))
  })
  return { passed, endings }
}

/** @param outcome what a stage made of the event at `origin`. */
export function endingAt({ name }: { readonly name: string }, origin: number, outcome: Ending['outcome']): Ending {
  return { origin, stage: (outcome.kind === 'drop' && outcome.stage) || name, outcome }
}

async function outcomesOf<In, Out>(
  stage: Stage<In, Out>,
  items: readonly In[],
  signal: AbortSignal,
  onOutcome?: OutcomeListener<Out>,
): Promise<readonly Outcome<Out>[]> {
  try {
    const outcomes = await stage.run(items, signal, onOutcome)
    if (outcomes.length !== items.length)
      throw new InvariantError(`it answered ${outcomes.length} outcomes for ${items.length} inputs`)
    return outcomes
  } catch (thrown) {
    signal.throwIfAborted()
    const text = thrown instanceof Error ? thrown.message : String(thrown)
    const broken = fail({ code: 'stage.broken', message: `stage ${stage.name} is broken: ${text}` })
    return items.map(() => broken)
  }
}
