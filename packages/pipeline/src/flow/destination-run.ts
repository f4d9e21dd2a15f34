import type { Event, OutcomeListener, SourcedEvent, Stage } from '@sluice/core'
import type { Delivery, DeliveryHistory } from '@sluice/delivery'
import type { MappedEvent } from '@sluice/destinations'
import type { PathInput, SourcedRequest } from './destination-path.ts'
import { type DestinationResult, ResultBuilder } from './destination-result.ts'
import { type Ending, endingAt, runStage, type Tracked } from './run-stage.ts'

/** Sees what each stage makes of a batch: for trials and offline tests, which show it. */
export interface RunWatch {
  /** The outputs that enter the destination transform, with the index of the event they were made from. */
  onOutputs?(outputs: readonly Tracked<SourcedEvent>[]): void
  /** What the destination transform made of an output, given by its index among the outputs. */
  onMapped?(output: number, mapped: MappedEvent): void
  /** An output that ended, given by its index among the outputs. */
  onOutputEnded?(output: number, ending: Ending): void
  /**
   * The result of an event, as soon as it is known: while other events of the batch are still being delivered. Not
   * called for those whose results are known only at the end of the run, which returns all of them.
   */
  onResult?(result: DestinationResult): void
  /** The outputs of the batch are with the delivery: those of a later batch come behind them. */
  onSending?(): void
  /** An output is deferred: from now on, later events of its user must not overtake it. Called at once. */
  onDeferred?(userKey: string): void
  /** Whether the caller keeps events whose attempts take long, while these still run: see `Deferral.running`. */
  readonly keepsAttempts?: boolean
}

/** An output of the user transformation: new, or still to be delivered from an earlier run. */
interface Output extends Tracked<SourcedEvent> {
  readonly history?: DeliveryHistory
}

/**
 * One run of a batch through the stages of a destination. Keeps track of the event each output came from, and adds
 * up one result per event.
 */
export class DestinationRun {
  readonly #inputs: readonly PathInput[]
  readonly #signal: AbortSignal
  readonly #watch: RunWatch
  readonly #results: ReadonlyMap<number, ResultBuilder>
  #outputs: readonly Output[] = []

  constructor(inputs: readonly PathInput[], signal: AbortSignal, watch: RunWatch = {}) {
    this.#inputs = inputs
    this.#signal = signal
    this.#watch = watch
    this.#results = new Map(inputs.map(({ origin }) => [origin, new ResultBuilder(origin)]))
  }

  /** Events that start at the first stage. */
  get fresh(): readonly Tracked<SourcedEvent>[] {
    return this.#inputs.filter(({ outputs }) => outputs === undefined)
  }

  /** Runs a stage that decides about events or changes them. */
  async through(
    stage: Stage<SourcedEvent>,
    events: readonly Tracked<SourcedEvent>[],
  ): Promise<readonly Tracked<SourcedEvent>[]> {
    const { passed, endings } = await runStage(stage, events, this.#signal)
    for (const ending of endings) this.#results.get(ending.origin)?.ended(ending)
    return passed
  }

  /** Maps events, and the outputs that are left from earlier runs, to requests. */
  async map(
    stage: Stage<SourcedEvent, MappedEvent>,
    events: readonly Tracked<SourcedEvent>[],
  ): Promise<readonly Tracked<SourcedRequest>[]> {
    this.#outputs = [...events, ...this.#inputs.flatMap(outputsLeft)]
    this.#watch.onOutputs?.(this.#outputs)
    const { passed, endings } = await runStage(stage, this.#outputs.map(numbered), this.#signal)
    this.#outputsEnded(endings)
    const sources = new Map(this.#inputs.map(({ origin, item }) => [origin, item]))
    return passed.flatMap(({ origin: output, item }) => {
      this.#watch.onMapped?.(output, item)
      const made = this.#outputs[output]
      const source = sources.get(made?.origin ?? -1)
      return made && source ? [{ origin: output, item: this.#deliverable(item, source, made) }] : []
    })
  }

  /** Sends requests. */
  async deliver(stage: Stage<SourcedRequest, Delivery>, requests: readonly Tracked<SourcedRequest>[]): Promise<void> {
    const early = new Set<number>()
    const onOutcome = this.#watch.onResult && this.#reporting(stage, requests, early)
    const sent = runStage(stage, requests, this.#signal, onOutcome)
    this.#watch.onSending?.()
    const { passed, endings } = await sent
    const isNew = ({ origin: output }: { readonly origin: number }): boolean => !early.has(output)
    for (const { origin: output, item } of passed.filter(isNew)) this.#delivered(output, item)
    this.#outputsEnded(endings.filter(isNew))
  }

  /** @param early gets the outputs whose outcomes were reported before the end. */
  #reporting(
    stage: Stage<SourcedRequest, Delivery>,
    requests: readonly Tracked<SourcedRequest>[],
    early: Set<number>,
  ): OutcomeListener<Delivery> {
    const eventOf = (output: number): number => this.#outputs[output]?.origin ?? -1
    const left = new Map<number, number>()
    for (const { origin: output } of requests) left.set(eventOf(output), (left.get(eventOf(output)) ?? 0) + 1)
    const report = (event: number): void => {
      const result = this.#results.get(event)?.build(stage.name)
      if (result) this.#watch.onResult?.(result)
    }
    for (const event of this.#results.keys()) if (!left.has(event)) report(event)
    return (index, outcome) => {
      const output = requests[index]?.origin
      if (output === undefined || early.has(output)) return
      early.add(output)
      if (outcome.kind === 'pass') for (const item of outcome.items) this.#delivered(output, item)
      else this.#outputsEnded([endingAt(stage, output, outcome)])
      const others = (left.get(eventOf(output)) ?? 1) - 1
      left.set(eventOf(output), others)
      if (others === 0) report(eventOf(output))
    }
  }

  /** One result per input, in input order. @param lastStage where an event ends that no stage stopped. */
  results(lastStage: string): readonly DestinationResult[] {
    return [...this.#results.values()].map((result) => result.build(lastStage))
  }

  #deliverable(mapped: MappedEvent, source: SourcedEvent, { item: output, history }: Output): SourcedRequest {
    const { receivedAt } = source
    return {
      ...mapped,
      source,
      output,
      ...(receivedAt === undefined ? {} : { receivedAt }),
      ...(history ? { history } : {}),
      ...(this.#watch.keepsAttempts ? { mayRunOn: true } : {}),
    }
  }

  #delivered(output: number, delivery: Delivery): void {
    if (delivery.kind === 'deferred') this.#watch.onDeferred?.(delivery.userKey)
    this.#resultOf(output)?.delivered(delivery, this.#outputs[output]?.item)
  }

  #outputsEnded(endings: readonly Ending[]): void {
    for (const ending of endings) {
      this.#watch.onOutputEnded?.(ending.origin, ending)
      this.#resultOf(ending.origin)?.ended(ending, this.#outputs[ending.origin]?.item)
    }
  }

  #resultOf(output: number): ResultBuilder | undefined {
    return this.#results.get(this.#outputs[output]?.origin ?? -1)
  }
}

/** From here on, the origin of an item is the index of its output: one event may have several. */
function numbered({ item }: Output, output: number): Tracked<SourcedEvent> {
  return { origin: output, item }
}

function outputsLeft({ origin, item, outputs = [] }: PathInput): readonly Output[] {
  return outputs.map(({ event, history }: { event: Event; history: DeliveryHistory }) => ({
    origin,
    item: { ...item, event },
    history,
  }))
}
